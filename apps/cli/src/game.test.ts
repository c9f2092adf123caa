import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { InputError } from '@lockstep/kernel';
import { BUDGETS } from '@lockstep/match';
import type { ReplayWriter } from '@lockstep/replay';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Table } from './game.ts';

describe('a game that turns out to be too long to record', () => {
  let folder = '';
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'lockstep-game-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  /** A table whose files hold so many ticks; real ones hold a hundred thousand and more. */
  async function table(ticks: number, holds: number): Promise<Table> {
    const care = { timeout: 20, budget: BUDGETS.bank, sandbox: null };
    const files = { log: join(folder, 'log'), dumps: [], results: join(folder, 'results') };
    const record = join(folder, 'game.replay');
    const made = await Table.open({ world: 'codeball', config: { ticks }, bots: ['idle', 'idle'], care, record, debug: null, files });
    const open = made as unknown as { begin(...args: unknown[]): { writer: ReplayWriter } };
    const begin = open.begin.bind(made);
    open.begin = (...args) => {
      const begun = begin(...args);
      Object.assign(begun.writer, { mostTicks: holds });
      return begun;
    };
    return made;
  }

  it('is refused in one line where the file is full, and leaves nothing behind', async () => {
    await expect((await table(21, 20)).play(1n)).rejects.toThrow(new InputError('record', 'a game of at most 20 ticks', 'a longer one'));
    expect(readdirSync(folder)).toEqual([]);
  });

  it('is none where it ends just there', async () => {
    expect(await (await table(20, 20)).play(1n)).toMatchObject({ ticks: 20, record: join(folder, 'game.replay') });
    expect(existsSync(join(folder, 'game.replay'))).toBe(true);
  });
});

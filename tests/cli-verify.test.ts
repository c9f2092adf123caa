import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { catalog } from '@lockstep/catalog';
import { type TickState, type WorldEvent } from '@lockstep/kernel';
import type { Fault } from '@lockstep/match';
import { ReplayWriter } from '@lockstep/replay';
import { describe, expect, it } from 'vitest';
import { jsonLines, workshop } from './cli-run.ts';

const { folder, lockstep } = workshop();
const match = (...args: string[]) => lockstep('match', 'codeball', ...args);

describe('replay', () => {
  it('verify names the tick and the field of a game that went another way: exit 1', async () => {
    writeFileSync(join(folder, 'other.replay'), await told({ nudge: (state) => void (state.tick === 100 && (state.ball.x += 1e-9)) }));
    const { code, out, err } = await lockstep('replay', 'verify', 'other.replay');
    expect([code, err]).toEqual([1, '']);
    expect(out).toMatch(
      /^other\.replay: replay diverged at tick 100: state\.ball\.x: \S+ vs \S+ at the keyframe of tick 200 \(recorded by rulesVersion \d+\)\n$/,
    );
    const json = await lockstep('replay', 'verify', 'other.replay', 'missing.replay', '--json');
    expect(json.code).toBe(2);
    expect(jsonLines(json.out)).toMatchObject([
      { ok: false, tick: 100 },
      { ok: false, file: 'missing.replay' },
    ]);
  });

  interface Story {
    readonly ticks?: number;
    readonly names?: readonly string[];
    /** Done to the state after each tick. */
    readonly nudge?: (state: TickState & { readonly ball: { x: number } }) => void;
    /** Instead of what seat 1 plays at tick 7. */
    readonly order?: object;
    readonly faults?: readonly object[];
    /** Seat 0 plays what only a seat that is out plays. */
    readonly out?: boolean;
    readonly result?: null;
  }

  /** A game of robots that stand still as its recorder tells it: another machine's, another version's, or a liar's. */
  async function told({
    ticks = 200,
    names = ['left', 'right'],
    nudge,
    order,
    faults = [],
    out = false,
    result,
  }: Story): Promise<Uint8Array> {
    const { world } = catalog.find((entry) => entry.world.name === 'codeball')!;
    const config = world.readConfig({ ticks: Math.max(ticks, 1) });
    const bots = ['left', 'right'].map((name) => ({ name, kind: 'test', sha256: null }));
    const writer = new ReplayWriter({ world, config, seed: 1n, bots });
    bots.splice(0, 2, ...names.map((name) => ({ name, kind: 'test', sha256: null })));
    const state = world.create(config, 1n) as TickState & { ball: { x: number } };
    const actions = [out ? world.forfeit(config, 0) : world.idle(config, 0), world.idle(config, 1)];
    const lie = world.idle(config, 1) as { robots: object[] };
    Object.assign(lie.robots[0]!, order);
    while (state.tick < ticks) {
      const events: WorldEvent[] = [];
      writer.note(state.tick === 7 ? [actions[0], lie] : actions);
      world.step(state, actions, events);
      nudge?.(state);
      writer.afterStep(state, events);
    }
    return writer.finish(result === undefined ? world.result(state) : result, faults as Fault[]);
  }

  it.each<[string, Story, number, RegExp]>([
    [
      'NaN',
      { order: { jump_speed: NaN } },
      1,
      /at tick 8: actions of tick 7: seat 1: action\.robots\[0\]\.jump_speed: expected a finite number, got NaN/,
    ],
    [
      'an infinite speed',
      { order: { target_velocity_x: -Infinity } },
      1,
      /tick 7: seat 1: action\.robots\[0\]\.target_velocity_x: .*, got -Infinity/,
    ],
    [
      'a jump beyond the rules',
      { order: { jump_speed: 99 } },
      1,
      /at tick 8: actions of tick 7: action\.robots\[0\]\.jump_speed: expected a number 0\.\.15, got 99/,
    ],
    ['one bot', { names: ['left'] }, 2, /bots: expected 2, one a seat, got 1/],
    ['three bots', { names: ['a', 'b', 'c'] }, 2, /bots: expected 2, one a seat, got 3/],
    [
      'a fault of nobody',
      { faults: [{ seat: 2, tick: 1, kind: 'crash', reason: '' }] },
      2,
      /faults\[0\]\.seat: expected a whole number 0\.\.1, got 2/,
    ],
    [
      'a fault after the end',
      { faults: [{ seat: 0, tick: 21, kind: 'crash', reason: '' }] },
      2,
      /faults\[0\]\.tick: expected a whole number 0\.\.20, got 21/,
    ],
    [
      'a fault of no kind',
      { faults: [{ seat: 0, tick: 1, kind: 'bribe', reason: '' }] },
      2,
      /faults\[0\]\.kind: expected one of crash, illegal, timeout, memory, protocol, disconnect, no-start, got "bribe"/,
    ],
    [
      'a seat that plays on',
      { faults: [{ seat: 0, tick: 5, kind: 'crash', reason: '' }] },
      1,
      /at tick 6: actions of tick 5: seat 0 plays on, though it was out at tick 5/,
    ],
    ['a crash that is hushed up', { out: true }, 1, /at tick 1: actions of tick 0: seat 0 is out, though no fault says so/],
    ['a result that is hushed up', { result: null }, 1, /at tick 20: result: \{.*\} vs null/],
  ])('verify refuses %s in one line', async (name, story, code, expected) => {
    // prettier-ignore
    const file = `${name}.replay`;
    writeFileSync(join(folder, file), await told({ ticks: 20, ...story }));
    const run = await lockstep('replay', 'verify', file);
    const line = code === 1 ? run.out : run.err;
    expect({ code: run.code, rest: code === 1 ? run.err : run.out }).toEqual({ code, rest: '' });
    expect(line).toMatch(/^[^\n]+\n$/);
    expect(line).toMatch(expected);
    expect(line).toContain(`${file}: `);
  });

  it('ledger prints every draw of a tick', async () => {
    await match('chaser', 'chaser', '--seed', '1', '--ticks', '100', '--record', 'ledger.replay');
    const { code, out } = await lockstep('replay', 'ledger', 'ledger.replay', '--tick', '60..61');
    expect(code).toBe(0);
    const entries = jsonLines(out);
    expect(new Set(entries.map(({ tick }) => tick))).toEqual(new Set([60, 61]));
    expect(entries.filter(({ kind }) => kind === 'order')).toHaveLength(200);
    expect(entries[0]).toMatchObject({ tick: 60, kind: 'order', microtick: 0 });
  });

  it('a game of no ticks is a game, but has no draws', async () => {
    writeFileSync(join(folder, 'none.replay'), await told({ ticks: 0 }));
    expect((await lockstep('replay', 'info', 'none.replay')).out).toContain(', 0 ticks\n');
    expect(await lockstep('replay', 'verify', 'none.replay')).toMatchObject({ code: 0 });
    expect(await lockstep('replay', 'ledger', 'none.replay', '--tick', '0')).toEqual({
      code: 2,
      out: '',
      err: 'lockstep: none.replay: expected a game of at least one tick, got "0 ticks"\n',
    });
  });

  it('nothing in a file makes the terminal do anything', async () => {
    const name = 'a\u001b]0;owned\u0007\u009b2J\r\nresult: 9 : 0\u202e';
    writeFileSync(join(folder, 'evil.replay'), await told({ ticks: 5, names: [name, 'right'] }));
    const { code, out } = await lockstep('replay', 'info', 'evil.replay');
    expect(code).toBe(0);
    expect(out).toContain('  seat 0: a\\u001b]0;owned\\u0007\\u009b2J\\u000d\\u000aresult: 9 : 0\\u202e (test)\n');
    // oxlint-disable-next-line no-control-regex -- they are what must not be there
    expect(out).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/);
    const json = await lockstep('replay', 'info', 'evil.replay', '--json');
    expect(jsonLines(json.out)[0]).toMatchObject({ bots: [{ name }, { name: 'right' }] });
    // oxlint-disable-next-line no-control-regex -- they are what must not be there
    expect(json.out).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/);
  });

  it('info tells it to people too', async () => {
    await match('idle', 'chaser', '--seed', '7', '--ticks', '100', '--record', 'info.replay');
    const { code, out } = await lockstep('replay', 'info', 'info.replay');
    expect(code).toBe(0);
    expect(out).toContain('info.replay: codeball (rulesVersion 1), seed 7, 100 ticks\n');
    expect(out).toMatch(/seat 1: chaser \(builtin, sha256 [0-9a-f]{64}\)/);
    expect(out).toMatch(/size: [\d,]+ bytes \(head \d+, actions/);
  });
});

import { type ChildProcess, spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { BUDGETS, type Seat } from '@lockstep/match';
import { afterEach, describe, expect, it } from 'vitest';
import { bench, nodeBot, playProgram, steady } from './toy.test-support.ts';

const { write } = bench();
const hogs: ChildProcess[] = [];
afterEach(() => {
  for (const hog of hogs.splice(0)) hog.kill('SIGKILL');
});

/** Everybody who would like a processor for himself, several for each that there is. */
function crowd(): void {
  for (let i = 0; i < availableParallelism() * 6; i++) hogs.push(spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' }));
}

const used = 'const used = () => { const { user, system } = process.cpuUsage(); return (user + system) / 1000; };';
/** Thinks for so many milliseconds of a processor in four ticks. */
const thinking = (ms: number): string => nodeBot(`if (at >= 5 && at < 9) for (const end = used() + ${ms}; used() < end; );`, used);

function think(ms: number): void {
  for (const end = performance.now() + ms; performance.now() < end;);
}

describe.skipIf(process.platform !== 'linux')('on a busy machine', () => {
  it('an honest bot does not lose: the time in which others had the processor is not charged', { timeout: 300_000 }, async () => {
    crowd();
    const budget = { ...BUDGETS.strikes, strikes: { ms: 250, most: 2 }, bank: { baseMs: 2500, perTickMs: 1 } };
    const file = write('honest.cjs', thinking(80));
    const { faults, result, spent } = await playProgram([process.execPath, file], [file], { budget });
    expect(faults).toEqual([]);
    expect(result.scores[0]).toBe(20); // by the clock on the wall all four of its thoughts were too late
    const [{ wallMs, chargedMs, cpuMs }] = spent as [NonNullable<(typeof spent)[number]>];
    expect(cpuMs).not.toBeNull();
    expect(chargedMs).toBeLessThanOrEqual(Math.max(wallMs, cpuMs!) + 1); // threads of its own may take more of processors than the clock tells
  });

  it('nor does it pay for another who thinks in our own thread', { timeout: 300_000 }, async () => {
    const file = write('quick.cjs', nodeBot(''));
    const thinker: Seat = { ...steady, make: (_briefing, seat) => ({ act: () => (think(40), { [`add${seat}`]: 1 }) }) };
    const { faults, spent } = await playProgram([process.execPath, file], [file], { other: thinker });
    expect(faults).toEqual([]);
    const { wallMs, chargedMs } = spent[0]!;
    expect(chargedMs).toBeLessThan(wallMs / 2);
  });

  it('one that thinks for too long does, by what it took of the processor', { timeout: 300_000 }, async () => {
    crowd();
    const budget = { ...BUDGETS.bank, bank: { baseMs: 500, perTickMs: 1 } };
    const file = write('slow.cjs', thinking(400));
    const { faults } = await playProgram([process.execPath, file], [file], { budget });
    expect(faults).toMatchObject([{ seat: 0, kind: 'timeout', reason: 'it used up its 0.52 s for the whole game' }]);
  });
});

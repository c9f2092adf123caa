import { readdirSync, readFileSync } from 'node:fs';
import { BUDGETS } from '@lockstep/match';
import { describe, expect, it } from 'vitest';
import { findSandbox } from './index.ts';
import { bench, nodeBot, playProgram } from './toy.test-support.ts';

const { write } = bench();
/** How many matches; LOCKSTEP_LONG=1 plays the thousand. */
const COUNT = process.env['LOCKSTEP_LONG'] === '1' ? 1000 : 16;
const TOGETHER = 4;
const FAULTS = ['crash', 'timeout', 'memory', 'protocol', 'illegal', 'disconnect', 'no-start'];

/** What a bot may do at some tick, beside its duty. */
const MISDEEDS = [
  '',
  'process.exit(0);',
  'process.exit(1);',
  'process.kill(process.pid, "SIGSEGV"); return;',
  'null.x;',
  'for (;;);',
  'return;',
  'say("{"); return;',
  'say("\\n"); return;',
  'say("x".repeat(2e6)); return;',
  'say(require("node:crypto").randomBytes(999)); return;',
  'add(NaN); return;',
  'add(1, 1); return;',
  'require("node:fs").closeSync(1); return;',
  'require("node:fs").closeSync(0); return;',
  'process.stdout.end(); return;',
  'for (let i = 0; i < 3; i++) require("node:child_process").spawn(process.execPath, ["-e", "setInterval(() => {}, 99)", mark], { detached: true, stdio: "inherit" }); if (at % 2) process.exit(3);',
  'const all = []; for (;;) all.push(Buffer.alloc(1e6, 1));',
  'console.error("x".repeat(1e6));',
  'process.on("SIGTERM", () => {}); setInterval(() => {}, 99);',
];

const processesWith = (word: string): string[] =>
  readdirSync('/proc').filter((pid) => {
    try {
      return /^\d+$/.test(pid) && Number(pid) !== process.pid && readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(word);
    } catch {
      return false;
    }
  });
const openFiles = (): number => (process.platform === 'linux' ? readdirSync('/proc/self/fd').length : 0);

describe('random faults', () => {
  it(`${COUNT} matches with bots that do the worst: none hangs, nothing is left`, { timeout: 1_000_000 }, async () => {
    const mark = `lockstep-random-${process.pid}`;
    const programs = MISDEEDS.map((misdeed, i) =>
      write(`${mark}-${i}.cjs`, nodeBot(`if (at === Number(process.argv[2])) { ${misdeed} }`, `const mark = '${mark}';`)),
    );
    const budget = { ...BUDGETS.bank, tickMs: 250, memoryBytes: 128 * 1024 * 1024 };
    const before = openFiles();
    const seed = Number(process.env['LOCKSTEP_FUZZ_SEED'] ?? 1);
    const play = async (number: number): Promise<void> => {
      const dice = (number * 7919 + seed * 104_729) >>> 0;
      const file = programs[dice % programs.length]!;
      const sandbox = number % 3 === 0 ? null : findSandbox().kind;
      const { faults, result } = await playProgram([process.execPath, file, String((dice >>> 4) % 21)], [file], { budget, sandbox });
      expect(result.scores[1], `match ${number}, seed ${seed}`).toBe(20);
      for (const { kind, reason } of faults) {
        expect(FAULTS).toContain(kind);
        expect(reason).toMatch(/^[^\n]{1,300}$/);
      }
    };
    for (let first = 0; first < COUNT; first += TOGETHER)
      await Promise.all(Array.from({ length: Math.min(TOGETHER, COUNT - first) }, (_, i) => play(first + i)));
    if (process.platform === 'linux') expect(processesWith(mark)).toEqual([]);
    expect(openFiles()).toBeLessThanOrEqual(before + 2);
  });
});

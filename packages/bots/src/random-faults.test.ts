import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { codeball } from '@lockstep/codeball';
import type { AnyWorld, BotMaker } from '@lockstep/kernel';
import { BUDGETS, type Fault, playMatch, type Seat } from '@lockstep/match';
import { afterAll, describe, expect, it } from 'vitest';
import { findSandbox, startTcp2018 } from './index.ts';
import { bench, nodeBot, playProgram } from './toy.test-support.ts';

const { folder, write } = bench();
/** How many matches; LOCKSTEP_LONG=1 plays the thousand. */
const COUNT = process.env['LOCKSTEP_LONG'] === '1' ? 1000 : 120;
const TOGETHER = 6;
/** Most programs are shells, which start in no time; one in so many is a Node. */
const NODE_EVERY = 30;
const FAULTS = ['crash', 'timeout', 'memory', 'protocol', 'illegal', 'disconnect', 'no-start'];
const mark = `lockstep-random-${process.pid}`;
const budget = { ...BUDGETS.bank, startMs: 5000, tickMs: 150, memoryBytes: 128 * 1024 * 1024 };

/** What a bot may do at some tick, beside its duty. */
const IN_NODE = [
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

/** The same in a shell; `continue` leaves out the answer. */
const IN_SHELL = [
  '',
  'exit 0',
  'exit 7',
  'kill -SEGV $$',
  'while :; do :; done',
  'continue',
  "printf '{'; continue",
  "echo '{oh: no}'; continue",
  'echo; continue',
  "head -c 2000000 /dev/zero | tr '\\0' x; continue",
  "yes '{}' | head -n 50000",
  `echo '{"action":{"add0":NaN}}'; continue`,
  `echo '{"action":{"add0":1,"add1":1}}'; continue`,
  `echo '{"action":{"add0":1}}'`,
  'exec 1>&-; continue',
  'exec 0<&-',
  `sh -c 'sleep 99; : ${mark}' & sh -c 'sleep 99; : ${mark}' & exit 3`,
  `(setsid sh -c 'sleep 99; : ${mark}' > /dev/null 2>&1 &)`,
  'x=$(head -c 400000000 /dev/zero | tr "\\0" x); continue',
  'head -c 300000 /dev/zero | tr "\\0" e >&2',
  "trap '' TERM HUP; sleep 1 & continue",
];

const shellBot = (misdeed: string): string => `# ${mark}
echo '{"type":"ready"}'
at=0
while read -r line; do
  case $line in
    *'"type":"result"'*) exit 0 ;;
    *'"type":"view"'*)
      at=$((at + 1))
      if [ $((at - 1)) -eq "$1" ]; then
        ${misdeed || ':'}
      fi
      echo '{"action":{"add0":1}}' ;;
  esac
done
`;

const still = '{"target_velocity_x":0,"target_velocity_y":0,"target_velocity_z":0,"jump_speed":0,"use_nitro":false}';
const ANSWER = `{"1":${still},"2":${still}}|\n<end>\n`;
/** What somebody at a port may say first, and what at some tick. */
const HELLOS = [
  'json\n0000000000000000\n',
  'json\n0000000000000000\n',
  'json\n0000000000000000\n',
  'json\nwrong\n',
  'GET / HTTP/1.1\r\n\r\n',
  '',
  null,
];
const AT_PORT = [ANSWER, '', '{', 'nonsense\n', 'x'.repeat(5e6), `${ANSWER}${ANSWER}`, `{"3":${still}}\n`, 'end', 'reset'];

/** Nobody, a stranger, or a strategy that does something at a tick. */
function caller(port: number, dice: number): void {
  const hello = HELLOS[dice % HELLOS.length]!;
  if (hello === null) return;
  const socket = connect(port, '127.0.0.1', () => socket.write(hello));
  const misdeed = AT_PORT[(dice >>> 3) % AT_PORT.length]!;
  let lines = -1;
  socket.on('error', () => {});
  socket.on('data', (chunk: Buffer) => {
    for (const byte of chunk) {
      if (byte !== 10 || lines++ < 0) continue;
      if (lines !== (dice >>> 7) % 12) socket.write(ANSWER);
      else if (misdeed === 'end') socket.end();
      else if (misdeed === 'reset') socket.resetAndDestroy();
      else socket.write(misdeed);
    }
  });
}

const world = codeball.world as AnyWorld;
const idle: Seat = { name: 'idle', kind: 'builtin', sha256: null, make: codeball.bots['idle']! as BotMaker };

async function playAtPort(dice: number): Promise<readonly Fault[]> {
  const place = { port: 0, onListening: (port: number) => caller(port, dice) };
  const options = { budget: { ...budget, startMs: 200 }, sandbox: null };
  const seat: Seat = { name: 'tcp', kind: 'tcp2018', sha256: null, make: (...args) => startTcp2018(place, options, ...args) };
  const { faults, ticks } = await playMatch({ world, config: world.readConfig({ ticks: 12 }), seed: 1n, seats: [seat, idle] });
  expect(ticks).toBe(12);
  return faults;
}

const processesWith = (word: string): string[] =>
  readdirSync('/proc').filter((pid) => {
    try {
      return /^\d+$/.test(pid) && Number(pid) !== process.pid && readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(word);
    } catch {
      return false;
    }
  });
const openFiles = (): number => (process.platform === 'linux' ? readdirSync('/proc/self/fd').length : 0);
/** Sockets, pipes and processes that Node waits for. */
const open = (): string[] => process.getActiveResourcesInfo().filter((name) => /TCP|ProcessWrap/.test(name));

describe('random faults', () => {
  const tmp = join(folder, 'tmp');
  const usual = process.env['TMPDIR'];
  afterAll(() => {
    if (usual === undefined) delete process.env['TMPDIR'];
    else process.env['TMPDIR'] = usual;
  });

  it(
    `${COUNT} matches with bots that do the worst, over stdio and sockets: none hangs, nothing is left`,
    { timeout: 3_000_000 },
    async () => {
      mkdirSync(tmp);
      process.env['TMPDIR'] = tmp;
      const shells = IN_SHELL.map((misdeed, i) => write(`${mark}-${i}.sh`, shellBot(misdeed)));
      const nodes = IN_NODE.map((misdeed, i) =>
        write(`${mark}-${i}.cjs`, nodeBot(`if (at === Number(process.argv[2])) { ${misdeed} }`, `const mark = '${mark}';`)),
      );
      const [before, openBefore] = [openFiles(), open().length];
      const seed = Number(process.env['LOCKSTEP_FUZZ_SEED'] ?? 1);
      const kinds = new Set<string>();
      const play = async (number: number): Promise<void> => {
        const dice = Math.imul(number * 7919 + seed * 104_729, 0x9e3779b1) >>> 0;
        const programs = number % NODE_EVERY === 1 ? nodes : shells;
        const file = programs[(dice >>> 5) % programs.length]!;
        const sandbox = number % 3 === 0 ? null : findSandbox().kind;
        const command = [programs === nodes ? process.execPath : 'sh', file, String((dice >>> 12) % 21)];
        if (number % 4 === 0) return note(number, await playAtPort(dice));
        const { faults, result } = await playProgram(command, [file], { budget, sandbox });
        expect(result.scores[1], `match ${number}, seed ${seed}`).toBe(20);
        note(number, faults);
      };
      const note = (number: number, faults: readonly Fault[]): void => {
        expect(faults.length, `match ${number}`).toBeLessThanOrEqual(1);
        for (const { kind, reason } of faults) {
          kinds.add(kind);
          expect(FAULTS).toContain(kind);
          expect(reason).toMatch(/^[^\n]{1,300}$/);
        }
      };
      for (let first = 0; first < COUNT; first += TOGETHER)
        await Promise.all(Array.from({ length: Math.min(TOGETHER, COUNT - first) }, (_, i) => play(first + i)));
      expect(kinds.size).toBeGreaterThanOrEqual(FAULTS.length - 1);
      await expect.poll(() => open().length, { timeout: 20_000 }).toBeLessThanOrEqual(openBefore);
      if (process.platform === 'linux') await expect.poll(() => processesWith(mark), { timeout: 20_000 }).toEqual([]);
      expect(openFiles()).toBeLessThanOrEqual(before + 2);
      expect(readdirSync(tmp)).toEqual([]);
    },
  );
});

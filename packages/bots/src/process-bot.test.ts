import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { BUDGETS } from '@lockstep/match';
import { describe, expect, it } from 'vitest';
import { findSandbox } from './index.ts';
import { lastWordsOf } from './program.ts';
import { bench, nodeBot, playProgram } from './toy.test-support.ts';

const { folder, write } = bench();
const sandbox = findSandbox();
const hasPython = spawnSync('python3', ['--version']).status === 0;
const node = process.execPath;
let number = 0;

/** A bot in Node by the text of its program. */
function play(source: string, options: Parameters<typeof playProgram>[2] = {}) {
  const file = write(`bot${number++}.cjs`, source);
  return playProgram([node, file], [file], options);
}

const quick = { ...BUDGETS.bank, tickMs: 300 };
const impatient = { ...BUDGETS.bank, startMs: 400 };
const small = { ...BUDGETS.bank, memoryBytes: 128 * 1024 * 1024 };

/** Processes whose command line has the word. */
const alive = (word: string): string[] =>
  readdirSync('/proc').filter((pid) => {
    try {
      return /^\d+$/.test(pid) && readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(word);
    } catch {
      return false;
    }
  });

describe('a program over stdio', () => {
  it('plays a whole game by lines of JSON, is told the result and leaves; its time is told', async () => {
    const { faults, result, spent } = await play(nodeBot('add(at === 3 ? 10 : 1); return;'));
    expect(faults).toEqual([]);
    expect(result.scores).toEqual([29, 20]);
    expect(spent[0]!.wallMs).toBeGreaterThan(0);
    expect(spent[0]!.chargedMs).toBeGreaterThan(0);
  });

  it('the briefing tells world, seat, length and what the world tells', async () => {
    const { result } = await play(
      nodeBot('add(told); return;')
        .replace(
          "if (message.type !== 'view') return;",
          `if (message.type === 'briefing') {
           const { type, ...rest } = message;
           told = JSON.stringify(rest) === '{"protocol":1,"world":"adding","rulesVersion":1,"ticksPerSecond":1,"maxTicks":20,"seats":2,"seat":0,"briefing":{"ticks":20}}' ? 7 : -1;
           return;
         }`,
        )
        .replace("say({ type: 'ready' });", "let told = 0; say({ type: 'ready' });"),
    );
    expect(result.scores[0]).toBe(140);
  });

  it('plays by binary frames when its first line says so', async () => {
    const { faults, result } = await play(`
      process.stdout.write(JSON.stringify({ type: 'ready', frames: 'binary', action: { add0: 0 } }) + '\\n');
      let bytes = Buffer.alloc(0), briefed = false;
      process.stdin.on('data', (chunk) => {
        bytes = Buffer.concat([bytes, chunk]);
        if (!briefed) {
          const end = bytes.indexOf(10);
          if (end < 0) return;
          briefed = true;
          bytes = bytes.subarray(end + 1);
        }
        while (bytes.length >= 4 && bytes.length >= 4 + bytes.readUInt32LE(0)) {
          const length = bytes.readUInt32LE(0);
          if (length === 0) process.exit(0);
          const [tick, viewTick, mine] = [0, 1, 2].map((i) => bytes.readDoubleLE(4 + 8 * i));
          bytes = bytes.subarray(4 + length);
          const frame = Buffer.alloc(12);
          frame.writeUInt32LE(8, 0);
          frame.writeDoubleLE(tick === viewTick && length === 24 ? mine + 1 : 0, 4);
          process.stdout.write(frame);
        }
      });`);
    expect(faults).toEqual([]);
    expect(result.scores[0]).toBe(2 ** 20 - 1);
  });

  it.skipIf(!hasPython)('plays in Python', async () => {
    const file = write(
      'bot.py',
      `import json, sys
print(json.dumps({"type": "ready"}))
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "view":
        print(json.dumps({"action": {"add0": 2}}))
`,
    );
    expect(await playProgram(['python3', file], [file])).toMatchObject({ faults: [], result: { scores: [40, 20] } });
  });
});

describe('whatever a program does, it is a fault of its own and the match goes on', () => {
  const crashAt = (body: string) => nodeBot(`if (at === 5) { ${body} }`);

  it.each<[name: string, source: string, kind: string, reason: RegExp, options?: Parameters<typeof playProgram>[2], tick?: number]>([
    ['says nothing', 'setInterval(() => {}, 1000);', 'no-start', /^not ready within 0.4 s$/, { budget: impatient }, 0],
    ['crashes at its start', 'throw "boom";', 'no-start', /ended with exit code 1: boom$/, {}, 0],
    ['leaves at its start', '', 'no-start', /ended with exit code 0$/, {}, 0],
    [
      'begins with something else',
      'console.log("hello"); setInterval(() => {}, 1000)',
      'protocol',
      /^expected a line of JSON, got "hello"$/,
      {},
      0,
    ],
    [
      'begins with an action',
      'console.log(JSON.stringify({ action: {} })); setInterval(() => {}, 1000)',
      'protocol',
      /as the first line, got \{"action"/,
      {},
      0,
    ],
    ['crashes in the middle', crashAt('console.error("one\\ntwo"); process.exit(1)'), 'crash', /ended with exit code 1: two$/],
    ['is ended by a signal', crashAt('process.kill(process.pid, "SIGKILL"); return;'), 'crash', /ended by SIGKILL/],
    ['leaves early', crashAt('process.exit(0);'), 'disconnect', /ended with exit code 0$/],
    [
      'closes its output',
      crashAt('require("node:fs").closeSync(1); setInterval(() => {}, 1000); return;'),
      'disconnect|timeout', // a sandbox keeps it open
      /^(it closed its input or output|no answer within 0.3 s)$/,
      { budget: quick },
    ],
    [
      'closes its input and waits',
      crashAt('require("node:fs").closeSync(0); setInterval(() => {}, 1000); return;'),
      'timeout|disconnect',
      /closed its input|no answer/,
      { budget: quick },
    ],
    ['is slow', crashAt('setTimeout(() => add(1), 5000); return;'), 'timeout', /^no answer within 0.3 s$/, { budget: quick }],
    ['thinks for ever', crashAt('for (;;);'), 'timeout', /^no answer within 0.3 s$/, { budget: quick }],
    [
      'floods its output',
      crashAt('const line = "x".repeat(99) + "\\n"; for (let i = 0; i < 1e5; i++) say(line);'),
      'protocol',
      /^expected a line of JSON, got "xxx/,
    ],
    [
      'answers twice',
      crashAt('const line = JSON.stringify({ action: { add0: 1 } }) + "\\n"; say(line + line); return;'),
      'protocol',
      /^a line that it was not asked for: /,
      {},
      6,
    ],
    ['sends half a line', crashAt('say("{\\"action\\":"); return;'), 'timeout', /^no answer within 0.3 s$/, { budget: quick }],
    ['sends wrong JSON', crashAt('say("{oh: no}\\n"); return;'), 'protocol', /^expected a line of JSON, got "\{oh: no\}"$/],
    ['sends no object', crashAt('say("[1]\\n"); return;'), 'protocol', /^expected an object, got \[1\]$/],
    ['sends a huge line', crashAt('say("x".repeat(3e6)); return;'), 'protocol', /^a line of more than 1048576 bytes$/],
    ['sends NaN', crashAt('say("{\\"action\\":{\\"add0\\":NaN}}\\n"); return;'), 'protocol', /^expected a line of JSON/],
    ['sends no number', crashAt('add(null); return;'), 'illegal', /^action.add0: expected a finite number, got null$/],
    ['answers for the opponent', crashAt('add(1, 1); return;'), 'illegal', /^action.add1: expected only the fields add0/],
    [
      'answers for another tick',
      crashAt('say({ tick: 4, action: { add0: 1 } }); return;'),
      'protocol',
      /^expected an action for tick 5, got 4$/,
    ],
    [
      'starts a crowd',
      crashAt('for (let i = 0; i < 99; i++) require("node:child_process").spawn("sleep", ["99"]); return;'),
      'memory',
      /processes, 64 are allowed$/,
    ],
    [
      'eats memory',
      crashAt('const all = []; for (;;) all.push(Buffer.alloc(1e6, 1));'),
      'memory',
      /MB in use, 128 MB are allowed$/,
      { budget: small },
    ],
  ])('%s', async (_name, source, kind, reason, options = {}, tick = 5) => {
    const { faults, result } = await play(source, options);
    expect(faults).toHaveLength(1);
    expect(faults[0]).toMatchObject({
      seat: 0,
      tick,
      kind: expect.stringMatching(kind) as string,
      reason: expect.stringMatching(reason) as string,
    });
    expect(result).toMatchObject({ scores: [tick === 6 ? 6 : tick, 20], reason: 'time is up' });
  });

  it('a fault shows the last lines of stderr and what the bot had been given', async () => {
    const { faults } = await play(crashAt('console.error("one\\ntwo"); process.exit(1);'));
    expect(faults[0]).toMatchObject({ stderr: ['one', 'two'], input: '{"type":"view","tick":5,"view":{"tick":5,"mine":5}}' });
  });

  it('a program that does not exist has not started', async () => {
    const { faults } = await playProgram(['/nowhere/bot'], []);
    expect(faults[0]).toMatchObject({ kind: 'no-start', reason: 'there is no program /nowhere/bot' });
  });

  it.each([sandbox.kind, null])('nothing is left of children, nor of those that ran away (sandbox: %s)', async (kind) => {
    const word = `lockstep-left-${process.pid}-${kind}`;
    const child = `require('node:child_process').spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)', '${word}'], { detached: true, stdio: 'inherit' })`;
    for (const body of ['process.exit(1);', 'add(1); return;', 'for (;;);']) {
      const { faults } = await play(nodeBot(`if (at === 5) { ${child}.unref(); } if (at === 8) { ${body} }`), {
        sandbox: kind,
        budget: { ...BUDGETS.bank, tickMs: 1500 },
      });
      expect(faults.map((fault) => fault.kind)).toEqual(body.startsWith('add') ? [] : [body.startsWith('for') ? 'timeout' : 'crash']);
      if (process.platform === 'linux') expect(alive(word)).toEqual([]);
    }
  });

  it('strikes: late answers are replaced by idle, too many end the game for the bot', async () => {
    const budget = { ...BUDGETS.strikes, strikes: { ms: 250, most: 2 } };
    const used = 'const used = () => { const { user, system } = process.cpuUsage(); return user + system; };';
    const slowAt = (ticks: string): string => nodeBot(`if (${ticks}) for (const end = used() + 350e3; used() < end; );`, used);
    expect(await play(slowAt('at === 5 || at === 7'), { budget })).toMatchObject({ faults: [], result: { scores: [18, 20] } });
    const { faults } = await play(slowAt('at > 4'), { budget });
    expect(faults).toMatchObject([{ tick: 7, kind: 'timeout', reason: 'answer number 3 that took more than 250 ms; 2 are forgiven' }]);
  });

  it('the bank is for the whole game: sleeping in every tick uses it up', async () => {
    const budget = { ...BUDGETS.bank, bank: { baseMs: 200, perTickMs: 1 } };
    const { faults } = await play(nodeBot('setTimeout(() => add(1), 50); return;'), { budget });
    expect(faults).toMatchObject([{ kind: 'timeout', reason: 'it used up its 0.22 s for the whole game' }]);
  });
});

const forbid = ['--user', '--map-root-user', 'sh', '-c', 'echo 0 > /proc/sys/user/max_user_namespaces'];
const canForbidNamespaces = sandbox.kind === 'unshare' && spawnSync(sandbox.kind, forbid).status === 0;

describe('the reason of a crash', () => {
  it.each([
    [
      'Node',
      ['/bot.cjs:1', 'null.x', '^', '', 'TypeError: no x', '    at f (bot.cjs:1:1) {', "  code: 'X'", '}', '', 'Node.js v20.20.2'],
      'TypeError: no x',
    ],
    [
      'Java',
      ['Exception in thread "main" java.lang.Error: oh', '\tat Bot.main(Bot.java:3)'],
      'Exception in thread "main" java.lang.Error: oh',
    ],
    ['Python', ['Traceback (most recent call last):', '  File "bot.py", line 1', 'ValueError: oh'], 'ValueError: oh'],
    ['nobody', ['', '  '], ''],
  ])('is what %s says went wrong, not where', (_language, stderr, words) => {
    expect(lastWordsOf(stderr)).toBe(words);
  });
});

describe.skipIf(sandbox.kind === null)(`the sandbox (${sandbox.says})`, () => {
  const tries = (code: string) =>
    nodeBot(
      `if (at === 0) { const fs = require('node:fs'); (async () => { try { ${code}; add(100); } catch (error) { console.error(error); add(0); } })(); return; }`,
    );

  it('the files of others, the project and our folders are not there; the system cannot be written to', async () => {
    const secret = write('secret.txt', 'the other bot');
    const attempts = [
      `fs.readFileSync(${JSON.stringify(secret)})`,
      `if (fs.readdirSync(${JSON.stringify(folder)}).length < 2) throw new Error('alone')`,
      `fs.readFileSync(${JSON.stringify(new URL(import.meta.url).pathname)})`,
      `fs.readFileSync('/etc/shadow')`,
      `fs.writeFileSync('/usr/x', '')`,
      `fs.writeFileSync('/x', '')`,
      `fs.writeFileSync(__filename, '')`,
      `fs.readFileSync('/proc/${process.pid}/environ')`,
      `process.kill(${process.pid}, 0)`,
      `const name = '/proc/sys/kernel/core_pattern'; fs.writeFileSync(name, fs.readFileSync(name))`,
      `fs.writeFileSync('/proc/sysrq-trigger', '')`,
      `require('node:child_process').execFileSync('unshare', ['--user', '--map-root-user', '--pid', '--fork', '--mount', 'sh', '-c', 'mount -t proc proc /tmp && cat /tmp/sys/kernel/core_pattern > /tmp/core && cat /tmp/core > /tmp/sys/kernel/core_pattern'])`,
      `require('node:child_process').execFileSync('mount', ['-o', 'remount,rw,bind', '/usr'])`,
      `require('node:child_process').execFileSync('unshare', ['--user', '--map-root-user', '--mount', 'mount', '-o', 'remount,rw,bind', '/usr'])`,
    ];
    const { faults, result } = await play(
      tries(`const done = [];
        ${attempts.map((code) => `try { ${code}; done.push(${JSON.stringify(code)}); } catch {}`).join('\n')}
        if (done.length > 0) { console.error(done); process.exit(1); }`),
    );
    expect(faults).toEqual([]);
    expect(result.scores[0]).toBe(119);
  });

  it.skipIf(!canForbidNamespaces)('it cannot make a user namespace, where it would have rights again', async () => {
    const unshare = `require('node:child_process').execFileSync('unshare', ['--user', 'true'])`;
    expect((await play(tries(unshare))).result.scores[0]).toBe(19);
  });

  it('there is no network, not even this machine itself', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await new Promise((done) => server.once('listening', done));
    const { port } = server.address() as { port: number };
    const connect = `await new Promise((ok, no) => require('node:net').connect(${port}, '127.0.0.1').on('connect', ok).on('error', no))`;
    expect((await play(tries(connect))).result.scores[0]).toBe(19);
    expect((await play(tries(connect), { sandbox: null })).result.scores[0]).toBe(119);
    server.close();
  });

  it('a private tmp can be written to, and is small', async () => {
    expect((await play(tries(`fs.writeFileSync('/tmp/x', 'x')`))).result.scores[0]).toBe(119);
    expect((await play(tries(`fs.writeFileSync('/tmp/x', Buffer.alloc(2e7))`))).result.scores[0]).toBe(19);
    expect(readdirSync('/tmp')).not.toContain('x');
  });
});

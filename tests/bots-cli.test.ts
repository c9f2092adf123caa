import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findSandbox } from '@lockstep/bots';
import { describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { BIN, jsonLines, workshop } from './cli-run.ts';

const { folder, lockstep, bot: moduleBot } = workshop();
const sandbox = findSandbox();
const SHORT = ['--seed', '1', '--ticks', '60'];

/** A program for CodeBall whose robots run after the ball, in a folder of its own. */
function program(name: string, more = '', manifest: object = {}): string {
  const path = join(folder, name);
  mkdirSync(path);
  writeFileSync(join(path, 'bot.json'), JSON.stringify({ name, run: ['node', 'bot.cjs'], worlds: ['codeball'], ...manifest }));
  writeFileSync(
    join(path, 'bot.cjs'),
    `const say = (value) => process.stdout.write(JSON.stringify(value) + '\\n');
     say({ type: 'ready' });
     require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
       const { type, tick, view } = JSON.parse(line);
       if (type !== 'view') return;
       const action = {};
       for (const { id, is_teammate, x, z } of view.robots) {
         if (!is_teammate) continue;
         action[id] = { target_velocity_x: view.ball.x - x, target_velocity_y: 0, target_velocity_z: view.ball.z - z, jump_speed: 0, use_nitro: false };
       }
       const debug = tick % 20 === 0 ? { Text: 'tick ' + tick } : undefined;
       ${more}
       say({ type: 'action', tick, action, debug });
     });`,
  );
  return path;
}

interface Game {
  readonly hash: string;
  readonly ticks: number;
  readonly faults: readonly { readonly kind: string; readonly stderr?: string[]; readonly input?: string }[];
  readonly times: readonly ({ readonly wallMs: number; readonly cpuMs: number | null } | null)[];
}

describe('programs on the command line', () => {
  const runner = program('runner');

  it('a folder with bot.json plays, is recorded and verified; wall and processor time are told, what it drew is kept', async () => {
    const { code, out, err } = await lockstep('match', 'codeball', runner, 'chaser', ...SHORT, '--record', 'p.replay', '--debug-file', 'p.debug', '--json'); // prettier-ignore
    expect([code, err]).toEqual([0, sandbox.kind === null ? `lockstep: ${sandbox.says}: bots run with your own rights\n` : '']);
    const [game] = jsonLines(out) as unknown as Game[];
    expect(game).toMatchObject({ ticks: 60, faults: [], bots: ['runner', 'chaser'], times: [{}, null] });
    expect(game!.times[0]!.wallMs).toBeGreaterThan(0);
    if (process.platform === 'linux') expect(game!.times[0]!.cpuMs).toBeGreaterThanOrEqual(0);
    expect(jsonLines(readFileSync(join(folder, 'p.debug'), 'utf8'))).toEqual([0, 20, 40].map((tick) => ({ seat: 0, tick, debug: { Text: `tick ${tick}` } }))); // prettier-ignore
    expect(await lockstep('replay', 'verify', 'p.replay')).toMatchObject({ code: 0 });
  });

  it('the same bot gives the same game as a program, as a command and as a module', async () => {
    const same = moduleBot('same', 'for (const r of view.robots) if (r.is_teammate) orders[r.id] = { ...still(), target_velocity_x: view.ball.x - r.x, target_velocity_z: view.ball.z - r.z };'); // prettier-ignore
    const hashes = [];
    for (const one of [runner, same, `node ${join(runner, 'bot.cjs')}`]) {
      const { out } = await lockstep('match', 'codeball', one, 'idle', ...SHORT, '--json');
      hashes.push((jsonLines(out)[0] as unknown as Game).hash);
    }
    expect(new Set(hashes).size).toBe(1);
  });

  it('a crash is told with the last words and the last message: exit 3', async () => {
    const crashing = program('crashing', 'if (tick === 7) { console.error("I give up"); process.exit(2); }');
    const json = await lockstep('match', 'codeball', crashing, 'idle', ...SHORT, '--record', 'c.replay', '--json');
    expect(json.code).toBe(3);
    const [game] = jsonLines(json.out) as unknown as Game[];
    expect(game!.faults).toMatchObject([{ seat: 0, tick: 7, kind: 'crash', reason: 'its process ended with exit code 2: I give up', stderr: ['I give up'] }]); // prettier-ignore
    expect(game!.faults[0]!.input).toMatch(/^\{"type":"view","tick":7,"view":\{"current_tick":7,/);
    expect(await lockstep('replay', 'verify', 'c.replay')).toMatchObject({ code: 0 });
    const text = await lockstep('match', 'codeball', crashing, 'idle', ...SHORT);
    expect(text.out).toContain('fault: seat 0 (crashing), tick 7, crash: its process ended with exit code 2: I give up\n  stderr: I give up\n  it was given: {"type":"view"'); // prettier-ignore
  });

  it('plays many games in threads', async () => {
    const { code, out } = await lockstep('match', 'codeball', runner, 'idle', '--seeds', '1..3', '--ticks', '30', '--jobs', '2', '--json');
    expect(code).toBe(0);
    expect(jsonLines(out).map(({ kind }) => kind)).toEqual(['game', 'game', 'game', 'summary']);
  });

  it.each([
    [['match', 'codeball', 'captian', 'idle'], /^lockstep: bot: expected one of captain, .*, the path of a module, a program or a folder with bot.json, or a command \(did you mean captain\?\), got "captian"\n$/], // prettier-ignore
    [['match', 'asteracer', runner], /^lockstep: bot: expected a bot that knows asteracer, got "runner, which knows codeball"\n$/],
    [
      ['match', 'asteracer', 'tcp-31001'],
      /^lockstep: bot: expected a bot for asteracer; the protocol of 2018 is for codeball, got "tcp-31001"\n$/,
    ],
    [['match', 'codeball', runner, 'idle', '--budget', 'banc'], /^lockstep: budget: expected one of none, bank, strikes, gas \(did you mean bank\?\), got "banc"\n$/], // prettier-ignore
    [['match', 'codeball', '.', 'idle'], /^lockstep: .*: expected a folder with bot.json or bot.toml, got "one without"\n$/],
  ])('%j is refused in one line', async (args, line) => {
    const { code, out, err } = await lockstep(...args);
    expect([code, out]).toEqual([2, '']);
    expect(err).toMatch(line);
  });

  it.skipIf(process.platform !== 'linux')('nothing of a match that is interrupted is left', async () => {
    const endless = program('endless', 'if (tick === 3) for (;;);');
    const child = spawn(process.execPath, [BIN, 'match', 'codeball', endless, 'idle', ...SHORT], { cwd: folder, stdio: 'ignore' });
    const running = (): string[] =>
      readdirSync('/proc').filter((pid) => {
        try {
          return /^\d+$/.test(pid) && readFileSync(`/proc/${pid}/cwd/bot.json`, 'utf8').includes('"endless"');
        } catch {
          return false;
        }
      });
    const until = async (done: () => boolean): Promise<void> => {
      for (let i = 0; i < 200 && !done(); i++) await new Promise((next) => setTimeout(next, 50));
    };
    await until(() => running().length > 0);
    expect(running().length).toBeGreaterThan(0);
    child.kill('SIGTERM');
    await new Promise((done) => child.once('exit', done));
    await until(() => running().length === 0);
    expect(running()).toEqual([]);
  });

  it('--require-sandbox refuses where there is none, and plays where there is', async () => {
    expect((await lockstep('match', 'codeball', runner, 'idle', ...SHORT, '--require-sandbox')).code).toBe(sandbox.kind === null ? 2 : 0);
    const bare = join(folder, 'bare');
    mkdirSync(bare);
    const node = spawnSync('ln', ['-s', process.execPath, join(bare, 'node')]);
    expect(node.status).toBe(0);
    const { status, stderr } = spawnSync(process.execPath, [BIN, 'match', 'codeball', runner, 'idle', ...SHORT, '--require-sandbox'], { cwd: folder, env: { PATH: bare }, encoding: 'utf8' }); // prettier-ignore
    expect([status, stderr]).toEqual([2, expect.stringMatching(/^lockstep: require-sandbox: expected a machine with bubblewrap or namespaces, got "no sandbox here \(bwrap is not inst/)]); // prettier-ignore
  });
});

describe('scripts and the doctor', () => {
  it('a script plays the same game as the module that it is', async () => {
    const file = moduleBot('both', 'for (const r of view.robots) if (r.is_teammate) orders[r.id].target_velocity_x = view.ball.z - r.z;');
    const [asModule, asScript] = await Promise.all(
      [file, `script:${file}`].map((one) => lockstep('match', 'codeball', one, 'idle', ...SHORT, '--json')),
    );
    expect([asScript!.code, asScript!.err]).toEqual([0, '']);
    const hash = (out: string): string => (jsonLines(out)[0] as unknown as Game).hash;
    expect(hash(asScript!.out)).toBe(hash(asModule!.out));
  });

  it('doctor shows what this machine offers', async () => {
    const { code, out } = await lockstep('doctor', '--json');
    expect(code).toBe(0);
    const [{ findings }] = jsonLines(out) as [{ findings: { what: string; found: boolean; says: string }[] }];
    expect(findings.find(({ what }) => what === 'sandbox for programs')).toEqual({ what: 'sandbox for programs', found: sandbox.kind !== null, says: sandbox.says }); // prettier-ignore
    expect((await lockstep('doctor')).out).toContain('scripts (QuickJS)');
  });
});

describe('strategies of 2018', () => {
  const strategy = join(folder, 'strategy.cjs');
  writeFileSync(
    strategy,
    `const [host, port, token] = process.argv.slice(2);
     const still = { target_velocity_x: 0, target_velocity_y: 0, target_velocity_z: 5, jump_speed: 0, use_nitro: false };
     const dial = () => {
       const socket = require('node:net').connect(Number(port), host, () => socket.write('json\\n' + token + '\\n'));
       socket.on('error', () => setTimeout(dial, 50)); // the runner may not be there yet
       let first = true;
       require('node:readline').createInterface({ input: socket }).on('error', () => {}).on('line', (line) => {
         if (first) return void (first = false);
         const mine = JSON.parse(line).robots.filter((robot) => robot.is_teammate);
         socket.write(JSON.stringify(Object.fromEntries(mine.map(({ id }) => [id, still]))) + '|[{"Text":"hi"}]\\n<end>\\n');
       });
     };
     dial();`,
  );

  it('are started by us, or come to a port by themselves: the same game, and their drawings', async () => {
    const started = await lockstep('match', 'codeball', `tcp2018:node ${strategy}`, 'idle', ...SHORT, '--json', '--debug-file', 's.debug');
    expect(started.code).toBe(0);
    const port = 40_000 + (process.pid % 20_000);
    const caller = spawn(process.execPath, [strategy, '127.0.0.1', String(port), '0'.repeat(16)], { stdio: 'ignore' });
    const came = await lockstep('match', 'codeball', `tcp-${port}`, 'idle', ...SHORT, '--json');
    caller.kill();
    expect([came.code, came.err]).toEqual([0, `lockstep: tcp-${port}: waiting for a strategy at port ${port}\n`]);
    const [one, two] = [started, came].map(({ out }) => jsonLines(out)[0] as unknown as Game);
    expect([one!.faults, two!.faults]).toEqual([[], []]);
    expect(one!.hash).toBe(two!.hash);
    expect(jsonLines(readFileSync(join(folder, 's.debug'), 'utf8'))).toHaveLength(60);
  });
});

describe('players at WebSockets', () => {
  it('are told where to come, with a token, and play', async () => {
    const child = spawn(process.execPath, [BIN, 'match', 'asteracer', 'ws-0', ...SHORT, '--json'], { cwd: folder });
    const [out, err] = [child.stdout, child.stderr].map((stream) => {
      const said = { text: '' };
      stream.on('data', (more: Buffer) => (said.text += more.toString()));
      return said;
    }) as [{ text: string }, { text: string }];
    await expect
      .poll(() => err.text, { timeout: 60_000 })
      .toMatch(/^lockstep: ws-0: waiting for a player at ws:\/\/127\.0\.0\.1:\d+\/\?token=[0-9a-f]{24}\n$/);
    const socket = new WebSocket(/ws:\S+/.exec(err.text)![0]);
    socket.on('message', (data: Buffer) => {
      const { type, tick } = JSON.parse(data.toString()) as { type: string; tick: number };
      if (type === 'briefing') socket.send('{"type":"ready"}');
      if (type === 'view') socket.send(JSON.stringify({ type: 'action', tick, action: { vx: 1, vy: 0 } }));
    });
    const code = await new Promise((ended) => child.once('exit', ended));
    expect([code, jsonLines(out.text)]).toEqual([0, [expect.objectContaining({ ticks: 60, faults: [], bots: ['ws-0'] })]]);
  });

  it.each([
    ['ws-99999', /^lockstep: bot: expected ws-PORT, ws-HOST:PORT, and \?token=… if you like, got "ws-99999"\n$/],
    ['ws://', /^lockstep: bot: expected an address ws:\/\/host:port\/path, got "ws:\/\/"\n$/],
  ])('%s is refused in one line', async (bot, line) => {
    const { code, err } = await lockstep('match', 'asteracer', bot, ...SHORT);
    expect([code, err]).toEqual([2, expect.stringMatching(line)]);
  });
});

import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { type Budget, BUDGETS, type GameInfo, type SeatBot } from '@lockstep/match';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { Direct } from './direct.ts';
import { FrameWriter } from './frame.ts';
import { eventLoopWentRound, Haste } from './haste.ts';
import { flatten, startProcess } from './index.ts';

const game: GameInfo = { world: 'x', rulesVersion: 1, ticksPerSecond: 1, seats: 1, seed: 1n, config: {}, maxTicks: null, tick: 0 };
/** As quick as a program can be: a line for every line. */
const SED = `sed -u -e '1s/.*/{"type":"ready"}/' -e '1!s/.*/{"action":7}/'`;

function start(script: string, budget: Budget = BUDGETS.bank): Promise<SeatBot> {
  const launch = { command: ['sh', '-c', script], folder: '/', reads: [], network: false };
  return startProcess(launch, { budget, sandbox: null }, {}, 0, game);
}

describe.skipIf(process.platform === 'win32')('answers that come at once', () => {
  it('are fetched without a promise, and still timers have their turn', async () => {
    const bot = await start(SED);
    let atOnce = 0;
    const turns: number[] = [];
    const timer = setInterval(() => turns.push(atOnce), 1);
    for (const end = Date.now() + 50_000; (atOnce < 10 || turns.length < 3) && Date.now() < end;) {
      const answer = bot.act({});
      if (answer instanceof Promise) expect(await answer).toBe(7);
      else {
        expect(answer).toBe(7);
        atOnce++;
      }
    }
    clearInterval(timer);
    await bot.end!(null);
    expect(atOnce).toBeGreaterThanOrEqual(10);
    expect(turns.length).toBeGreaterThanOrEqual(3);
    expect(bot.spent!().wallMs).toBeGreaterThan(0);
  });

  it('a bot that hangs after many of them is stopped in time, with the question that it did not answer', async () => {
    const bot = await start(`${SED} -e 500q; sleep 99`, { ...BUDGETS.bank, tickMs: 300 });
    const play = async (): Promise<void> => {
      for (let tick = 0; tick < 1000; tick++) await bot.act({ tick });
    };
    await expect(play()).rejects.toMatchObject({
      kind: 'timeout',
      message: 'no answer within 0.3 s',
      evidence: { input: '{"type":"view","tick":499,"view":{"tick":499}}' }, // the briefing was its first line
    });
    await bot.end!(null);
  });
});

describe('frames that come in pieces', () => {
  it('are put together, whether the pieces came at once or later', async () => {
    const program = `
      let tick = -1;
      process.stdin.on('data', () => {
        if (tick++ < 0) return process.stdout.write('{"type":"ready","frames":"binary","action":{"a":0,"b":0}}\\n');
        const frame = Buffer.alloc(20);
        frame.writeUInt32LE(16, 0);
        frame.writeDoubleLE(tick - 1, 4);
        frame.writeDoubleLE(-0.5, 12);
        const cut = [2, 4, 7, 20][tick % 4];
        process.stdout.write(frame.subarray(0, cut));
        if (cut < 20) setTimeout(() => process.stdout.write(frame.subarray(cut)), tick % 3);
      });`;
    const launch = { command: [process.execPath, '-e', program], folder: '/', reads: [], network: false };
    const bot = await startProcess(launch, { budget: BUDGETS.bank, sandbox: null }, {}, 0, game);
    for (let tick = 0; tick < 40; tick++) expect(await bot.act({ tick })).toEqual({ a: tick, b: -0.5 });
    await bot.end!(null);
  });
});

describe.skipIf(process.platform === 'win32')('a child past the event loop', () => {
  it('is written to and read from where we stand', () => {
    const child = spawn('cat');
    const direct = new Direct(child.stdin, child.stdout);
    direct.write(Buffer.from('hello'));
    let said: string | null = null;
    for (const end = Date.now() + 30_000; said === null && Date.now() < end;) said = direct.read()?.toString() ?? null;
    child.kill();
    expect(said).toBe('hello');
  });

  it('that does not read for a while gets every byte in its order, however the memory is used meanwhile', async () => {
    const sum = `setTimeout(() => { const sum = require('node:crypto').createHash('sha256'); process.stdin.on('data', (chunk) => sum.update(chunk)).on('end', () => console.log(sum.digest('hex'))); }, 100)`;
    const { stdin, stdout } = spawn(process.execPath, ['-e', sum]);
    const direct = new Direct(stdin, stdout);
    const [expected, bytes] = [createHash('sha256'), new Uint8Array(50_000)];
    for (let i = 0; i < 40; i++) {
      bytes.fill(i);
      expected.update(bytes);
      direct.write(bytes);
    }
    bytes.fill(255);
    stdin.end();
    let said = '';
    for await (const chunk of stdout) said += String(chunk);
    expect(said.trim()).toBe(expected.digest('hex'));
  });

  it('that has ended is left to its streams', async () => {
    const child = spawn('true');
    const direct = new Direct(child.stdin, child.stdout);
    child.stdin.on('error', () => {});
    child.stdout.resume();
    await new Promise((done) => child.on('close', done));
    expect(direct.read()).toBeNull();
    expect(() => direct.write(Buffer.from('hello'))).not.toThrow();
  });
});

describe('haste', () => {
  afterEach(() => vi.restoreAllMocks());

  it('lasts a tenth of a millisecond, rests longer after every failure, and ends when the event loop has to go round', () => {
    let now = 1000;
    vi.spyOn(performance, 'now').mockImplementation(() => now);
    const haste = new Haste();
    eventLoopWentRound();
    const fails = (): number => {
      let rests = 0;
      while (!haste.begin()) rests++;
      expect(haste.goesOn()).toBe(true);
      now += 0.1;
      expect(haste.goesOn()).toBe(false);
      return rests;
    };
    expect([fails(), fails(), fails(), fails()]).toEqual([0, 1, 2, 4]);
    for (let i = 0; i < 8; i++) haste.begin();
    expect(haste.begin()).toBe(true);
    haste.paid();
    expect(haste.begin()).toBe(true);
    now += 10;
    expect(haste.begin()).toBe(false);
    eventLoopWentRound();
    expect(haste.begin()).toBe(true);
  });
});

describe('a frame', () => {
  const view = { a: 1.5, b: true, c: null, list: [{ x: 1 }, { x: 2 }], text: 'ж!', deep: { z: -0 } };
  const doubles = (frame: Uint8Array): number[] => [...new Float64Array(frame.slice(4).buffer)];

  it.each([[view], [Array.from({ length: 1000 }, (_, i) => i)], [null]])('holds its length, the tick and the view', (value) => {
    const writer = new FrameWriter();
    for (const tick of [7, 8]) {
      const frame = writer.view(tick, value);
      expect(doubles(frame)).toEqual(flatten(value, [tick]));
      expect(new DataView(frame.buffer, frame.byteOffset).getUint32(0, true)).toBe(frame.length - 4);
    }
  });

  it('is told by its first hundred doubles; one of no length says that the game is over', () => {
    const writer = new FrameWriter();
    writer.view(7, [1, 2]);
    expect(writer.text).toBe('frame of 4 doubles: 7 2 1 2');
    writer.view(7, new Array(500).fill(0));
    expect(writer.text.split(' ')).toHaveLength(4 + 100);
    expect([...writer.over()]).toEqual([0, 0, 0, 0]);
  });
});

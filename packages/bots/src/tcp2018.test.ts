import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { codeball, type State } from '@lockstep/codeball';
import type { AnyWorld, BotMaker, TickState } from '@lockstep/kernel';
import { BUDGETS, createMatch, type Outcome, playMatch, type Seat } from '@lockstep/match';
import { describe, expect, it } from 'vitest';
import { type Caller, floatText, gameText, numberOf2018, parseWire, rulesText, startTcp2018 } from './index.ts';
import { bench } from './toy.test-support.ts';

const { folder, write } = bench();
const world = codeball.world as AnyWorld;
const vectors = fileURLToPath(new URL('../../../../shared/vectors/codeball/', import.meta.url));
const linesOf = (name: string): string[] => gunzipSync(readFileSync(vectors + name)).toString('utf8').trimEnd().split('\n'); // prettier-ignore
const TOKEN = '0000000000000000';
const still = '"target_velocity_x":0.0,"target_velocity_y":0.0,"target_velocity_z":0.0,"jump_speed":0.0,"use_nitro":false';
const idle = (...ids: number[]): string => `{${ids.map((id) => `"${id}":{${still}}`).join(',')}}`;

type Answer = (line: string, number: number, socket: Socket) => string | null;
interface Drawing {
  readonly seat: number;
  readonly tick: number;
  readonly debug: unknown;
}

/** Connects, says `hello`, then answers every line after the rules. */
function client(port: number, answer: Answer, hello = `json\n${TOKEN}\n`): Socket {
  const socket = connect(port, '127.0.0.1');
  let text = '';
  let number = -1;
  socket.on('error', () => {});
  socket.write(hello);
  socket.on('data', (chunk) => {
    text += chunk.toString('utf8');
    for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n')) {
      const line = text.slice(0, end);
      text = text.slice(end + 1);
      const said = number >= 0 ? answer(line, number, socket) : null;
      number++;
      if (said !== null) socket.write(said);
    }
  });
  return socket;
}

/** A seat at a port, with somebody who will call there. */
function seatFor(onListening: (port: number) => void, startMs = 5000, drawings: Drawing[] = []): Seat {
  const budget = { ...BUDGETS.bank, startMs, tickMs: 2000 };
  const onDebug = (seat: number, tick: number, debug: unknown): void => void drawings.push({ seat, tick, debug });
  const caller: Caller = { port: 0, onListening };
  return {
    name: 'tcp',
    kind: 'tcp2018',
    sha256: null,
    make: (...args) => startTcp2018(caller, { budget, sandbox: null, onDebug }, ...args),
  };
}

const idleSeat: Seat = { name: 'idle', kind: 'builtin', sha256: null, make: codeball.bots['idle']! as BotMaker };
const config = world.readConfig({ ticks: 20 });
const play = async (seat: Seat): Promise<Outcome> => playMatch({ world, config, seed: 5n, seats: [seat, idleSeat] });

describe('the wire of 2018', () => {
  it.each([
    [1, '1.0'],
    [-0, '-0.0'],
    [0.1, '0.1'],
    [1e-5, '0.00001'],
    [9.9e-6, '9.9e-6'],
    [-1.5e-7, '-1.5e-7'],
    [123456789, '123456789.0'],
    [1.5e17, '1.5e17'],
  ])('writes %d as %s', (value, text) => {
    expect(floatText(value)).toBe(text);
  });

  it('reads numbers as the runner did: digits first, then one division', () => {
    expect(numberOf2018('20.636378904189287')).toBe(20.63637890418929);
    expect(numberOf2018('20.636378904189287')).not.toBe(Number('20.636378904189287'));
    expect(numberOf2018('-0.5')).toBe(-0.5);
    expect(numberOf2018('12')).toBe(12);
    expect(numberOf2018('1.5e3')).toBe(1500);
    expect(numberOf2018('184467440737095516159.25')).toBe(184467440737095516160);
    expect(numberOf2018('1e-400')).toBe(0);
    expect(() => numberOf2018('1e400')).toThrow('answer: expected numbers that a double can hold, got "1e400"');
  });

  it('a text in an answer is no number', () => {
    expect(parseWire('{"a":"1.50 \\" 2","b":[1.5,true,null]}')).toEqual({ a: '1.50 " 2', b: [1.5, true, null] });
    expect(() => parseWire('{"a":NaN}')).toThrow('answer: expected JSON, got "{\\"a\\":NaN}"');
  });
});

describe('a strategy of 2018', () => {
  it('is told the rules and the game, answers in both forms; its drawings are kept', async () => {
    const drawings: Drawing[] = [];
    const lines: string[] = [];
    const sphere = '[{"Sphere":{"x":0,"y":1,"z":2,"radius":1,"r":1,"g":0,"b":0,"a":0.5}},\n{"Text":"a | b"}]';
    const answer: Answer = (line, number) => {
      lines.push(line);
      const custom = ['', 'plain text\nof two lines', sphere][number % 4];
      return custom === undefined ? `${idle(1, 2)}\n` : `${idle(1, 2)}|${custom}\n<end>\n`;
    };
    const outcome = await play(seatFor((port) => void client(port, answer), 5000, drawings)); // prettier-ignore
    expect(outcome).toMatchObject({ faults: [], ticks: 20 });
    expect(lines).toHaveLength(20);
    expect(JSON.parse(lines[7]!)).toMatchObject({ current_tick: 7, players: [{ id: 1, me: true }, { id: 2, me: false }], nitro_packs: [] }); // prettier-ignore
    expect(drawings.slice(0, 2)).toEqual([
      { seat: 0, tick: 1, debug: 'plain text\nof two lines' },
      { seat: 0, tick: 2, debug: JSON.parse(sphere) },
    ]);
    expect(drawings).toHaveLength(10);
  });

  it('may be late, and strangers before it are sent away', async () => {
    const outcome = await play(
      seatFor((port) => {
        client(port, () => null, 'GET / HTTP/1.1\r\n\r\n');
        client(port, () => null, 'json\nwrong\n');
        client(port, () => null, '').end();
        setTimeout(() => client(port, () => `${idle(1, 2)}\n`), 100);
      }),
    );
    expect(outcome.faults).toEqual([]);
  });

  it('a second one at the same port is refused', async () => {
    let second: Promise<unknown> = Promise.resolve();
    const outcome = await play(
      seatFor((port) => {
        client(port, (_line, number) => {
          if (number === 3) second = new Promise((done) => connect(port, '127.0.0.1').on('error', done));
          return `${idle(1, 2)}\n`;
        });
      }),
    );
    expect(outcome.faults).toEqual([]);
    expect(await second).toMatchObject({ code: 'ECONNREFUSED' });
  });

  it.each<[name: string, answer: Answer, tick: number, kind: string, reason: RegExp]>([
    [
      'leaves',
      (_line, number, socket) => (number === 4 ? (socket.end(), null) : `${idle(1, 2)}\n`),
      4,
      'disconnect',
      /^it closed the connection$/,
    ],
    [
      'breaks the connection',
      (_line, number, socket) => (number === 4 ? (socket.resetAndDestroy(), null) : `${idle(1, 2)}\n`),
      4,
      'disconnect',
      /^it closed the connection$/,
    ],
    ['talks nonsense', () => 'hello\n', 0, 'protocol', /^answer: expected JSON, got "hello"$/],
    ['answers for the opponent', () => `${idle(1, 2, 3)}\n`, 0, 'illegal', /^action.3: expected only the fields 1, 2/],
    ['forgets a robot', () => `${idle(1)}|\n<end>\n`, 0, 'illegal', /^action.2: expected an object, got nothing$/],
    ['sends NaN', () => `${idle(1, 2).replace('0.0', 'NaN')}\n`, 0, 'protocol', /^answer: expected JSON/],
    ['never ends its drawing', () => `${idle(1, 2)}|text\n`, 0, 'timeout', /^no answer within 2 s$/],
    ['sends too much', () => `${idle(1, 2)}|${'x'.repeat(5e6)}`, 0, 'protocol', /^an answer of more than 4194304 bytes$/],
  ])('that %s is out, and the match goes on', async (_name, answer, tick, kind, reason) => {
    const { faults, ticks } = await play(seatFor((port) => void client(port, answer)));
    expect(ticks).toBe(20);
    expect(faults).toMatchObject([{ seat: 0, tick, kind, reason: expect.stringMatching(reason) as string }]);
  });

  it('that does not come, or not with the token, has not started', async () => {
    expect((await play(seatFor(() => {}, 100))).faults).toMatchObject([{ kind: 'no-start', reason: 'nobody connected within 0.1 s' }]);
    const wrong = seatFor((port) => void client(port, () => null, 'json\nwrong\n'), 300);
    expect((await play(wrong)).faults).toMatchObject([{ kind: 'no-start', reason: '1 called, but not with json and the right token, within 0.3 s' }]); // prettier-ignore
  });

  it('that we start gets host, port and token as its arguments', async () => {
    const file = write(
      'strategy.cjs',
      `const [host, port, token] = process.argv.slice(2);
       const socket = require('node:net').connect(Number(port), host, () => socket.write('json\\n' + token + '\\n'));
       let first = true;
       require('node:readline').createInterface({ input: socket }).on('line', () => {
         if (first) first = false;
         else socket.write(${JSON.stringify(`${idle(1, 2)}|\n<end>\n`)});
       });`,
    );
    const launch = { command: [process.execPath, file], folder, reads: [file], network: false };
    const make: Seat['make'] = (...args) => startTcp2018({ launch }, { budget: BUDGETS.bank, sandbox: null }, ...args);
    expect(await play({ name: 'strategy', kind: 'tcp2018', sha256: null, make })).toMatchObject({ faults: [], ticks: 20 });
    const crash = { ...launch, command: [process.execPath, '-e', 'throw new Error("no")'] };
    const crashing: Seat['make'] = (...args) => startTcp2018({ launch: crash }, { budget: BUDGETS.bank, sandbox: null }, ...args);
    const { faults } = await play({ name: 'strategy', kind: 'tcp2018', sha256: null, make: crashing });
    expect(faults).toMatchObject([{ kind: 'no-start', reason: expect.stringContaining('exit code 1') as string }]);
  });
});

interface Vec {
  readonly x: number;
  readonly y: number;
  readonly z: number;
}
/** One state of the runner's log. */
interface Logged {
  readonly current_tick: number;
  readonly scores: number[];
  readonly robots: { id: number; position: Vec; velocity: Vec; radius: number; nitro: number; last_touch: Vec | null }[];
  readonly nitro_packs: { respawn_ticks: number | null }[];
  readonly ball: { position: Vec; velocity: Vec };
  readonly reset_ticks: number | null;
}
const xyz = ({ x, y, z }: Vec): number[] => [x + 0, y + 0, z + 0];
const rowOf = (log: Logged): unknown[] => [
  log.current_tick,
  log.scores,
  log.robots.map((one) => [
    one.id,
    ...xyz(one.position),
    ...xyz(one.velocity),
    one.radius,
    one.nitro,
    one.last_touch === null ? null : xyz(one.last_touch),
  ]),
  log.nitro_packs.map((pack) => pack.respawn_ticks),
  [...xyz(log.ball.position), ...xyz(log.ball.velocity)],
  log.reset_ticks,
];
/** The same of a state of ours. */
const rowOfState = ({ tick, scoreA, scoreB, order, robots, packs, ball, resetTicks }: State): unknown[] => [
  tick,
  [scoreA, scoreB],
  Array.from(order, (index) => {
    const { id, x, y, z, vx, vy, vz, radius, nitro, touch, nx, ny, nz } = robots[index]!;
    return [id, ...xyz({ x, y, z }), ...xyz({ x: vx, y: vy, z: vz }), radius, nitro, touch ? xyz({ x: nx, y: ny, z: nz }) : null];
  }),
  packs.map(({ respawnTicks }) => (respawnTicks === 0 ? null : respawnTicks)),
  [...xyz({ x: ball.x, y: ball.y, z: ball.z }), ...xyz({ x: ball.vx, y: ball.vy, z: ball.vz })],
  resetTicks === 0 ? null : resetTicks,
];

describe.skipIf(!existsSync(vectors))("the contest's own recordings", () => {
  it.each(['official_g0', 'official_g1'])(
    '%s: two clients on real sockets answer with the recorded texts, every state comes out bit for bit',
    async (name) => {
      const [rulesLine, ...states] = linesOf(`${name}_rawlog.log.gz`);
      const actions = linesOf(`${name}_wire_actions.jsonl.gz`).map((line) => JSON.parse(line) as { p1: string; p2: string });
      const { seed, ...rules } = JSON.parse(rulesLine!) as Record<string, unknown>;
      const views: string[] = [];
      const seats = [
        seatFor((port) => void client(port, (line, tick) => (views.push(line), `${actions[tick]!.p1}|\n<end>\n`))),
        seatFor((port) => void client(port, (_line, tick) => `${actions[tick]!.p2}\n`)),
      ];
      let at = 0;
      const compare = (state: TickState): void => expect(rowOfState(state as State)).toEqual(rowOf(JSON.parse(states[at++]!) as Logged));
      const match = createMatch({
        world,
        config: world.readConfig({ nitro: true, rules }),
        seed: BigInt(seed as number),
        seats,
        witnesses: [{ afterStep: compare }],
      });
      compare(match.state);
      while (match.result === null) await match.stepAsync();
      await match.close();
      expect(match.faults).toEqual([]);
      expect(at).toBe(states.length);
      expect(views).toHaveLength(states.length - 1);
    },
  );

  it('official_g4: what player 1 was sent is sent again, letter by letter (but for the sign of zero)', () => {
    const compact = readdirSync(vectors).find((file) => file.startsWith('official_g4_2v2'))!;
    const [rulesLine, ...records] = linesOf(compact);
    const dump = linesOf('official_g4_p1dump_raw.jsonl.gz');
    const { seed, ...rules } = JSON.parse(rulesLine!) as Record<string, unknown>;
    const game = world.readConfig({ nitro: false, rules });
    const state = world.create(game, BigInt(seed as number));
    const briefing = world.brief(state, 0);
    expect(rulesText(briefing, BigInt(seed as number))).toBe(dump[0]);
    const actionsAt = records.map((line) => JSON.parse(line) as { a?: number[][] }).flatMap(({ a }) => (a === undefined ? [] : [a]));
    let compared = 0;
    for (const [tick, rows] of actionsAt.entries()) {
      const sent = dump[1 + tick];
      if (sent === undefined) break;
      expect(gameText(world.observe(state, 0), briefing)).toBe(sent.replaceAll('-0.0,', '0.0,').replaceAll('-0.0}', '0.0}'));
      compared++;
      const orders = (ids: number[], side: number): object =>
        Object.fromEntries(
          ids.map((id) => {
            const [x, y, z, jump, nitro] = rows[id - 1]! as [number, number, number, number, number];
            return [
              id,
              { target_velocity_x: x, target_velocity_y: y, target_velocity_z: z * side, jump_speed: jump, use_nitro: nitro === 1 },
            ];
          }),
        );
      world.step(state, [world.readAction(orders([1, 2], 1), state, 0), world.readAction(orders([3, 4], -1), state, 1)], []);
    }
    expect(compared).toBeGreaterThan(300);
  });
});

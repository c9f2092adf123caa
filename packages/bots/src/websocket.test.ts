import { connect } from 'node:net';
import { type Budget, BUDGETS, type Outcome, playMatch, type Seat } from '@lockstep/match';
import { afterEach, describe, expect, it } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import { startWebSocket, webSocketPlace, type WebSocketPlace } from './index.ts';
import { steady, toySetup } from './toy.test-support.ts';

const TOKEN = 'secret';
const open: { close(): void }[] = [];
afterEach(() => {
  for (const one of open.splice(0)) one.close();
});

type Message = { readonly type: string; readonly tick: number } & Record<string, unknown>;
type Say = (value: unknown) => void;

/** Plays a match whose first seat is reached by a WebSocket; `meet` is told where. */
async function play(
  meet: (url: string) => void,
  budget: Budget = { ...BUDGETS.bank, startMs: 10_000 },
): Promise<Outcome & { debug: unknown[] }> {
  const debug: unknown[] = [];
  const place: WebSocketPlace = { host: '127.0.0.1', port: 0, token: TOKEN, onListening: meet };
  return { ...(await playAt(place, budget, debug)), debug };
}

function playAt(place: WebSocketPlace, budget: Budget = BUDGETS.bank, debug: unknown[] = []): Promise<Outcome> {
  const options = { budget, sandbox: null, onDebug: (...said: unknown[]) => void debug.push(said) };
  const seat: Seat = { name: 'far', kind: 'websocket', sha256: null, make: (...args) => startWebSocket(place, options, ...args) };
  return Promise.resolve(playMatch(toySetup(seat, steady)));
}

/** A client that adds 1 in every tick; `instead` may do something else, and says so. */
function client(url: string, instead: (message: Message, say: Say, socket: WebSocket) => boolean | void = () => {}): WebSocket {
  const socket = new WebSocket(url);
  open.push(socket);
  speak(socket, instead);
  return socket;
}

function speak(socket: WebSocket, instead: (message: Message, say: Say, socket: WebSocket) => boolean | void = () => {}): void {
  const say = (value: unknown): void => socket.send(typeof value === 'string' ? value : JSON.stringify(value));
  socket.on('error', () => {});
  socket.on('message', (data: Buffer) => {
    const message = JSON.parse(data.toString()) as Message;
    if (instead(message, say, socket) === true) return;
    if (message.type === 'briefing') say({ type: 'ready' });
    if (message.type === 'view') say({ type: 'action', tick: message.tick, action: { add0: 1 } });
  });
}

const faultAt5 = (what: (say: Say, socket: WebSocket) => void) => (url: string) =>
  void client(url, ({ tick }, say, socket) => {
    if (tick !== 5) return false;
    what(say, socket);
    return true;
  });

describe('a player at a WebSocket', () => {
  it('plays the messages of the protocol, from the briefing to the result', async () => {
    const heard: string[] = [];
    const { faults, result, debug } = await play((url) => {
      client(url, ({ type, tick }, say) => {
        heard.push(type);
        if (tick !== 3) return false;
        say({ type: 'action', tick, action: { add0: 1 }, debug: { Text: 'here' } });
        return true;
      });
    });
    expect([faults, result.scores]).toEqual([[], [20, 20]]);
    expect(heard).toEqual(['briefing', ...Array<string>(20).fill('view'), 'result']);
    expect(debug).toEqual([[0, 3, { Text: 'here' }]]);
  });

  it('may speak in frames', async () => {
    const { faults, result } = await play((url) => {
      const socket = new WebSocket(url);
      open.push(socket);
      socket.on('message', (data: Buffer, isBinary) => {
        if (!isBinary) return socket.send(JSON.stringify({ type: 'ready', frames: 'binary', action: { add0: 0 } }));
        if (data.length > 0) socket.send(Buffer.from(Float64Array.of(data.readDoubleLE(8)).buffer));
      });
    });
    expect([faults, result.scores[0]]).toEqual([[], 190]);
  });

  it('that we call plays as well', async () => {
    const server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
    open.push(server);
    server.on('connection', (socket) => speak(socket));
    await new Promise((ready) => server.once('listening', ready));
    const { port } = server.address() as { port: number };
    expect((await playAt({ url: `ws://127.0.0.1:${port}/bot` })).result.scores[0]).toBe(20);
    server.close();
    expect((await playAt({ url: `ws://127.0.0.1:${port}/bot` })).faults).toMatchObject([
      { tick: 0, kind: 'no-start', reason: 'nobody listens there (ECONNREFUSED)' },
    ]);
  });

  it('who comes late is waited for; who does not come is a fault', async () => {
    const { faults, result } = await play((url) => void setTimeout(() => client(url), 400));
    expect([faults, result.scores[0]]).toEqual([[], 20]);
    const alone = await play(() => {}, { ...BUDGETS.bank, startMs: 100 });
    expect(alone.faults).toMatchObject([{ tick: 0, kind: 'no-start', reason: 'nobody connected within 0.1 s' }]);
    expect(alone.result.scores[1]).toBe(20);
  });

  it('without the token, or with a wrong one, or not a WebSocket at all, is sent away; the right one may still come', async () => {
    const answers: unknown[] = [];
    const { faults, result } = await play((url) => {
      const bare = url.replace(/\?.*/, '');
      const said = new Promise<void>((done) => {
        for (const wrong of [bare, `${bare}?token=other`, `${bare}?token=${TOKEN}x`]) {
          const socket = new WebSocket(wrong);
          socket.on('error', (error: Error) => answers.push(error.message) === 3 && done());
        }
      });
      const { port, hostname } = new URL(url);
      connect(Number(port), hostname).on('error', () => {}).end('\0garbage\r\n\r\n'); // prettier-ignore
      void said.then(() => client(url));
    });
    expect(answers).toEqual(Array(3).fill('Unexpected server response: 401'));
    expect([faults, result.scores[0]]).toEqual([[], 20]);
    const alone = await play((url) => void new WebSocket(`${url}x`).on('error', () => {}), { ...BUDGETS.bank, startMs: 1500 });
    expect(alone.faults).toMatchObject([{ kind: 'no-start', reason: 'nobody with the right token (1 without) connected within 1.5 s' }]);
  });

  it('the second at one seat is sent away, the first plays on', async () => {
    let answer = '';
    const { faults, result } = await play((url) => {
      client(url, ({ tick }, say) => {
        if (tick !== undefined || answer !== '') return false;
        new WebSocket(url).on('error', (error: Error) => {
          answer = error.message;
          say({ type: 'ready' });
        });
        return true;
      });
    });
    expect([faults, result.scores[0], answer]).toEqual([[], 20, 'Unexpected server response: 409']);
  });

  it.each<[name: string, what: (say: Say, socket: WebSocket) => void, kind: string, reason: RegExp]>([
    ['leaves', (_say, socket) => socket.close(), 'disconnect', /^it closed the connection$/],
    ['is cut off', (_say, socket) => socket.terminate(), 'disconnect', /^it closed the connection \(1006\)$/],
    ['says garbage', (say) => say('\u0001{{'), 'protocol', /^expected a line of JSON, got /],
    ['says bytes', (_say, socket) => socket.send(Buffer.from([1, 2])), 'protocol', /^a binary message; text is expected$/],
    ['says too much', (say) => say('x'.repeat(1_100_000)), 'protocol', /^a message of more than 1048576 bytes$/],
    [
      'answers for another tick',
      (say) => say({ type: 'action', tick: 9, action: {} }),
      'protocol',
      /^expected an action for tick 5, got 9$/,
    ],
    [
      'answers twice',
      (say) => [1, 2].forEach(() => say({ type: 'action', action: { add0: 1 } })),
      'protocol',
      /^a line that it was not asked for/,
    ],
    ['breaks the rules', (say) => say({ type: 'action', action: { add1: 1 } }), 'illegal', /^action.add1: /],
    ['breaks the frames of WebSockets', (_say, socket) => (socket as unknown as { _socket: { write(bytes: Buffer): void } })._socket.write(Buffer.from([0xff, 0xff])), 'protocol', /^Invalid WebSocket frame/], // prettier-ignore
  ])('that %s is out, and the match goes on', async (_name, what, kind, reason) => {
    const { faults, result } = await play(faultAt5(what));
    expect(faults).toMatchObject([{ seat: 0, kind, reason: expect.stringMatching(reason) as string }]);
    expect([5, 6]).toContain(faults[0]!.tick);
    expect(result.scores[1]).toBe(20);
  });

  it('that is silent is out in time', async () => {
    const { faults } = await play(faultAt5(() => {}), { ...BUDGETS.bank, tickMs: 100 }); // prettier-ignore
    expect(faults).toMatchObject([{ tick: 5, kind: 'timeout', reason: 'no answer within 0.1 s' }]);
  });
});

describe('addresses of WebSockets', () => {
  it.each<[text: string, place: WebSocketPlace | null]>([
    ['ws-8123', { host: '127.0.0.1', port: 8123, token: 'new' }],
    ['ws-0.0.0.0:8123', { host: '0.0.0.0', port: 8123, token: 'new' }],
    ['ws-8123?token=abc', { host: '127.0.0.1', port: 8123, token: 'abc' }],
    ['ws://here:1/x?y=z', { url: 'ws://here:1/x?y=z' }],
    ['wss://there/', { url: 'wss://there/' }],
    ['./ws', null],
  ])('%s', (text, place) => {
    expect(webSocketPlace(text, () => 'new')).toEqual(place);
  });

  it.each(['ws-', 'ws-99999', 'ws-1?token=', 'ws-a b:1', 'ws://'])('%s is refused', (text) => {
    expect(() => webSocketPlace(text, () => '')).toThrow(/^bot: expected /);
  });
});

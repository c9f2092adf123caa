import { timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { InputError, type Result } from '@lockstep/kernel';
import { type Evidence, type GameInfo, Misdeed, type SeatBot, type Spent } from '@lockstep/match';
import { WebSocket, WebSocketServer } from 'ws';
import { flatten, headOf } from './portable/index.ts';
import { type BotOptions, GRACE_MS, MOST_BYTES } from './process-bot.ts';
import { Talk } from './talk.ts';
import { troubleOf } from './trouble.ts';
import { Words } from './words.ts';

/** Whom to wait for at a port of ours, who knows the token; or where a bot waits for us. */
export type WebSocketPlace =
  | { readonly host: string; readonly port: number; readonly token: string; readonly onListening?: (url: string) => void }
  | { readonly url: string };

/** `ws-8123`, `ws-0.0.0.0:8123`, `ws-8123?token=secret`: we listen; `ws://host:port/path`: we call. null: something else. */
export function webSocketPlace(text: string, newToken: () => string): WebSocketPlace | null {
  if (/^wss?:\/\//.test(text)) {
    if (!URL.canParse(text)) throw new InputError('bot', 'an address ws://host:port/path', text);
    return { url: text };
  }
  if (!text.startsWith('ws-')) return null;
  const [, host = '127.0.0.1', port, token] = /^ws-(?:([\w.-]+):)?(\d{1,5})(?:\?token=([\w.~-]{1,200}))?$/.exec(text) ?? [];
  if (port === undefined || Number(port) > 65_535) throw new InputError('bot', 'ws-PORT, ws-HOST:PORT, and ?token=… if you like', text);
  return { host, port: Number(port), token: token ?? newToken() };
}

/** A bot or a person in a browser or far away: the messages of our protocol, one each. */
export async function startWebSocket(
  place: WebSocketPlace,
  options: BotOptions,
  briefing: unknown,
  seat: number,
  game: GameInfo,
): Promise<SeatBot> {
  const bot = new WebSocketBot(options, seat, game);
  try {
    if ('url' in place) bot.call(place.url);
    else await bot.listen(place);
    await bot.begin(briefing);
  } catch (error) {
    await bot.end(null);
    throw error;
  }
  return bot;
}

class WebSocketBot implements SeatBot {
  private readonly talk: Talk;
  private readonly words: Words;
  private readonly options: BotOptions;
  private readonly seat: number;
  private readonly game: GameInfo;
  private readonly door = new WebSocketServer({ noServer: true, maxPayload: MOST_BYTES, perMessageDeflate: false });
  private server: Server | null = null;
  private socket: WebSocket | null = null;
  private sentAway = 0;
  /** Said as soon as somebody is there. */
  private first = '';

  constructor(options: BotOptions, seat: number, game: GameInfo) {
    this.options = options;
    this.seat = seat;
    this.game = game;
    this.talk = new Talk(null, options.budget, game, () => this.hangUp());
    this.words = new Words(this.talk, seat, game.tick, options.onDebug, () => {});
  }

  call(url: string): void {
    this.take(new WebSocket(url, { maxPayload: MOST_BYTES, perMessageDeflate: false }));
  }

  async listen({ host, port, token, onListening }: Exclude<WebSocketPlace, { url: string }>): Promise<void> {
    const server = createServer((_request, response) => response.writeHead(426).end('a WebSocket is expected here\n'));
    this.server = server;
    await new Promise<void>((resolve, reject) => {
      server.once('error', (error: NodeJS.ErrnoException) => reject(new Misdeed('no-start', `${host}:${port}: ${troubleOf(error)}`)));
      server.listen(port, host, resolve);
    });
    server.on('upgrade', (request, socket, head) => this.greet(request, socket, head, token));
    const { port: open } = server.address() as AddressInfo;
    onListening?.(`ws://${host}:${open}/?token=${token}`);
  }

  async begin(briefing: unknown): Promise<void> {
    this.first = JSON.stringify({ ...headOf(this.game, this.seat), briefing });
    if (this.socket?.readyState === WebSocket.OPEN) this.say(this.first);
    await this.talk.waitForStart(() => {
      const seconds = this.options.budget.startMs! / 1000;
      if (this.socket !== null) return `not ready within ${seconds} s`;
      return `${this.sentAway > 0 ? `nobody with the right token (${this.sentAway} without)` : 'nobody'} connected within ${seconds} s`;
    });
    this.server?.close(); // the seat is taken
  }

  act(view: unknown): unknown {
    if (this.talk.misdeed !== null) throw this.talk.misdeed;
    const tick = this.words.nextTick();
    if (this.words.frames === null) this.say(JSON.stringify({ type: 'view', tick, view }));
    else this.sayFrame(flatten(view, [tick]));
    this.talk.ask();
    return this.talk.take();
  }

  evidence(): Evidence {
    return this.talk.evidence();
  }

  spent(): Spent {
    return this.talk.spent();
  }

  async end(result: Result | null): Promise<void> {
    const clean = this.talk.close() && result !== null;
    const { socket } = this;
    if (clean && socket !== null) {
      if (this.words.frames === null) this.say(JSON.stringify({ type: 'result', seat: this.seat, result }));
      else this.sayFrame([]);
      await closed(socket);
    }
    this.hangUp();
    this.server?.closeAllConnections();
    this.server?.close();
    this.door.close();
  }

  private hangUp(): void {
    this.socket?.terminate();
  }

  /** Who knows the token and is the first has the seat; the others are told why not, and it goes on being waited for. */
  private greet(request: IncomingMessage, socket: Duplex, head: Buffer, token: string): void {
    socket.on('error', () => socket.destroy());
    const given = new URL(request.url ?? '/', 'ws://here').searchParams.get('token') ?? '';
    if (!sameText(given, token)) {
      this.sentAway++;
      return refuse(socket, '401 Unauthorized', 'wrong token');
    }
    if (this.socket !== null || this.talk.misdeed !== null) return refuse(socket, '409 Conflict', 'the seat is taken');
    this.door.handleUpgrade(request, socket, head, (open) => this.take(open));
  }

  private take(socket: WebSocket): void {
    if (this.socket !== null || this.talk.misdeed !== null) return socket.terminate();
    this.socket = socket;
    socket.on('open', () => this.first !== '' && this.say(this.first));
    socket.on('message', (data, isBinary) => this.hear(data as Buffer, isBinary));
    socket.on('error', (error: NodeJS.ErrnoException) => this.failed(error));
    socket.on('close', (code) => this.left(code === NO_REASON ? 'it closed the connection' : `it closed the connection (${code})`));
    if (socket.readyState === WebSocket.OPEN && this.first !== '') this.say(this.first);
  }

  private failed(error: NodeJS.ErrnoException): void {
    if (error.code === 'WS_ERR_UNSUPPORTED_MESSAGE_LENGTH')
      return this.talk.accuse('protocol', `a message of more than ${MOST_BYTES} bytes`);
    if (error.code?.startsWith('WS_ERR') === true) return this.talk.accuse('protocol', error.message);
    this.left(troubleOf(error));
  }

  private left(reason: string): void {
    this.talk.accuse(this.words.isReady ? 'disconnect' : 'no-start', reason);
  }

  private hear(data: Buffer, isBinary: boolean): void {
    if (this.talk.misdeed !== null) return;
    if (!isBinary && this.words.frames === null) return this.words.hear(data.toString('utf8'));
    if (!isBinary || this.words.frames === null)
      return this.talk.accuse('protocol', isBinary ? 'a binary message; text is expected' : 'a text; a frame is expected');
    if (data.length % 8 !== 0) return this.talk.accuse('protocol', `a frame of ${data.length} bytes; doubles are expected`);
    this.words.hearFrame(data);
  }

  private say(text: string): void {
    this.talk.input = () => text;
    this.socket!.send(text);
  }

  /** As on stdin, but for the length, which a message has by itself. */
  private sayFrame(row: readonly number[]): void {
    if (row.length > 0) this.talk.input = () => `frame of ${row.length} doubles: ${row.slice(0, 100).join(' ')}`;
    this.socket!.send(Buffer.from(Float64Array.from(row).buffer)); // little-endian wherever Node runs
  }
}

/** A close without a word. */
const NO_REASON = 1005;

function refuse(socket: Duplex, status: string, why: string): void {
  socket.end(`HTTP/1.1 ${status}\r\nContent-Type: text/plain\r\nConnection: close\r\nContent-Length: ${why.length + 1}\r\n\r\n${why}\n`);
}

function sameText(a: string, b: string): boolean {
  const [one, two] = [Buffer.from(a), Buffer.from(b)];
  return one.length === two.length && timingSafeEqual(one, two);
}

async function closed(socket: WebSocket): Promise<void> {
  if (socket.readyState === WebSocket.CLOSED) return;
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, GRACE_MS);
    socket.once('close', () => {
      clearTimeout(timer);
      resolve();
    });
    socket.close(1000);
  });
}

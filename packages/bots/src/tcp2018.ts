import { randomBytes } from 'node:crypto';
import { createServer, type Server, type Socket } from 'node:net';
import { InputError, type Result, shown } from '@lockstep/kernel';
import { type Evidence, type GameInfo, Misdeed, type SeatBot, type Spent } from '@lockstep/match';
import { Lines } from './lines.ts';
import { type BotOptions, GRACE_MS } from './process-bot.ts';
import { checkProgram, endOf, Program } from './program.ts';
import type { Launch } from './sandbox.ts';
import { Talk } from './talk.ts';
import { troubleOf } from './trouble.ts';
import { gameText, parseWire, rulesText } from './wire2018.ts';

/** The protocol is this world's own: the contest of 2018. */
export const WORLD_OF_2018 = 'codeball';
const HOST = '127.0.0.1';
const DEFAULT_TOKEN = '0'.repeat(16);
const MOST_BYTES = 4 * 1024 * 1024;
const END = '<end>';

/** Who is to connect: a program that we start with `host port token` as its last arguments, or somebody by himself at this port. */
export type Caller = { readonly launch: Launch } | { readonly port: number; readonly onListening?: (port: number) => void };

/** Listens, as the contest's runner did, and waits until the strategy has connected and said who it is. */
export async function startTcp2018(caller: Caller, options: BotOptions, briefing: unknown, seat: number, game: GameInfo): Promise<SeatBot> {
  const started = 'launch' in caller;
  if (started) checkProgram(caller.launch);
  const server = await listen(started ? 0 : caller.port);
  const { port } = server.address() as { port: number };
  if (!started) caller.onListening?.(port);
  const token = started ? randomBytes(8).toString('hex') : DEFAULT_TOKEN;
  const launch = started ? { ...caller.launch, command: [...caller.launch.command, HOST, String(port), token], network: true } : null;
  const bot = new TcpBot(server, token, launch, options, seat, game);
  try {
    await bot.begin(briefing);
  } catch (error) {
    await bot.end(null);
    throw error;
  }
  return bot;
}

function listen(port: number): Promise<Server> {
  const server = createServer();
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(new Misdeed('no-start', `port ${port}: ${troubleOf(error)}`)));
    server.listen(port, HOST, () => resolve(server));
  });
}

class TcpBot implements SeatBot {
  private readonly server: Server;
  private readonly token: string;
  private readonly program: Program | null;
  private readonly talk: Talk;
  private readonly options: BotOptions;
  private readonly seat: number;
  private readonly seed: bigint;
  /** All who have called and have not been sent away. */
  private readonly sockets = new Set<Socket>();
  /** The strategy, once it has said its token. */
  private socket: Socket | null = null;
  private sentAway = 0;
  private tick: number;
  private rules: unknown = null;
  /** The lines so far of an answer whose end has not come. */
  private parts: string[] = [];
  private mayEnd = false;

  constructor(server: Server, token: string, launch: Launch | null, options: BotOptions, seat: number, game: GameInfo) {
    this.server = server;
    this.token = token;
    this.options = options;
    this.seat = seat;
    this.seed = game.seed;
    this.tick = game.tick;
    this.program = launch === null ? null : new Program(launch, options.budget, options.sandbox);
    this.talk = new Talk(this.program, options.budget, game, () => this.hangUp());
    server.on('connection', (socket) => this.greet(socket));
    this.program?.stdout.resume();
    void this.program?.exited.then(() => this.left());
  }

  async begin(briefing: unknown): Promise<void> {
    await this.talk.waitForStart(() => {
      const who = this.sentAway > 0 ? `${this.sentAway} called, but not with json and the right token,` : 'nobody connected';
      return `${who} within ${this.options.budget.startMs! / 1000} s`;
    });
    this.server.close(); // the seat is taken: whoever else calls is refused
    this.rules = briefing;
    this.say(rulesText(briefing, this.seed));
  }

  act(view: unknown): unknown {
    if (this.talk.misdeed !== null) throw this.talk.misdeed;
    this.tick++;
    this.say(gameText(view, this.rules));
    this.talk.ask();
    return this.talk.take();
  }

  evidence(): Evidence {
    return this.talk.evidence();
  }

  spent(): Spent {
    return this.talk.spent();
  }

  /** Strategies leave when the connection ends. */
  async end(_result: Result | null): Promise<void> {
    const clean = this.talk.close();
    if (clean) this.socket?.end();
    else this.hangUp();
    this.server.close();
    await this.program?.end(clean ? GRACE_MS : 0);
    this.hangUp();
  }

  private hangUp(): void {
    for (const socket of this.sockets) socket.destroy();
    this.sockets.clear();
  }

  private say(text: string): void {
    this.talk.input = () => text;
    this.socket!.write(`${text}\n`);
  }

  /** A caller says `json` and the token, each on a line. Strangers are sent away; the strategy may still come. */
  private greet(socket: Socket): void {
    this.sockets.add(socket);
    socket.setNoDelay(true);
    let saidJson = false;
    const lines = new Lines(
      MOST_BYTES,
      (line) => {
        if (this.socket === socket) return this.hear(line);
        if (saidJson && line === this.token && this.socket === null) return this.take(socket);
        if (saidJson || line !== 'json') this.sendAway(socket);
        saidJson = true;
      },
      () => {
        if (this.socket === socket) this.talk.accuse('protocol', `an answer of more than ${MOST_BYTES} bytes`);
        else this.sendAway(socket);
      },
    );
    const over = (): void => {
      lines.stop();
      if (this.socket === socket) void this.left();
      else this.sendAway(socket);
    };
    socket.on('data', (chunk) => lines.take(chunk));
    socket.on('end', over);
    socket.on('error', over);
  }

  private take(socket: Socket): void {
    if (this.talk.misdeed !== null) return;
    this.socket = socket;
    this.talk.started();
  }

  private sendAway(socket: Socket): void {
    if (this.sockets.delete(socket)) this.sentAway++;
    socket.destroy();
  }

  /** `ACTIONS|CUSTOM` up to a line `<end>`, where CUSTOM may have many lines; or, as the first language packs did, just `ACTIONS`. */
  private hear(line: string): void {
    const { talk } = this;
    if (talk.misdeed !== null) return;
    const early = this.mayEnd && line === END;
    this.mayEnd = false;
    if (early) return;
    if (!talk.isAsked) return talk.accuse('protocol', `a line that it was not asked for: ${shown(line)}`);
    if (this.parts.length === 0 && !line.includes('|')) {
      this.mayEnd = true;
      return this.answer(line, '');
    }
    if (line !== END) return void this.parts.push(line);
    const all = this.parts.join('\n');
    this.parts = [];
    const bar = all.indexOf('|');
    this.answer(all.slice(0, bar), all.slice(bar + 1));
  }

  private answer(actions: string, custom: string): void {
    try {
      const action = parseWire(actions);
      if (custom !== '') this.options.onDebug?.(this.seat, this.tick - 1, drawingOf(custom));
      this.talk.answer(action);
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      this.talk.accuse('protocol', error.message);
    }
  }

  /** The connection or the process has ended. */
  private async left(): Promise<void> {
    if (this.talk.misdeed !== null) return;
    const program = this.program === null ? null : await endOf(this.program);
    if (program === null) return this.talk.accuse('disconnect', 'it closed the connection');
    this.talk.accuse(this.socket === null ? 'no-start' : program.kind, program.reason);
  }
}

/** Shapes as data; plain text as text. */
function drawingOf(custom: string): unknown {
  try {
    return JSON.parse(custom);
  } catch {
    return custom;
  }
}

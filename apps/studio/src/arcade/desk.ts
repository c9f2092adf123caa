import type { Json } from '@lockstep/kernel';
import { type Config, pinball, type Point } from '@lockstep/pinball';
import { computed, type ReadonlySignal, signal } from '@preact/signals';
import type { FieldLine, Shot as Sight, TimedEvent } from '../protocol.ts';
import { listFields } from '../run.ts';
import { freshSeed } from '../shell.ts';
import { seekMarkOf, speedBeside, type Tape } from '../tape.ts';
import { Clerk, sheetOf } from './clerk.ts';
import { Game } from './game.ts';
import { Gamepads } from './gamepad.ts';
import { Hands } from './hands.ts';
import type { Reading } from './protocol.ts';
import { Script } from './script.ts';
import { Sound } from './sound.ts';

const { world, stage } = pinball;
const TPS = world.ticksPerSecond;

/** A bot plays this many ticks ahead of what is seen, so that a hard thought of its does not stop the picture. */
const BOT_AHEAD = 3 * TPS;
/** So many ticks of play between two checks. */
const CHECK_EVERY = TPS / 2;
/** Seconds after the end of a game until a bot shows how it is done. */
const IDLE_SECONDS = 15;
/** Time runs back twice as fast as it ran. */
const REWIND = 2;
/** In frames longer than this, in seconds, presses belong to the first tick: they are no longer the clock's. */
const LONGEST_FRAME = 0.05;
/** A wall sounds when a ball's speed changes by so much, in table units a second. */
const LOUD = 40;

/** Who plays at the head: a person, a bot, or nobody: then it is only looked at. */
export type Seat = 'person' | 'bot' | 'nobody';

/** A line of play: the game, or what it might have been. */
export interface Branch {
  readonly name: number;
  readonly game: Game;
  /** The tick from which on it is its own. */
  readonly from: number;
}

/** The playhead of a machine: it plays, goes back, takes over, and lets a second machine check every tick. */
export class Desk implements Tape {
  readonly hands = new Hands();
  readonly sound = new Sound();
  readonly game: ReadonlySignal<Game>;
  readonly branches = signal<readonly Branch[]>([]);
  readonly branch = signal(0);
  /** What went on without what is played now. */
  readonly ghost = signal<Game | null>(null);
  readonly seat = signal<Seat>('bot');
  /** A bot plays until somebody comes. */
  readonly attract = signal(true);
  /** The table is being made: balls without end, and nothing to verify. */
  readonly tinkering = signal(false);
  readonly rewinding = signal(false);
  /** How often this game was taken back: honest lists say so. */
  readonly rewinds = signal(0);
  /** Raised with every frame in which something may have moved. */
  readonly frames = signal(0);
  readonly tick = signal(0);
  readonly head = signal(0);
  readonly verified = signal(-1);
  readonly diverged = signal<number | null>(null);
  readonly playing = signal(true);
  readonly speed = signal<number>(1);
  readonly over = signal(false);
  readonly marks = signal<readonly TimedEvent[]>([]);
  readonly fields = signal<{ readonly tick: number; readonly lines: readonly FieldLine[] } | null>(null);
  readonly metrics = new Map<number, Readonly<Record<string, number>>>();
  readonly shown: ReadonlySignal<Sight | null>;
  readonly info: Tape['info'];
  /** Milliseconds of physics in a frame: the middle one of the last sixty. */
  readonly cost = signal(0);
  /** The config as it goes by post. */
  config: Json;
  /** Called when a game that a person played is over. */
  ended: (() => void) | null = null;

  private at = 0;
  private idle = 0;
  private readonly clerk: Clerk;
  /** Bots think in a worker of their own: they must not keep anybody waiting. */
  private readonly thinker: Clerk;
  private run = 0;
  private sent = 0;
  private checkedTo = -1;
  private known = 0;
  private readonly spent = new Float64Array(60);
  private frameCount = 0;
  /** How far each game was played a second time. */
  private readonly proven = new WeakMap<Game, number>();
  private readonly pads: Gamepads;
  private readonly speeds: Float64Array[] = [];

  constructor(config: Json) {
    this.config = config;
    this.game = computed(() => this.branches.value[this.branch.value]!.game);
    this.shown = computed(() => {
      const { state, hash } = this.current;
      return { scene: stage.scene(state), hash };
    });
    this.info = computed(() => ({ ticksPerSecond: TPS, length: null, keyframeEvery: 125 }));
    this.clerk = new Clerk((report) => {
      if (report.type !== 'checked' || report.run !== this.run) return;
      if (!report.ok) return void (this.diverged.value ??= report.head);
      this.verified.value = Math.max(this.verified.value, report.head);
      this.proven.set(this.game.peek(), this.verified.value);
    });
    this.thinker = new Clerk((report) => {
      if (report.type !== 'played' || report.run !== this.run || this.seat.peek() !== 'bot') return;
      this.game.peek().script.append(report.rows);
      this.known = report.head;
    });
    this.pads = new Gamepads(this.hands, {
      start: () => (this.attract.peek() || this.over.peek() ? this.start() : this.toggle()),
      rewind: (on) => (on ? this.rewind() : this.stopRewind()),
      any: () => this.wakeUp(),
    });
    this.show();
  }

  /** The game as this frame shows it: whoever computes with it does so again in the next one. */
  get current(): Game {
    void this.frames.value;
    return this.game.value;
  }
  get machine(): Config['machine'] {
    return this.game.peek().config.machine;
  }
  /** A person plays right now: the keyboard is the machine's. */
  get isLive(): boolean {
    return this.seat.peek() === 'person' && this.playing.peek() && !this.over.peek() && this.game.peek().atHead;
  }

  private begin(game: Game): void {
    this.branches.value = [{ name: 0, game, from: 0 }];
    this.branch.value = 0;
    this.ghost.value = null;
    this.rewinds.value = 0;
    this.metrics.clear();
    this.look(game);
  }

  /** Another game, or another line of it, is on the table. */
  private look(game: Game): void {
    this.run++;
    this.sent = 0;
    this.checkedTo = -1;
    this.verified.value = this.proven.get(game) ?? -1;
    this.diverged.value = null;
    this.at = game.tick;
    this.known = game.head;
    this.idle = 0;
    this.rewinding.value = false;
    this.hands.letGo();
    this.publish();
  }

  /** A bot plays until somebody comes. */
  show(): void {
    this.begin(new Game(world.readConfig(this.config), freshSeed()));
    this.tinkering.value = false;
    this.attract.value = true;
    this.employ();
    this.speed.value = 1;
    this.playing.value = true;
  }

  /** The bot plays on from the head of the game. */
  private employ(): void {
    this.seat.value = 'bot';
    const game = this.game.peek();
    this.known = game.head;
    this.thinker.send({ type: 'bot', run: this.run, sheet: sheetOf(game, this.config) });
    this.thinker.send({ type: 'until', run: this.run, tick: game.head + BOT_AHEAD });
  }

  /** A new game for a person. */
  start(seed = freshSeed()): void {
    this.begin(new Game(world.readConfig(this.config), seed));
    this.tinkering.value = false;
    this.attract.value = false;
    this.seat.value = 'person';
    this.speed.value = 1;
    this.playing.value = true;
    this.sound.wake();
  }

  /** Somebody came while a bot showed the game, or after its end: true if that began a new one. */
  wakeUp(): boolean {
    this.idle = 0;
    if (!this.attract.peek()) return false;
    this.start();
    return true;
  }

  /** Another table, or the same one changed. */
  useTable(config: Json): void {
    world.readConfig(config);
    this.config = config;
    this.show();
  }

  /** The table is being changed under the balls: they roll on. Such a game is nobody's but the table's, and is not checked. */
  tinker(config: Json, ball: Point | null = null): void {
    const game = new Game(world.readConfig(config), this.game.peek().seed);
    game.carry(this.game.peek(), ball);
    this.config = config;
    this.begin(game);
    this.attract.value = false;
    this.tinkering.value = true;
    this.seat.value = 'person';
  }

  /** A game that was played, to be watched from its start. */
  watch({ config, seed, rows, ticks }: Reading): void {
    this.config = config;
    const game = Game.played(world.readConfig(config), seed, Script.of(rows), ticks);
    game.moveTo(0);
    this.proven.set(game, ticks); // whoever read it has played it again
    this.begin(game);
    this.attract.value = false;
    this.seat.value = 'nobody';
    this.speed.value = 1;
    this.playing.value = true;
  }

  /** A person plays from the tick that is shown: what came after it is forgotten, or goes on as a ghost. */
  takeOver(asBranch: boolean): void {
    const game = this.game.peek();
    if (game.result !== null) return;
    const copy = game.fork();
    const branches = this.branches.peek();
    const mine = { name: asBranch ? Math.max(...branches.map(({ name }) => name)) + 1 : branches[this.branch.peek()]!.name };
    const made: Branch = { ...mine, game: copy, from: game.tick };
    if (game.tick < game.head || !this.isLive) this.rewinds.value++;
    this.ghost.value = asBranch ? game : null;
    this.branches.value = asBranch ? [...branches, made] : branches.with(this.branch.peek(), made);
    if (asBranch) this.branch.value = branches.length;
    this.attract.value = false;
    this.seat.value = 'person';
    this.playing.value = true;
    this.look(copy);
    this.sound.wake();
  }

  /** The bot takes the seat from here on. */
  handOver(): void {
    if (this.game.peek().result !== null) return;
    if (!this.game.peek().atHead) this.takeOver(false);
    this.run++;
    this.sent = 0;
    this.employ();
    this.playing.value = true;
    this.publish();
  }

  chooseBranch(index: number): void {
    const { game } = this.branches.peek()[index]!;
    this.branch.value = index;
    this.ghost.value = null;
    this.seat.value = 'nobody';
    this.look(game);
  }

  toggle(): void {
    this.playing.value = !this.playing.value;
    if (this.playing.value) this.idle = 0;
    else this.hands.letGo();
    if (this.playing.value && this.over.peek() && this.game.peek().atHead) this.seek(0);
    else this.publish();
  }

  seek(tick: number): void {
    const game = this.game.peek();
    game.moveTo(Math.max(0, Math.min(Math.round(tick), game.head)));
    this.at = game.tick;
    // Who looks back does not play on by accident.
    if (this.seat.peek() === 'person' && !game.atHead) this.playing.value = false;
    this.publish();
  }

  step(ticks: number): void {
    this.playing.value = false;
    const game = this.game.peek();
    const to = Math.max(0, game.tick + ticks);
    while (to > game.head && this.mayAdvance(game)) this.oneTick(game, Infinity);
    this.seek(to);
  }

  faster(steps: number): void {
    this.speed.value = speedBeside(this.speed.value, steps);
  }

  seekMark(direction: -1 | 1): void {
    seekMarkOf(this, direction);
  }

  askFields(): void {
    const { state, tick, config } = this.game.peek();
    const lines: FieldLine[] = [];
    listFields(state, '', config, lines);
    this.fields.value = { tick, lines };
  }

  /** Time runs back as long as this is held. */
  rewind(): void {
    if (this.attract.peek() || this.rewinding.peek() || this.game.peek().head === 0) return;
    this.rewinding.value = true;
    this.playing.value = true;
  }

  /** From where time was stopped a person goes on; what came after it never was. */
  stopRewind(): void {
    if (!this.rewinding.peek()) return;
    this.rewinding.value = false;
    if (this.seat.peek() === 'person') this.takeOver(false);
    else this.publish();
  }

  pass(seconds: number): void {
    this.pads.poll();
    this.sound.newFrame();
    const now = performance.now();
    if (this.rewinding.peek()) this.passBack(seconds);
    else if (this.playing.peek()) this.passOn(seconds, now);
    this.passIdle(seconds);
    this.meter(performance.now() - now);
    const ghost = this.ghost.peek();
    if (ghost !== null) ghost.moveTo(Math.min(this.game.peek().tick, ghost.head));
    this.publish();
  }

  private passBack(seconds: number): void {
    const game = this.game.peek();
    this.at = Math.max(0, this.at - seconds * TPS * REWIND);
    game.moveTo(Math.min(Math.round(this.at), game.head));
  }

  private passOn(seconds: number, now: number): void {
    const game = this.game.peek();
    const from = game.tick;
    const ticks = seconds * TPS * this.speed.peek();
    this.at += ticks;
    const to = Math.floor(this.at);
    const length = seconds > LONGEST_FRAME ? -1 : (seconds * 1000) / Math.max(1, to - from);
    while (game.tick < to) {
      if (game.tick < game.head) this.replayTick(game);
      else if (this.mayAdvance(game)) this.oneTick(game, length < 0 ? Infinity : now - length * (to - game.tick - 1));
      else break;
    }
    if (game.tick < to) this.at = game.tick;
    if (this.seat.peek() === 'bot') this.thinker.send({ type: 'until', run: this.run, tick: game.tick + BOT_AHEAD });
    if (game.atHead && (this.seat.peek() === 'nobody' || game.result !== null)) this.stop(game);
  }

  private stop(game: Game): void {
    if (this.tinkering.peek()) return this.tinker(this.config);
    this.playing.value = false;
    if (game.result === null || this.over.peek()) return;
    this.over.value = true;
    this.check();
    if (this.seat.peek() === 'person') this.ended?.();
  }

  private mayAdvance(game: Game): boolean {
    if (game.result !== null) return false;
    return this.seat.peek() === 'person' || (this.seat.peek() === 'bot' && game.head < this.known);
  }

  /** The next tick at the head. A press belongs to the tick of its moment. */
  private oneTick(game: Game, moment: number): void {
    if (this.seat.peek() === 'bot') game.advance();
    else {
      const hand = this.hands.next(moment);
      this.clack(game, hand.left, hand.right);
      game.advance(hand);
    }
    this.hear(game);
    if (game.head - this.checkedTo >= CHECK_EVERY) this.check();
  }

  private replayTick(game: Game): void {
    game.moveTo(game.tick + 1);
    this.hear(game);
  }

  private flipped = 0;

  private clack({ state }: Game, left: boolean, right: boolean): void {
    const now = Number(left) + 2 * Number(right);
    if ((now & ~this.flipped) !== 0 && !state.tilted) this.sound.play('flipper');
    this.flipped = now;
  }

  /** Events, and the knock of a ball that something turned. */
  private hear({ told, state, config, balls }: Game): void {
    if (!this.sound.on.peek() || this.speed.peek() > 1) return;
    this.sound.hear(told, config.machine.layout);
    const { vx, vy, status } = state.physics;
    for (let i = 0; i < balls; i++) {
      const before = (this.speeds[i] ??= new Float64Array(2));
      const turned = Math.abs(vx[i]! - before[0]!) + Math.abs(vy[i]! - before[1]!);
      if (status[i] === 1 && turned > LOUD && told.length === 0) this.sound.play('wall', Math.min(1, turned / 300));
      before[0] = vx[i]!;
      before[1] = vy[i]!;
    }
  }

  /** After a game a bot shows how it is done, again and again, until somebody comes. */
  private passIdle(seconds: number): void {
    if (!this.over.peek()) return;
    this.idle += seconds;
    if (this.idle >= (this.attract.peek() ? 4 : IDLE_SECONDS) && (this.attract.peek() || this.game.peek().atHead)) this.show();
  }

  private meter(ms: number): void {
    this.spent[this.frameCount++] = ms;
    if (this.frameCount < this.spent.length) return;
    this.frameCount = 0;
    this.cost.value = this.spent.sort()[this.spent.length >> 1]!;
  }

  /** The worker plays what is new from what was done alone, and compares. */
  private check(): void {
    const game = this.game.peek();
    if (!game.atHead || game.head === this.checkedTo || this.tinkering.peek()) return;
    this.checkedTo = game.head;
    const rows = game.script.until(game.head);
    this.clerk.send({
      type: 'check',
      run: this.run,
      config: this.config,
      seed: game.seed,
      keep: this.sent,
      more: rows.from(this.sent),
      head: game.head,
      hash: game.hash,
    });
    this.sent = rows.length;
  }

  /** What the page shows, as signals. */
  private publish(): void {
    const game = this.game.peek();
    this.tick.value = game.tick;
    this.head.value = game.head;
    const over = game.result !== null;
    if (over !== this.over.peek() && !(over && this.playing.peek())) this.over.value = over;
    if (this.marked !== game.events.length || this.markedIn !== game) this.publishMarks(game);
    this.metrics.set(game.tick, { score: game.state.score, 'balls left': game.state.ballsLeft, multiplier: game.state.multiplier });
    if (!this.playing.peek() && game.atHead) this.check();
    this.frames.value++;
  }

  private marked = -1;
  private markedIn: Game | null = null;

  /** Switches close too often to be marked; what they lead to is. */
  private publishMarks(game: Game): void {
    this.marked = game.events.length;
    this.markedIn = game;
    const worth = game.events.filter(({ event: { kind } }) => kind !== 'switch' && kind !== 'serve' && kind !== 'kick');
    if (worth.length !== this.marks.peek().length || worth.at(-1) !== this.marks.peek().at(-1)) this.marks.value = worth;
  }

  /** The game so far as a replay file. */
  async replay(name: string): Promise<Uint8Array<ArrayBuffer>> {
    const times = this.rewinds.peek();
    const person = name === '' ? 'person' : name;
    const player = this.seat.peek() === 'bot' ? 'wizard' : times === 0 ? person : `${person} (${times} × ↶)`;
    return this.clerk.write(sheetOf(this.game.peek(), this.config), player);
  }

  read(bytes: Uint8Array<ArrayBuffer>, name: string): ReturnType<Clerk['read']> {
    return this.clerk.read(bytes, name);
  }

  fan(flipper: number): ReturnType<Clerk['fan']> {
    return this.clerk.fan(this.config, flipper);
  }

  close(): void {
    this.clerk.close();
    this.thinker.close();
    this.sound.close();
  }
}

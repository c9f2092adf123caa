import { hash, restore, type Seed, type WorldEvent } from '@lockstep/kernel';
import type { ChunkStore } from '../src/chunk-store.ts';
import { RewindStore } from '../src/rewind-store.ts';
import { Deed } from './action.ts';
import type { Config } from './config.ts';
import { type Moment, Session, whole } from './session.ts';
import { State } from './state.ts';
import { step } from './step.ts';

/** Between two moments so many ticks are played again at most. */
const MOMENT_EVERY = 40;
/** Moments are kept up to so many bytes, some ten minutes; then the oldest go. */
const MOST_BYTES = 96_000_000;

/**
 * [SW-D11] A session and its past: what was done at every tick, and moments from which it can be played again. Whatever comes from outside, chunks that
 * are read or forgotten, a jump, is followed by a moment: from one to the next deeds alone decide. To look at the past changes nothing of the present.
 */
export class Chronicle {
  readonly session: Session;
  /** Everything that happened since `first`. */
  events: { readonly tick: number; readonly event: WorldEvent }[] = [];
  /** Up to here the past was played a second time, and came out the same; the first tick that did not. */
  verified: number;
  diverged: number | null = null;
  private readonly store: RewindStore;
  private readonly mostBytes: number;
  private moments: Moment[] = [];
  /** From tick `began` on. */
  private readonly began: number;
  private readonly deeds: (readonly Deed[])[] = [];
  private readonly hashes: string[] = [];
  private hasJumped = false;
  private readonly shown: Double;
  private readonly checker: Double;

  private constructor(session: Session, store: RewindStore, mostBytes: number) {
    this.session = session;
    this.store = store;
    this.mostBytes = mostBytes;
    this.began = session.state.tick;
    this.verified = this.began;
    this.hashes.push(hash(whole, session.state));
    this.shown = new Double(session.state.config);
    this.checker = new Double(session.state.config);
    this.note();
  }

  static async open(chunks: ChunkStore, config: Config, seed: Seed, mostBytes = MOST_BYTES): Promise<Chronicle> {
    const store = new RewindStore(chunks);
    return new Chronicle(await Session.open(store, config, seed), store, mostBytes);
  }

  /** The past reaches back to here. */
  get first(): number {
    return this.moments[0]!.tick;
  }
  get head(): number {
    return this.session.state.tick;
  }

  /** One tick at the head. */
  async tick(deeds: readonly Deed[]): Promise<WorldEvent[]> {
    const { session } = this;
    const events = session.step(deeds);
    this.deeds.push(deeds.map((deed) => Object.assign(new Deed(), deed)));
    this.hashes.push(hash(whole, session.state));
    for (const event of events) this.events.push({ tick: this.head, event });
    const isRead = await session.gather();
    if (isRead || this.head - this.moments.at(-1)!.tick >= MOMENT_EVERY) this.note();
    return events;
  }

  async commit(): Promise<number> {
    const written = await this.session.commit();
    this.note();
    return written;
  }

  async jump(seat: number, chunkX: number, chunkY: number, chunkZ: number): Promise<void> {
    await this.session.jump(seat, chunkX, chunkY, chunkZ);
    this.hasJumped = true;
    this.note();
  }

  /** The dungeon at a tick between `first` and the head, until the next call. */
  at(tick: number): State {
    return tick === this.head ? this.session.state : this.shown.at(tick, this.momentFor(tick), this.deeds, this.began);
  }

  /** Of the moment after that tick's step. */
  hashAt(tick: number): string {
    return this.hashes[tick - this.began]!;
  }

  /** The head is here again, and what came after never was. */
  comeBack(tick: number): void {
    if (tick === this.head) return;
    const { session, deeds, began } = this;
    this.moments = this.moments.filter((moment) => moment.tick <= tick);
    session.comeBack(this.momentFor(tick));
    while (this.head < tick) session.step(deeds[this.head - began]!);
    this.store.rewind(tick);
    deeds.length = tick - began;
    this.hashes.length = tick - began + 1;
    this.events = this.events.filter((event) => event.tick <= tick);
    this.verified = Math.min(this.verified, tick);
    if (this.diverged !== null && this.diverged > tick) this.diverged = null;
    this.note();
  }

  /** Plays up to so many ticks of the past a second time, from moments and deeds, and compares the hashes. */
  check(most: number): void {
    for (let i = 0; i < most && this.verified < this.head && this.diverged === null; i++) {
      const state = this.checker.at(this.verified + 1, this.momentFor(this.verified), this.deeds, this.began);
      if (hash(whole, state) === this.hashAt(state.tick)) this.verified = state.tick;
      else this.diverged = state.tick;
    }
  }

  /** The deeds of every tick from the dungeon's first on; null where they are not enough to play it again: it began elsewhere, or somebody jumped. */
  script(): readonly (readonly Deed[])[] | null {
    return this.began === 0 && !this.hasJumped ? this.deeds : null;
  }

  private momentFor(tick: number): Moment {
    let at = this.moments.length - 1;
    while (this.moments[at]!.tick > tick) at--;
    return this.moments[at]!;
  }

  /** What is at the head now is a moment to go back to; of one tick the last. */
  private note(): void {
    const moment = this.session.moment();
    if (this.moments.at(-1)?.tick === moment.tick) this.moments.pop();
    this.moments.push(moment);
    let bytes = this.moments.reduce((sum, { snapshot }) => sum + snapshot.byteLength, 0);
    if (bytes <= this.mostBytes) return;
    while (bytes > this.mostBytes && this.moments.length > 1) bytes -= this.moments.shift()!.snapshot.byteLength;
    this.events = this.events.filter(({ tick }) => tick > this.first);
    this.verified = Math.max(this.verified, this.first);
    this.store.forget(this.first, moment.read);
  }
}

/** A second dungeon that is put to any tick of the past. */
class Double {
  private readonly state: State;
  private from: Moment | null = null;

  constructor(config: Config) {
    this.state = new State(config, 0n);
  }

  at(tick: number, moment: Moment, deeds: readonly (readonly Deed[])[], began: number): State {
    const { state } = this;
    if (this.from !== moment || state.tick > tick) restore(whole, state, moment.snapshot);
    this.from = moment;
    while (state.tick < tick) step(state, deeds[state.tick - began]!, []);
    return state;
  }
}

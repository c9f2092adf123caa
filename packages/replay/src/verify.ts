import {
  type AnyWorld,
  firstDifference,
  hash,
  InputError,
  shown,
  snapshot,
  type TickState,
  type WorldEvent,
  writeAction,
} from '@lockstep/kernel';
import { Chain, mark } from './chain.ts';
import { Playback } from './playback.ts';
import type { Keyframe, Replay } from './replay.ts';
import { linkText } from './writer.ts';

export interface Verdict {
  readonly ok: boolean;
  /** The first mark at which something is not as recorded; null when everything is. Most worlds leave a mark at every tick. */
  readonly tick: number | null;
  /** The same in one line. */
  readonly difference: string | null;
  /** Of the last state that was reached. */
  readonly hash: string;
}

/**
 * Plays a replay again from config, seed and actions, and compares all that the file says came out of it. Who played it cannot be checked:
 * names, hashes of bots, the reasons of faults and faults after the last action are the recorder's word.
 */
export function verifyReplay(world: AnyWorld, replay: Replay, onProgress?: (tick: number) => void): Verdict {
  const playback = new Playback(world, replay);
  const state = playback.start();
  const check = new Check(playback);
  while (state.tick < replay.ticks) {
    const tick = state.tick + 1;
    const difference = check.tick(state);
    if (difference !== null) return verdict(playback, state, tick, difference);
    if (onProgress !== undefined && tick % 100 === 0) onProgress(tick);
  }
  return verdict(playback, state, replay.ticks, check.end(state));
}

function verdict({ world, replay }: Playback, state: TickState, tick: number, difference: string | null): Verdict {
  if (difference === null) return { ok: true, tick: null, difference, hash: hash(world, state) };
  const line = `replay diverged at tick ${tick}: ${difference} (recorded by rulesVersion ${replay.rulesVersion})`;
  return { ok: false, tick, difference: line, hash: hash(world, state) };
}

class Check {
  private readonly playback: Playback;
  /** What a seat that is out plays, whether only such a seat does, and from which tick on it is out; Infinity for the others. */
  private readonly outs: readonly { readonly from: number; readonly forfeit: Float64Array; readonly telling: boolean }[];
  private readonly chain = new Chain();
  private readonly events: WorldEvent[] = [];
  private nextEvents = 0;
  private nextFrame = 0;
  /** The last tick whose actions were looked at. */
  private looked = -1;

  constructor(playback: Playback) {
    this.playback = playback;
    const { world, config, replay } = playback;
    this.outs = replay.widths.map((_, seat) => {
      const from = replay.faults.find((fault) => fault.seat === seat)?.tick ?? Infinity;
      const forfeit = writeAction(world, world.forfeit(config, seat));
      return { from, forfeit, telling: !sameBits(forfeit, writeAction(world, world.idle(config, seat))) };
    });
  }

  /** Why nobody can have played the actions of a tick, as far as that can be said of any world; null if somebody can. */
  private actions(tick: number): string | null {
    const { playback } = this;
    const { rows, widths } = playback.replay;
    let at = tick * playback.width;
    const isKnown = this.looked === tick - 1 && this.outs.every(({ from }) => from !== tick) && playback.isAsBefore(tick);
    this.looked = tick;
    if (isKnown) return null;
    for (const [seat, action] of playback.actionsAt(tick).entries()) {
      const recorded = rows.slice(at, (at += widths[seat]!));
      const { from, forfeit, telling } = this.outs[seat]!;
      if (tick >= from && !sameBits(recorded, forfeit)) return `seat ${seat} plays on, though it was out at tick ${from}`;
      if (tick < from && telling && sameBits(recorded, forfeit)) return `seat ${seat} is out, though no fault says so`;
      if (!recorded.every(Number.isFinite)) {
        const place = notFinite(action, 'action');
        if (place !== null) return `seat ${seat}: ${place}`;
      }
      if (!sameBits(recorded, writeAction(playback.world, action))) return `seat ${seat}: values that no action has`;
    }
    return null;
  }

  /** Plays one tick; what differs after it. */
  tick(state: TickState): string | null {
    const { playback } = this;
    const { replay, world } = playback;
    const { marks, keepsEvents } = replay.rhythm;
    if (world.result(state) !== null) return 'the game was already over';
    const impossible = this.actions(state.tick);
    if (impossible !== null) return `actions of tick ${state.tick}: ${impossible}`;
    const { events } = this;
    events.length = 0;
    const tick = state.tick + 1;
    this.chain.actions(replay.rows.subarray(state.tick * playback.width, tick * playback.width));
    const stopped = this.advance(state, events);
    if (stopped !== null) return stopped;
    if (state.tick !== tick) return `state.tick: ${state.tick} vs ${tick}`;
    if (tick > replay.stepped) return null; // the recorder never saw the end of this tick
    if (!keepsEvents && events.length > 0) this.chain.text(JSON.stringify(events));
    const isMark = tick % marks === 0;
    if (!isMark && tick !== replay.stepped) return this.frame(state) ?? this.eventsOf(tick, events);
    const now = hash(world, state);
    if (isMark && replay.marks[tick / marks - 1] !== mark(now)) return this.field(state);
    return this.frame(state) ?? this.eventsOf(tick, events) ?? this.link(tick, now);
  }

  /** A world that throws is a bug of ours, or it refuses actions of a file that was made up; both are worth a line. */
  private advance(state: TickState, events: WorldEvent[]): string | null {
    const { playback } = this;
    const { tick } = state;
    try {
      playback.world.step(state, playback.actionsAt(tick), events);
      return null;
    } catch (error) {
      if (error instanceof InputError) return `actions of tick ${tick}: ${error.message}`;
      return `the world stopped: ${String(error)}`;
    }
  }

  end(state: TickState): string | null {
    const { replay, world } = this.playback;
    if (replay.events !== null && replay.events.length > this.nextEvents)
      return `events: nothing vs ${shown(replay.events[this.nextEvents])}`;
    if (replay.result === null && replay.ticks > replay.stepped) return null; // stopped in the midst of a tick
    // A game that was broken off has no result, neither here nor in its file.
    return firstDifference(plain(world.result(state)), replay.result, 'result');
  }

  private frame(state: TickState): string | null {
    const { replay, world } = this.playback;
    const frame = replay.keyframes[this.nextFrame];
    if (frame?.tick !== state.tick) return null;
    this.nextFrame++;
    if (sameBits(snapshot(world, state), frame.snapshot)) return null;
    return this.fieldAt(state, frame) ?? 'a snapshot of equal fields has other bits';
  }

  private eventsOf(tick: number, events: readonly WorldEvent[]): string | null {
    const { replay } = this.playback;
    if (replay.events === null) return null;
    const recorded = replay.events[this.nextEvents];
    const due = recorded?.tick === tick ? recorded.events : [];
    if (due.length > 0) this.nextEvents++;
    return firstDifference(plain(events), due, 'events');
  }

  private link(tick: number, now: string): string | null {
    const { replay } = this.playback;
    const { links, keepsEvents } = replay.rhythm;
    if (tick % links !== 0 && tick !== replay.stepped) return null;
    this.chain.state(now);
    const first = Math.floor((tick - 1) / links) * links;
    if (replay.links[Math.ceil(tick / links) - 1] === linkText(this.chain)) return null;
    return `the hash chain breaks: actions${keepsEvents ? '' : ' or events'} of ticks ${first}..${tick - 1} are not those that were played`;
  }

  /** The first field that differs at the next keyframe, where the recorder's whole state is known. */
  private field(state: TickState): string {
    const { playback } = this;
    const { tick } = state;
    const { keyframes, rhythm } = playback.replay;
    const frame = keyframes.find((one) => one.tick >= tick);
    if (frame === undefined)
      return rhythm.marks === 1 ? 'its hash differs' : `its hash differs, and was right at tick ${tick - rhythm.marks}`;
    for (let next = tick; next < frame.tick; next++) {
      const stopped = this.advance(state, []);
      if (stopped !== null) return stopped;
    }
    const path = this.fieldAt(state, frame);
    if (path === null) return `its hash differs, the keyframe of tick ${frame.tick} does not`;
    return frame.tick === tick ? path : `${path} at the keyframe of tick ${frame.tick}`;
  }

  private fieldAt(state: TickState, frame: Keyframe): string | null {
    return firstDifference(state, this.playback.stateOf(frame));
  }
}

/** As it comes back from JSON. */
function plain(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}

function sameBits(a: Float64Array, b: Float64Array): boolean {
  if (a.length !== b.length) return false;
  const left = new Uint32Array(a.buffer, a.byteOffset, a.length * 2);
  const right = new Uint32Array(b.buffer, b.byteOffset, b.length * 2);
  return left.every((word, i) => word === right[i]);
}

/** The first number in a value that is not finite. (Whole arrays of ints may look so by their bits only.) */
function notFinite(value: unknown, path: string): string | null {
  if (typeof value === 'number') return Number.isFinite(value) ? null : `${path}: expected a finite number, got ${shown(value)}`;
  if (typeof value !== 'object' || value === null) return null;
  for (const [key, item] of Object.entries(value)) {
    const found = notFinite(item, /^\d+$/.test(key) ? `${path}[${key}]` : `${path}.${key}`);
    if (found !== null) return found;
  }
  return null;
}

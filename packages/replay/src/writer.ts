import {
  type AnyWorld,
  hash,
  InputError,
  restoreAction,
  type Result,
  type Seed,
  type Snapshot,
  snapshot,
  snapshotToBytes,
  type TickState,
  type WorldEvent,
  writeAction,
} from '@lockstep/kernel';
import { ByteWriter } from './bytes.ts';
import { Chain, mark } from './chain.ts';
import { packColumn } from './column.ts';
import { writeContainer } from './container.ts';
import { pack } from './deflate.ts';
import {
  type Keyframe,
  keyframeInterval,
  mostTicks,
  type ReplayBot,
  type ReplayFault,
  type Rhythm,
  rhythmOf,
  type TickEvents,
} from './replay.ts';
import { packJson } from './text.ts';

export interface Recording {
  readonly world: AnyWorld;
  readonly config: unknown;
  readonly seed: Seed;
  readonly bots: readonly ReplayBot[];
  /** Ticks between keyframes, 0 for none; by the size of the state when left out. */
  readonly keyframeEvery?: number;
  /** By the length of the world's ticks when left out. */
  readonly rhythm?: Rhythm;
}

/** Records a match as it is played: `note` before each step, `afterStep` after it, `finish` at the end. */
export class ReplayWriter {
  private readonly recording: Recording;
  private readonly widths: readonly number[];
  private readonly width: number;
  private readonly rhythm: Rhythm;
  private readonly keyframeEvery: number;
  /** Longer games do not fit into the format. */
  readonly mostTicks: number;
  private rows: Float64Array;
  private noted = 0;
  private readonly marks: number[] = [];
  private stepped = 0;
  private readonly chain = new Chain();
  private readonly links: string[] = [];
  private readonly keyframes: Keyframe[] = [];
  private readonly events: TickEvents[] = [];
  private last: TickState | null = null;

  constructor(recording: Recording) {
    const { world, config, seed, bots } = recording;
    this.recording = recording;
    this.widths = widthsOf(world, config);
    if (bots.length !== this.widths.length) throw new Error(`replay: ${this.widths.length} seats, ${bots.length} bots`);
    this.width = this.widths.reduce((sum, width) => sum + width, 0);
    const stateBytes = snapshot(world, world.create(config, seed)).byteLength;
    this.rhythm = recording.rhythm ?? rhythmOf(world);
    this.keyframeEvery = recording.keyframeEvery ?? (this.rhythm.marks > 1 ? 0 : keyframeInterval(stateBytes));
    this.mostTicks = mostTicks(this.width, stateBytes, this.keyframeEvery);
    this.rows = new Float64Array(Math.min(1024, this.mostTicks) * this.width);
  }

  /** The actions that the next step will play, one a seat. */
  note(actions: readonly unknown[]): void {
    const { world } = this.recording;
    if (this.noted !== this.stepped) throw new Error('replay: note was called twice without a step between');
    if (actions.length !== this.widths.length) throw new Error(`replay: ${this.widths.length} seats, ${actions.length} actions`);
    if (this.noted >= this.mostTicks) throw new InputError('replay', `a game of at most ${this.mostTicks} ticks`, 'a longer one');
    const end = (this.noted + 1) * this.width;
    if (end > this.rows.length) this.rows = wider(this.rows);
    let at = this.noted * this.width;
    for (let seat = 0; seat < actions.length; seat++) {
      const values = writeAction(world, actions[seat]);
      if (values.length !== this.widths[seat])
        throw new Error(`replay: seat ${seat} plays ${values.length} values, ${this.widths[seat]} before`);
      this.rows.set(values, at); // moves bits, whatever they are
      at += values.length;
    }
    this.noted++;
  }

  /** The state after the step, and what happened in it. */
  afterStep(state: TickState, events: readonly WorldEvent[]): void {
    const { world } = this.recording;
    if (this.stepped !== this.noted - 1) throw new Error('replay: afterStep without note');
    this.chain.actions(this.row(this.stepped++));
    this.last = state;
    const { marks, links, keepsEvents } = this.rhythm;
    if (events.length > 0) {
      if (keepsEvents) this.events.push({ tick: this.stepped, events: events.map((event) => ({ ...event })) });
      else this.chain.text(JSON.stringify(events));
    }
    // Links are marks as well.
    if (this.stepped % marks === 0) {
      const now = hash(world, state);
      this.marks.push(mark(now));
      if (this.stepped % links === 0) this.link(now);
    }
    if (this.stepped % this.keyframeEvery === 0) this.keyframe(snapshot(world, state));
  }

  /** The whole file. `result` is null when the game was broken off; the last note may then be without its step. */
  async finish(result: Result | null, faults: readonly ReplayFault[]): Promise<Uint8Array> {
    const { world, config, seed, bots } = this.recording;
    const last = this.lastState();
    if (last !== null && this.stepped % this.rhythm.links !== 0) this.link(hash(world, last));
    if (last !== null && this.keyframeEvery > 0 && this.keyframes.at(-1)?.tick !== this.stepped) this.keyframe(snapshot(world, last));
    const { name, rulesVersion } = world;
    const head = { world: name, rulesVersion, seed: String(seed), config: world.writeConfig(config), bots };
    const [packedHead, actions, hashes, keyframes, events, packedResult] = await Promise.all([
      packJson(head, 'replay: head'),
      this.packActions(),
      this.packHashes(),
      this.packKeyframes(),
      packJson(this.rhythm.keepsEvents ? this.events.map(({ tick, events }) => [tick, events]) : null, 'replay: events'),
      packJson({ result, faults }, 'replay: result'),
    ]);
    return writeContainer({ head: packedHead, actions, hashes, keyframes, events, result: packedResult });
  }

  /** After the last step that ended. A step that stopped half-way leaves a state that nobody can reach: then the game is played again. */
  private lastState(): TickState | null {
    if (this.noted === this.stepped) return this.last;
    const { world, config, seed } = this.recording;
    const state = world.create(config, seed);
    const actions = this.widths.map((_, seat) => world.idle(config, seat));
    while (state.tick < this.stepped) {
      let at = state.tick * this.width;
      for (const [seat, width] of this.widths.entries()) restoreAction(world, actions[seat], this.rows.slice(at, (at += width)));
      world.step(state, actions, []);
    }
    return this.stepped === 0 ? null : state;
  }

  private row(tick: number): Float64Array {
    return this.rows.subarray(tick * this.width, (tick + 1) * this.width);
  }

  private link(now: string): void {
    this.chain.state(now);
    this.links.push(linkText(this.chain));
  }

  private keyframe(from: Snapshot): void {
    this.keyframes.push({ tick: this.stepped, snapshot: from });
  }

  private async packActions(): Promise<Uint8Array> {
    const out = new ByteWriter();
    out.u32(this.noted);
    out.u32(this.widths.length);
    for (const width of this.widths) out.u32(width);
    for (let k = 0; k < this.width; k++) out.put(await packColumn(columnOf(this.rows, k, this.width, this.noted)));
    return out.done();
  }

  private packHashes(): Promise<Uint8Array> {
    const out = new ByteWriter();
    const { marks, links, keepsEvents } = this.rhythm;
    out.u32(this.stepped);
    out.u32(marks);
    out.u32(links);
    out.u8(keepsEvents ? 1 : 0);
    for (const one of this.marks) out.u16(one);
    for (const link of this.links) {
      out.u32(Number.parseInt(link.slice(0, 8), 16));
      out.u32(Number.parseInt(link.slice(8), 16));
    }
    return pack(out.done());
  }

  /**
   * Count, bytes of one, ticks, then the snapshots, each XORed with the one before: what does not change becomes zeros. Of states that grow there are
   * none: whoever seeks plays the game again.
   */
  private packKeyframes(): Promise<Uint8Array> {
    const out = new ByteWriter();
    const size = this.keyframes[0]?.snapshot.length ?? 0;
    const kept = this.keyframes.every(({ snapshot: { length } }) => length === size) ? this.keyframes : [];
    const frames = kept.map(({ snapshot: from }) => snapshotToBytes(from));
    out.u32(frames.length);
    out.u32(frames[0]?.length ?? 0);
    for (const { tick } of kept) out.u32(tick);
    frames.forEach((frame, i) => {
      const before = frames[i - 1];
      out.put(before === undefined ? frame : frame.map((byte, at) => byte ^ before[at]!));
    });
    return pack(out.done());
  }
}

/** How many values an action of each seat has. */
export function widthsOf(world: AnyWorld, config: unknown): number[] {
  return Array.from({ length: world.seats(config) }, (_, seat) => writeAction(world, world.idle(config, seat)).length);
}

export function linkText({ a, b }: Chain): string {
  return [a, b].map((lane) => (lane >>> 0).toString(16).padStart(8, '0')).join('');
}

function wider(rows: Float64Array): Float64Array {
  const into = new Float64Array(rows.length * 2);
  into.set(rows);
  return into;
}

/** Copies words, not doubles: the bits of a NaN survive. */
function columnOf(rows: Float64Array, k: number, width: number, ticks: number): Float64Array {
  const column = new Float64Array(ticks);
  const to = new Uint32Array(column.buffer);
  const from = new Uint32Array(rows.buffer, rows.byteOffset, rows.length * 2);
  for (let tick = 0; tick < ticks; tick++) {
    const at = (tick * width + k) * 2;
    to[tick * 2] = from[at]!;
    to[tick * 2 + 1] = from[at + 1]!;
  }
  return column;
}

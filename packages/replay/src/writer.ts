import {
  type AnyWorld,
  hash,
  InputError,
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
import { Chain, LINK_EVERY, mark } from './chain.ts';
import { packColumn } from './column.ts';
import { writeContainer } from './container.ts';
import { pack } from './deflate.ts';
import { type Keyframe, keyframeInterval, mostTicks, type ReplayBot, type ReplayFault, type TickEvents } from './replay.ts';
import { packJson } from './text.ts';

export interface Recording {
  readonly world: AnyWorld;
  readonly config: unknown;
  readonly seed: Seed;
  readonly bots: readonly ReplayBot[];
  /** Ticks between keyframes; by the size of the state when left out. */
  readonly keyframeEvery?: number;
}

/** What has been written down of a game so far; a fork starts from a part of another game's. */
export interface Prefix {
  readonly rows: Float64Array;
  readonly marks: Uint16Array;
  readonly links: readonly string[];
  readonly keyframes: readonly Keyframe[];
  readonly events: readonly TickEvents[];
  /** After the last tick of these. */
  readonly state: TickState;
}

/** Records a match as it is played: `note` before each step, `afterStep` after it, `finish` at the end. */
export class ReplayWriter {
  private readonly recording: Recording;
  private readonly widths: readonly number[];
  private readonly width: number;
  private readonly keyframeEvery: number;
  /** Longer games do not fit into the format. */
  readonly mostTicks: number;
  private rows: Float64Array;
  private noted = 0;
  private marks: Uint16Array;
  private stepped = 0;
  private readonly chain = new Chain();
  private readonly links: string[] = [];
  private readonly keyframes: Keyframe[] = [];
  private readonly events: TickEvents[] = [];
  private last: { readonly state: TickState; readonly hash: string } | null = null;

  constructor(recording: Recording, prefix?: Prefix) {
    const { world, config, seed, bots } = recording;
    this.recording = recording;
    this.widths = widthsOf(world, config);
    if (bots.length !== this.widths.length) throw new Error(`replay: ${this.widths.length} seats, ${bots.length} bots`);
    this.width = this.widths.reduce((sum, width) => sum + width, 0);
    const stateBytes = snapshot(world, world.create(config, seed)).byteLength;
    this.keyframeEvery = recording.keyframeEvery ?? keyframeInterval(stateBytes);
    this.mostTicks = mostTicks(this.width, stateBytes, this.keyframeEvery);
    this.rows = new Float64Array(Math.max(prefix?.rows.length ?? 0, Math.min(1024, this.mostTicks) * this.width));
    this.marks = new Uint16Array(Math.max(prefix?.marks.length ?? 0, 1024));
    if (prefix !== undefined) this.take(prefix);
  }

  private take({ rows, marks, links, keyframes, events, state }: Prefix): void {
    this.rows.set(rows);
    this.marks.set(marks);
    this.noted = this.stepped = marks.length;
    this.links.push(...links);
    this.keyframes.push(...keyframes);
    this.events.push(...events);
    if (marks.length > 0) this.last = { state, hash: hash(this.recording.world, state) };
    const last = links.at(-1);
    if (last !== undefined) {
      this.chain.a = Number.parseInt(last.slice(0, 8), 16) | 0;
      this.chain.b = Number.parseInt(last.slice(8), 16) | 0;
    }
    for (let tick = links.length * LINK_EVERY; tick < this.noted; tick++) this.chain.actions(this.row(tick));
  }

  /** The actions that the next step will play, one a seat. */
  note(actions: readonly unknown[]): void {
    const { world } = this.recording;
    if (this.noted !== this.stepped) throw new Error('replay: note was called twice without a step between');
    if (actions.length !== this.widths.length) throw new Error(`replay: ${this.widths.length} seats, ${actions.length} actions`);
    if (this.noted >= this.mostTicks) throw new InputError('replay', `a game of at most ${this.mostTicks} ticks`, 'a longer one');
    const end = (this.noted + 1) * this.width;
    if (end > this.rows.length) this.rows = wider(this.rows, new Float64Array(this.rows.length * 2));
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
    if (this.stepped === this.marks.length) this.marks = wider(this.marks, new Uint16Array(this.marks.length * 2));
    this.chain.actions(this.row(this.stepped));
    const now = hash(world, state);
    this.marks[this.stepped++] = mark(now);
    this.last = { state, hash: now };
    if (this.stepped % LINK_EVERY === 0) this.link(now);
    if (this.stepped % this.keyframeEvery === 0) this.keyframe(snapshot(world, state));
    if (events.length > 0) this.events.push({ tick: this.stepped, events: events.map((event) => ({ ...event })) });
  }

  /** The whole file. `result` is null when the game was broken off; the last note may then be without its step. */
  async finish(result: Result | null, faults: readonly ReplayFault[]): Promise<Uint8Array> {
    const { world, config, seed, bots } = this.recording;
    const last = this.last;
    if (last !== null && this.stepped % LINK_EVERY !== 0) this.link(last.hash);
    if (last !== null && this.keyframes.at(-1)?.tick !== this.stepped) this.keyframe(snapshot(world, last.state));
    const { name, rulesVersion } = world;
    const head = { world: name, rulesVersion, seed: String(seed), config: world.writeConfig(config), bots };
    const [packedHead, actions, hashes, keyframes, events, packedResult] = await Promise.all([
      packJson(head, 'replay: head'),
      this.packActions(),
      this.packHashes(),
      this.packKeyframes(),
      packJson(this.events.map(({ tick, events }) => [tick, events]), 'replay: events'), // prettier-ignore
      packJson({ result, faults }, 'replay: result'),
    ]);
    return writeContainer({ head: packedHead, actions, hashes, keyframes, events, result: packedResult });
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
    out.u32(this.stepped);
    for (let tick = 0; tick < this.stepped; tick++) out.u16(this.marks[tick]!);
    for (const link of this.links) {
      out.u32(Number.parseInt(link.slice(0, 8), 16));
      out.u32(Number.parseInt(link.slice(8), 16));
    }
    return pack(out.done());
  }

  /** Count, bytes of one, ticks, then the snapshots, each XORed with the one before: what does not change becomes zeros. */
  private packKeyframes(): Promise<Uint8Array> {
    const out = new ByteWriter();
    const frames = this.keyframes.map(({ snapshot: from }) => snapshotToBytes(from));
    out.u32(frames.length);
    out.u32(frames[0]?.length ?? 0);
    for (const { tick } of this.keyframes) out.u32(tick);
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

function wider<T extends Float64Array | Uint16Array>(from: T, into: T): T {
  into.set(from);
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

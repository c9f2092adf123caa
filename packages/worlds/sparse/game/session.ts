import {
  bytesToSnapshot,
  InputError,
  restore,
  type Seed,
  type Snapshot,
  snapshot,
  snapshotToBytes,
  type WorldEvent,
} from '@lockstep/kernel';
import { ByteReader, ByteWriter } from '../src/bytes.ts';
import type { Batch, ChunkRecord, ChunkStore } from '../src/chunk-store.ts';
import { positionAt } from '../src/position.ts';
import { MAX_CHUNK, MIN_CHUNK } from '../src/rules.ts';
import { Save } from '../src/save.ts';
import { ChunkRange } from '../src/sim-region.ts';
import type { Deed } from './action.ts';
import { type Config, readConfig } from './config.ts';
import { rangesAround, settleHeroes } from './dungeon.ts';
import { FAMILIAR_HEIGHT, FLOOR, RULES } from './rules.ts';
import { fields, ownFields, State } from './state.ts';
import { step } from './step.ts';

const own = { fields: ownFields };
/** Everything that the hash of a dungeon covers. */
export const whole = { fields };
const OWN_FORMAT = 0x3147_5753; // "SWG1"
const FILE_FORMAT = 0x3146_5753; // "SWF1"
/** A hero's chunk and those around it are read when a world is opened. */
const FIRST_LOOK = 4;

/**
 * [SW-D10] A dungeon that outlives its process: the store's chunks come from permanent memory before a tick needs them, and go there with every commit. Chunks
 * that nobody is near are forgotten, so that the dungeon may be larger than memory; what was visited stays as it was left.
 */
export class Session {
  readonly state: State;
  readonly save: Save;

  private constructor(state: State, save: Save) {
    this.state = state;
    this.save = save;
  }

  /** Goes on with the dungeon that is kept there; where there is none, begins this one. */
  static async open(chunks: ChunkStore, config: Config, seed: Seed): Promise<Session> {
    const head = await chunks.readHead();
    if (head === null) {
      const state = new State(config, seed);
      const session = new Session(state, new Save(state.store, chunks));
      settleHeroes(state);
      await session.commit();
      await session.gather();
      return session;
    }
    // the head names the config before there is a store to take it in
    const probe = new State(config, seed);
    const { own: bytes } = (await new Save(probe.store, chunks).open())!;
    const kept = readOwn(bytes);
    const state = new State(kept.config, 0n);
    const session = new Session(state, new Save(state.store, chunks));
    await session.save.open();
    restore(own, state, kept.fields);
    for (const place of kept.places) await session.save.require(around(place));
    await session.gather();
    return session;
  }

  /** One tick. Chunks that the next one needs are waited for: whoever looks at the dungeon sees nothing that is not in memory. */
  async tick(deeds: readonly Deed[]): Promise<WorldEvent[]> {
    const events = this.step(deeds);
    await this.gather();
    return events;
  }

  /** A tick alone. Nothing else may happen before `gather` has answered. */
  step(deeds: readonly Deed[]): WorldEvent[] {
    const events: WorldEvent[] = [];
    step(this.state, deeds, events);
    return events;
  }

  /** Makes sure that everything the next tick looks at is in memory. Whether anything had to be read. */
  async gather(): Promise<boolean> {
    let isRead = false;
    for (const range of rangesAround(this.state)) if (await this.save.require(range)) isRead = true;
    return isRead;
  }

  /** Everything so far is kept for good; what is far away is forgotten here. The answer is how many chunks were written. */
  async commit(): Promise<number> {
    const { state, save } = this;
    const written = await save.commit(state.tick, writeOwn(state));
    save.keep(rangesAround(state));
    return written;
  }

  /** Puts a hero and its familiar into the room of any chunk. */
  async jump(seat: number, chunkX: number, chunkY: number, chunkZ: number): Promise<void> {
    const { store, heroes } = this.state;
    const hero = heroes[seat]!;
    if (hero.fallen) throw new InputError('hero', 'one that stands', 'one that has fallen');
    const to = positionAt(RULES, chunkX, chunkY, chunkZ, 0, 0, FLOOR + 0.01);
    await this.save.require(around([to.chunkX, to.chunkY, to.chunkZ]));
    for (const [id, height] of [
      [hero.id, 0.01],
      [hero.familiar, FAMILIAR_HEIGHT],
    ] as const) {
      store.setVelocity(store.rowOf(id), 0, 0, 0);
      store.place(store.rowOf(id), positionAt(RULES, to.chunkX, to.chunkY, to.chunkZ, 0, 0, FLOOR + height));
    }
    await this.gather();
  }

  /** The dungeon as it is in memory now, to come back to. */
  moment(): Moment {
    return { tick: this.state.tick, snapshot: snapshot(whole, this.state), read: this.save.read };
  }

  /** The dungeon is in memory as it was then. Permanent memory learns of it with the next commit. */
  comeBack({ snapshot: then, read }: Moment): void {
    restore(whole, this.state, then);
    this.save.startOver(read);
  }
}

export interface Moment {
  readonly tick: number;
  readonly snapshot: Snapshot;
  readonly read: ReadonlySet<string>;
}

function around([x, y, z]: readonly [number, number, number]): ChunkRange {
  const within = (chunk: number): number => Math.max(MIN_CHUNK, Math.min(MAX_CHUNK, chunk));
  return Object.assign(new ChunkRange(), {
    minX: within(x - FIRST_LOOK),
    minY: within(y - FIRST_LOOK),
    minZ: within(z - FIRST_LOOK),
    maxX: within(x + FIRST_LOOK),
    maxY: within(y + FIRST_LOOK),
    maxZ: within(z + FIRST_LOOK),
  });
}

/** What a session keeps besides the store: the config, where heroes are to be looked for, and the state's other fields. */
function writeOwn(state: State): Uint8Array {
  const { store, heroes, config } = state;
  const out = new ByteWriter();
  out.u32(OWN_FORMAT);
  for (const number of [config.heroes, config.ticks, config.originX, config.originY, config.originZ]) out.f64(number);
  for (const { id } of heroes) {
    const { chunkX, chunkY, chunkZ } = store.positionOf(store.rowOf(id));
    for (const number of [chunkX, chunkY, chunkZ]) out.i32(number);
  }
  const fields = snapshotToBytes(snapshot(own, state));
  out.u32(fields.length);
  out.bytes(fields);
  return out.sealed();
}

interface Kept {
  readonly config: Config;
  readonly places: readonly (readonly [number, number, number])[];
  readonly fields: Float64Array;
}

function readOwn(bytes: Uint8Array): Kept {
  const from = new ByteReader(bytes, 'game');
  if (from.u32() !== OWN_FORMAT) throw new InputError('game', 'a saved dungeon of format SWG1', 'another format');
  const [heroes, ticks, ...origin] = Array.from({ length: 5 }, () => from.f64());
  const config = readConfig({ heroes, ticks, origin });
  const places = Array.from({ length: config.heroes }, () => [from.i32(), from.i32(), from.i32()] as const);
  const fields = bytesToSnapshot(from.bytes(from.u32()));
  from.close();
  return { config, places, fields };
}

/** A whole world as one file: its head and every chunk, with a CRC over all of it beside those of the chunks. */
export async function worldToFile(chunks: ChunkStore): Promise<Uint8Array> {
  const everywhere = Object.assign(new ChunkRange(), {
    minX: MIN_CHUNK,
    minY: MIN_CHUNK,
    minZ: MIN_CHUNK,
    maxX: MAX_CHUNK,
    maxY: MAX_CHUNK,
    maxZ: MAX_CHUNK,
  });
  const head = await chunks.readHead();
  if (head === null) throw new InputError('world', 'something that was saved', 'nothing');
  const records = await chunks.readRange(everywhere);
  records.sort((a, b) => a.z - b.z || a.y - b.y || a.x - b.x);
  const out = new ByteWriter();
  out.u32(FILE_FORMAT);
  out.f64(head.frame);
  out.u32(head.head.length);
  out.bytes(head.head);
  out.u32(records.length);
  for (const { x, y, z, blob } of records) {
    for (const number of [x, y, z]) out.i32(number);
    out.u32(blob!.length);
    out.bytes(blob!);
  }
  return out.sealed();
}

/** The way back: one commit that makes an empty store that world. Also what is inside must be a dungeon that can be played. */
export function fileToWorld(bytes: Uint8Array, path: string): Batch {
  const isWorld = bytes.length < 4 || new DataView(bytes.buffer, bytes.byteOffset).getUint32(0, true) === FILE_FORMAT;
  if (!isWorld) throw new InputError(path, 'a saved world of format SWF1', 'another file');
  const from = new ByteReader(bytes, path);
  from.u32();
  const frame = from.f64();
  const head = from.bytes(from.u32());
  const chunks = Array.from({ length: from.u32() }, (): ChunkRecord => {
    const [x, y, z] = [from.i32(), from.i32(), from.i32()] as const;
    return { x, y, z, blob: from.bytes(from.u32()) };
  });
  from.close();
  return { frame, head, chunks };
}

import {
  bytesToSnapshot,
  choiceAt,
  InputError,
  intAt,
  type Json,
  numberAt,
  objectAt,
  readSeed,
  type Result,
  type WorldEvent,
} from '@lockstep/kernel';
import { ByteReader, Damage } from './bytes.ts';
import { unpackColumn } from './column.ts';
import { readContainer, type SectionName, type Sections, SECTIONS } from './container.ts';
import { unpack } from './deflate.ts';
import {
  EVERY_TICK,
  FAULT_KINDS,
  type Keyframe,
  MOST_KEYFRAME_BYTES,
  MOST_SEATS,
  MOST_TICKS,
  MOST_VALUES,
  type Replay,
  type ReplayBot,
  type ReplayFault,
  type Rhythm,
  type TickEvents,
} from './replay.ts';
import { unpackJson } from './text.ts';

/** Reads a whole file. Whatever is wrong with it ends in an InputError of one line that begins with `path`. */
export async function readReplay(bytes: Uint8Array, path = 'replay'): Promise<Replay> {
  const { version, sections } = readContainer(bytes, path);
  const section = <T>(name: SectionName, read: (bytes: Uint8Array) => Promise<T>) => intact(path, name, read(sections[name]));
  const head = await section('head', readHead);
  const actions = await section('actions', readActions);
  const { ticks } = actions;
  const hashes = await section('hashes', (from) => readHashes(from, ticks, version));
  const keyframes = await section('keyframes', (from) => readKeyframes(from, ticks));
  const events = await section('events', (from) => readEvents(from, ticks, hashes.rhythm));
  const result = await section('result', (from) => readResult(from, actions.widths.length, ticks));
  return { path, ...head, ...actions, ...hashes, keyframes, events, ...result, sizes: sizesOf(sections) };
}

async function intact<T>(path: string, name: SectionName, reading: Promise<T>): Promise<T> {
  try {
    return await reading;
  } catch (error) {
    if (error instanceof Damage) throw new InputError(`${path}: section ${name}`, 'undamaged data', error.message);
    if (error instanceof InputError) error.message = `${path}: section ${name}: ${error.message}`;
    throw error;
  }
}

function sizesOf(sections: Sections): Record<SectionName, number> {
  return Object.fromEntries(SECTIONS.map((name) => [name, sections[name].length])) as Record<SectionName, number>;
}

async function readHead(bytes: Uint8Array) {
  const raw = objectAt(await unpackJson(bytes), 'head', ['world', 'rulesVersion', 'seed', 'config', 'bots']);
  return {
    world: textAt(raw['world'], 'head.world'),
    rulesVersion: intAt(raw['rulesVersion'], 'head.rulesVersion', 0, Number.MAX_SAFE_INTEGER),
    seed: readSeed(raw['seed'], 'head.seed'),
    config: (raw['config'] ?? null) as Json,
    bots: listAt(raw['bots'], 'head.bots').map(readBot),
  };
}

function readBot(raw: unknown, index: number): ReplayBot {
  const path = `head.bots[${index}]`;
  const bot = objectAt(raw, path, ['name', 'kind', 'sha256', 'from']);
  const sha256 = bot['sha256'] === null ? null : textAt(bot['sha256'], `${path}.sha256`);
  if (sha256 !== null && !/^[0-9a-f]{64}$/.test(sha256)) throw new InputError(`${path}.sha256`, '64 hexadecimal digits', sha256);
  const from = bot['from'] === undefined ? {} : { from: intAt(bot['from'], `${path}.from`, 0, MOST_TICKS) };
  return { name: textAt(bot['name'], `${path}.name`), kind: textAt(bot['kind'], `${path}.kind`), sha256, ...from };
}

async function readActions(bytes: Uint8Array) {
  const from = new ByteReader(bytes);
  const ticks = from.u32();
  const seats = from.u32();
  if (ticks > MOST_TICKS || seats > MOST_SEATS) throw new Damage(`it declares ${ticks} ticks of ${seats} seats`);
  const widths = Array.from({ length: seats }, () => from.u32());
  const width = widths.reduce((sum, one) => sum + one, 0);
  // A column takes at least 10 bytes of the file.
  if (width * ticks > MOST_VALUES || width > from.left / 10) throw new Damage(`it declares ${ticks} ticks of ${width} values`);
  const rows = new Float64Array(ticks * width);
  const to = new Uint32Array(rows.buffer);
  for (let k = 0; k < width; k++) {
    const column = await unpackColumn(from, ticks);
    const words = new Uint32Array(column.buffer);
    for (let tick = 0; tick < ticks; tick++) {
      to[(tick * width + k) * 2] = words[tick * 2]!;
      to[(tick * width + k) * 2 + 1] = words[tick * 2 + 1]!;
    }
  }
  from.end();
  return { ticks, widths, rows };
}

async function readHashes(bytes: Uint8Array, ticks: number, version: number) {
  const packed = new ByteReader(bytes);
  const from = new ByteReader(await unpack(packed, 64 + ticks * 16));
  packed.end();
  const stepped = from.u32();
  if (stepped > ticks || stepped < ticks - 1) throw new Damage(`${stepped} hashes for ${ticks} ticks`);
  const rhythm = version === 1 ? EVERY_TICK : readRhythm(from);
  const marks = Uint16Array.from({ length: Math.floor(stepped / rhythm.marks) }, () => from.u16());
  const links = Array.from({ length: Math.ceil(stepped / rhythm.links) }, () => {
    return [from.u32(), from.u32()].map((lane) => lane.toString(16).padStart(8, '0')).join('');
  });
  from.end();
  return { stepped, rhythm, marks, links };
}

function readRhythm(from: ByteReader): Rhythm {
  const [marks, links, kept] = [from.u32(), from.u32(), from.u8()];
  if (marks < 1 || links < 1 || links % marks !== 0 || kept > 1)
    throw new Damage(`it declares marks every ${marks} ticks, links every ${links}`);
  return { marks, links, keepsEvents: kept === 1 };
}

async function readKeyframes(bytes: Uint8Array, ticks: number): Promise<Keyframe[]> {
  const packed = new ByteReader(bytes);
  const from = new ByteReader(await unpack(packed, MOST_KEYFRAME_BYTES));
  packed.end();
  const count = from.u32();
  const size = from.u32();
  if (count * (size + 4) !== from.left || size % 8 !== 0) throw new Damage(`it declares ${count} keyframes of ${size} bytes`);
  const at = Array.from({ length: count }, () => from.u32());
  at.forEach((tick, i) => {
    if (tick <= (at[i - 1] ?? 0) || tick > ticks) throw new Damage(`a keyframe of tick ${tick} after one of tick ${at[i - 1] ?? 0}`);
  });
  const frame = new Uint8Array(size);
  return at.map((tick) => {
    const change = from.take(size);
    for (let i = 0; i < size; i++) frame[i]! ^= change[i]!;
    return { tick, snapshot: bytesToSnapshot(frame) };
  });
}

async function readEvents(bytes: Uint8Array, ticks: number, { keepsEvents }: Rhythm): Promise<TickEvents[] | null> {
  let last = 0;
  const kept = await unpackJson(bytes);
  if (!keepsEvents) {
    if (kept !== null) throw new InputError('events', 'none, for only the chain knows them', kept);
    return null;
  }
  return listAt(kept, 'events').map((raw, index) => {
    const path = `events[${index}]`;
    const pair = listAt(raw, path);
    last = intAt(pair[0], `${path}[0]`, last + 1, ticks);
    const events = listAt(pair[1], `${path}[1]`).map((event, i) => {
      if (typeof event !== 'object' || event === null || Array.isArray(event)) throw new InputError(`${path}[1][${i}]`, 'an event', event);
      textAt((event as Record<string, unknown>)['kind'], `${path}[1][${i}].kind`);
      return event as WorldEvent;
    });
    return { tick: last, events };
  });
}

async function readResult(bytes: Uint8Array, seats: number, ticks: number) {
  const raw = objectAt(await unpackJson(bytes), 'result', ['result', 'faults']);
  const faults = listAt(raw['faults'], 'faults').map((one, index) => readFault(one, `faults[${index}]`, seats, ticks));
  faults.forEach(({ seat }, index) => {
    if (faults.findIndex((one) => one.seat === seat) < index)
      throw new InputError(`faults[${index}].seat`, 'a seat that was not out yet', seat);
  });
  if (raw['result'] === null) return { result: null, faults };
  const given = objectAt(raw['result'], 'result', ['scores', 'ranks', 'reason']);
  const numbers = (name: string) => {
    const list = listAt(given[name], `result.${name}`);
    if (list.length !== seats) throw new InputError(`result.${name}`, `${seats} numbers`, list);
    return list.map((value, seat) => numberAt(value, `result.${name}[${seat}]`));
  };
  const result: Result = { scores: numbers('scores'), ranks: numbers('ranks'), reason: textAt(given['reason'], 'result.reason') };
  return { result, faults };
}

function readFault(raw: unknown, path: string, seats: number, ticks: number): ReplayFault {
  const fault = objectAt(raw, path, ['seat', 'tick', 'kind', 'reason']);
  return {
    seat: intAt(fault['seat'], `${path}.seat`, 0, seats - 1),
    tick: intAt(fault['tick'], `${path}.tick`, 0, ticks),
    kind: choiceAt(fault['kind'], `${path}.kind`, FAULT_KINDS),
    reason: textAt(fault['reason'], `${path}.reason`),
  };
}

function textAt(raw: unknown, path: string): string {
  if (typeof raw !== 'string') throw new InputError(path, 'a text', raw);
  return raw;
}

function listAt(raw: unknown, path: string): readonly unknown[] {
  if (!Array.isArray(raw)) throw new InputError(path, 'a list', raw);
  return raw as readonly unknown[];
}

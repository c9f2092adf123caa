import { InputError } from '@lockstep/kernel';
import { ByteReader, ByteWriter, Damage } from './bytes.ts';
import { crc32 } from './crc32.ts';

/**
 * A replay file: magic, version, total length, table of sections, CRC-32 of all that, then the sections one after another.
 * An entry of the table is the section's length and CRC-32, in the order of SECTIONS. All numbers low byte first.
 *
 *   head      JSON: world, rulesVersion, seed (decimal string), config, bots
 *   actions   ticks, width a seat, then the columns (column.ts)
 *   hashes    ticks that ended, rhythm (since version 2), two bytes a mark, then the links of the chain (chain.ts)
 *   keyframes snapshots of the state to seek from, if there are any
 *   events    JSON: [tick, events] for every tick that has some; null where only the chain knows them
 *   result    JSON: result and faults
 */
export const SECTIONS = ['head', 'actions', 'hashes', 'keyframes', 'events', 'result'] as const;
export type SectionName = (typeof SECTIONS)[number];
export type Sections = Readonly<Record<SectionName, Uint8Array>>;

export interface Container {
  readonly version: number;
  readonly sections: Sections;
}

/** What is written. Files of version 1 are read as well: their rhythm is that of every tick. */
export const VERSION = 2;
const OLDEST = 1;
/** As PNG's: a byte no text has, a name, and the line ends that a transfer as text would change. */
const MAGIC = Uint8Array.of(0x8c, 0x4c, 0x53, 0x52, 0x0d, 0x0a, 0x1a, 0x0a);
const HEAD_SIZE = MAGIC.length + 2 + 2 + 4 + SECTIONS.length * 8;
const LARGEST_FILE = 0xffff_ffff;

export function writeContainer(sections: Sections, version = VERSION): Uint8Array {
  const total = SECTIONS.reduce((sum, name) => sum + sections[name].length, HEAD_SIZE + 4);
  if (total > LARGEST_FILE) throw new InputError('replay', `a game that fits in ${LARGEST_FILE} bytes`, total);
  const out = new ByteWriter();
  out.put(MAGIC);
  out.u16(version);
  out.u16(SECTIONS.length);
  out.u32(total);
  for (const name of SECTIONS) {
    out.u32(sections[name].length);
    out.u32(crc32(sections[name]));
  }
  out.u32(crc32(out.done()));
  for (const name of SECTIONS) out.put(sections[name]);
  return out.done();
}

/** Every way in which a file can be wrong as a whole gets one line; `path` is how the file is called in it. */
export function readContainer(bytes: Uint8Array, path: string): Container {
  if (bytes.length === 0) throw new InputError(path, 'a lockstep replay', 'an empty file');
  const start = bytes.subarray(0, MAGIC.length);
  if (start.some((byte, i) => byte !== MAGIC[i]))
    throw new InputError(path, 'a lockstep replay', `a file that begins with ${hexOf(start)}`);
  const from = new ByteReader(bytes);
  try {
    return readSections(from, bytes, path);
  } catch (error) {
    if (error instanceof Damage) throw new InputError(path, `at least ${HEAD_SIZE + 4} bytes (the file is truncated)`, bytes.length);
    throw error;
  }
}

function readSections(from: ByteReader, bytes: Uint8Array, path: string): Container {
  from.take(MAGIC.length);
  const version = from.u16();
  if (version < OLDEST || version > VERSION) throw new InputError(path, `a replay of version ${OLDEST} or ${VERSION}`, version);
  const count = from.u16();
  const total = from.u32();
  const table = SECTIONS.map((name) => ({ name, length: from.u32(), crc: from.u32() }));
  const sum = crc32(bytes.subarray(0, from.at));
  const recorded = from.u32();
  const declared = table.reduce((size, { length }) => size + length, HEAD_SIZE + 4);
  if (sum !== recorded || count !== SECTIONS.length || declared !== total) {
    throw new InputError(`${path}: table of sections`, `CRC-32 ${crcText(recorded)} (it is damaged)`, crcText(sum));
  }
  if (bytes.length < total) throw new InputError(path, `${total} bytes (the file is truncated)`, bytes.length);
  if (bytes.length > total) throw new InputError(path, `${total} bytes (something was appended)`, bytes.length);
  const sections: Partial<Record<SectionName, Uint8Array>> = {};
  for (const { name, length, crc } of table) {
    const section = from.take(length);
    const found = crc32(section);
    if (found !== crc) throw new InputError(`${path}: section ${name}`, `CRC-32 ${crcText(crc)} (it is damaged)`, crcText(found));
    sections[name] = section;
  }
  return { version, sections: sections as Sections };
}

const crcText = (crc: number): string => crc.toString(16).padStart(8, '0');
const hexOf = (bytes: Uint8Array): string => Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join(' ');

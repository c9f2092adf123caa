import type { Reader } from './bytes.ts';

/** The instructions by their bytes: those that matter to whoever counts them. */
export const OP = {
  unreachable: 0x00,
  block: 0x02,
  loop: 0x03,
  if: 0x04,
  else: 0x05,
  end: 0x0b,
  br: 0x0c,
  brIf: 0x0d,
  brTable: 0x0e,
  return: 0x0f,
  call: 0x10,
  callIndirect: 0x11,
  select: 0x1b,
  localGet: 0x20,
  localSet: 0x21,
  globalGet: 0x23,
  globalSet: 0x24,
  f32Store: 0x38,
  f64Store: 0x39,
  memoryGrow: 0x40,
  i32Const: 0x41,
  i64Const: 0x42,
  f32Const: 0x43,
  f64Const: 0x44,
  i32Eq: 0x46,
  i32GtU: 0x4b,
  i64LtS: 0x53,
  f32Eq: 0x5b,
  f64Eq: 0x61,
  i32Add: 0x6a,
  i32Sub: 0x6b,
  i32Or: 0x72,
  i64Sub: 0x7d,
  i64Mul: 0x7e,
  i64ShrU: 0x88,
  f32Copysign: 0x98,
  f64Copysign: 0xa6,
  i64ExtendI32U: 0xad,
  i32ReinterpretF32: 0xbc,
  i64ReinterpretF64: 0xbd,
  /** First byte of those with two: 0xfc00 + the second. */
  more: 0xfc,
  memoryInit: 0xfc08,
  memoryCopy: 0xfc0a,
  memoryFill: 0xfc0b,
  tableInit: 0xfc0c,
  tableCopy: 0xfc0e,
  tableGrow: 0xfc0f,
  tableFill: 0xfc11,
} as const;

export const TYPE = { i32: 0x7f, i64: 0x7e, f32: 0x7d, f64: 0x7c, funcref: 0x70, externref: 0x6f, none: 0x40 } as const;
const VALUE_TYPES: readonly number[] = [TYPE.i32, TYPE.i64, TYPE.f32, TYPE.f64, TYPE.funcref, TYPE.externref];

export function valueType(reader: Reader): number {
  const type = reader.byte();
  if (VALUE_TYPES.includes(type)) return type;
  const what = type === 0x7b ? 'SIMD (v128)' : `a type 0x${type.toString(16)}`;
  throw reader.malformed('i32, i64, f32, f64, funcref or externref', what, reader.at - 1);
}

/** One instruction as it stands in the code. */
export interface Instruction {
  readonly op: number;
  /** What it takes off the stack and puts there; of blocks and calls the type tells. */
  readonly pops: number;
  readonly pushes: number;
  /** Of blocks: their type; of calls: whom or which type; of others 0. */
  readonly about: number;
}

type Shape = 'none' | 'index' | 'two' | 'memory' | 'byte' | 'i32' | 'i64' | 'f32' | 'f64' | 'block' | 'table' | 'types' | 'ref' | 'callee';
type Entry = readonly [first: number, last: number, pops: number, pushes: number, shape?: Shape];

/** WebAssembly 2.0 without vectors. Ranges of bytes, what they pop and push, what follows them. */
const ENTRIES: readonly Entry[] = [
  [0x00, 0x01, 0, 0],
  [0x02, 0x03, 0, 0, 'block'],
  [0x04, 0x04, 1, 0, 'block'],
  [0x05, 0x05, 0, 0],
  [0x0b, 0x0b, 0, 0],
  [0x0c, 0x0c, 0, 0, 'index'],
  [0x0d, 0x0d, 1, 0, 'index'],
  [0x0e, 0x0e, 1, 0, 'table'],
  [0x0f, 0x0f, 0, 0],
  [0x10, 0x10, 0, 0, 'callee'],
  [0x11, 0x11, 1, 0, 'two'],
  [0x1a, 0x1a, 1, 0],
  [0x1b, 0x1b, 3, 1],
  [0x1c, 0x1c, 3, 1, 'types'],
  [0x20, 0x20, 0, 1, 'index'],
  [0x21, 0x21, 1, 0, 'index'],
  [0x22, 0x22, 1, 1, 'index'],
  [0x23, 0x23, 0, 1, 'index'],
  [0x24, 0x24, 1, 0, 'index'],
  [0x25, 0x25, 1, 1, 'index'],
  [0x26, 0x26, 2, 0, 'index'],
  [0x28, 0x35, 1, 1, 'memory'],
  [0x36, 0x3e, 2, 0, 'memory'],
  [0x3f, 0x3f, 0, 1, 'byte'],
  [0x40, 0x40, 1, 1, 'byte'],
  [0x41, 0x41, 0, 1, 'i32'],
  [0x42, 0x42, 0, 1, 'i64'],
  [0x43, 0x43, 0, 1, 'f32'],
  [0x44, 0x44, 0, 1, 'f64'],
  [0x45, 0x45, 1, 1],
  [0x46, 0x4f, 2, 1],
  [0x50, 0x50, 1, 1],
  [0x51, 0x66, 2, 1],
  [0x67, 0x69, 1, 1],
  [0x6a, 0x78, 2, 1],
  [0x79, 0x7b, 1, 1],
  [0x7c, 0x8a, 2, 1],
  [0x8b, 0x91, 1, 1],
  [0x92, 0x98, 2, 1],
  [0x99, 0x9f, 1, 1],
  [0xa0, 0xa6, 2, 1],
  [0xa7, 0xc4, 1, 1],
  [0xd0, 0xd0, 0, 1, 'ref'],
  [0xd1, 0xd1, 1, 1],
  [0xd2, 0xd2, 0, 1, 'index'],
  [0xfc00, 0xfc07, 1, 1],
  [OP.memoryInit, OP.memoryInit, 3, 0, 'two'],
  [0xfc09, 0xfc09, 0, 0, 'index'],
  [OP.memoryCopy, OP.memoryCopy, 3, 0, 'two'],
  [OP.memoryFill, OP.memoryFill, 3, 0, 'index'],
  [OP.tableInit, OP.tableInit, 3, 0, 'two'],
  [0xfc0d, 0xfc0d, 0, 0, 'index'],
  [OP.tableCopy, OP.tableCopy, 3, 0, 'two'],
  [OP.tableGrow, OP.tableGrow, 2, 1, 'index'],
  [0xfc10, 0xfc10, 0, 1, 'index'],
  [OP.tableFill, OP.tableFill, 3, 0, 'index'],
];
const KNOWN = new Map<number, Entry>(
  ENTRIES.flatMap((entry) => Array.from({ length: entry[1] - entry[0] + 1 }, (_, i) => [entry[0] + i, entry] as const)),
);

/** What is known and refused, by its first byte. */
const REFUSED: Readonly<Record<number, string>> = {
  0x06: 'exceptions',
  0x07: 'exceptions',
  0x08: 'exceptions',
  0x09: 'exceptions',
  0x0a: 'exceptions',
  0x12: 'tail calls',
  0x13: 'tail calls',
  0x14: 'typed references',
  0x15: 'typed references',
  0x18: 'exceptions',
  0x19: 'exceptions',
  0x1f: 'exceptions',
  0xfb: 'garbage collection',
  0xfd: 'SIMD',
  0xfe: 'threads',
};

export function readInstruction(reader: Reader): Instruction {
  const from = reader.at;
  const first = reader.byte();
  const op = first === OP.more ? OP.more * 256 + Math.min(reader.u32(), 255) : first;
  const entry = KNOWN.get(op);
  if (entry === undefined) {
    const got = REFUSED[first] ?? `the instruction 0x${op.toString(16)}`;
    throw reader.malformed('WebAssembly 2.0 without SIMD', got, from);
  }
  const [, , pops, pushes, shape = 'none'] = entry;
  return { op, pops, pushes, about: skipRest(reader, shape) };
}

function skipRest(reader: Reader, shape: Shape): number {
  switch (shape) {
    case 'none':
      return 0;
    case 'block':
      return blockType(reader);
    case 'index':
      reader.u32();
      return 0;
    case 'callee':
      return reader.u32();
    case 'two': {
      const about = reader.u32();
      reader.u32();
      return about;
    }
    case 'memory':
      if (reader.u32() >= 64) throw reader.malformed('one memory', 'many');
      reader.u32();
      return 0;
    case 'byte':
      if (reader.byte() !== 0) throw reader.malformed('one memory', 'many');
      return 0;
    case 'i32':
      reader.signed(5);
      return 0;
    case 'i64':
      reader.signed(10);
      return 0;
    case 'f32':
      reader.skip(4);
      return 0;
    case 'f64':
      reader.skip(8);
      return 0;
    case 'ref':
    case 'types':
      if (shape === 'ref') valueType(reader);
      else reader.list(() => valueType(reader));
      return 0;
    case 'table':
      reader.list(() => reader.u32());
      reader.u32();
      return 0;
  }
}

/** -1: nothing; below that: one value; else the number of a type. */
function blockType(reader: Reader): number {
  const first = reader.bytes[reader.at];
  if (first === TYPE.none) {
    reader.skip(1);
    return -1;
  }
  if (first !== undefined && first >= 0x40 && first < 0x80) {
    valueType(reader);
    return -2;
  }
  const type = reader.signed(5);
  if (type < 0) throw reader.malformed('a type of a block', type);
  return type;
}

import { InputError } from '@lockstep/kernel';
import { Reader, Writer } from './bytes.ts';
import { OP, readInstruction, TYPE, valueType } from './code.ts';
import { meterFunction, type Signature } from './meter.ts';

/** What a module may ask for, by module and name: parameters; none of them gives anything. */
export const IMPORTS: Readonly<Record<string, readonly number[]>> = {
  'lockstep.log': [TYPE.i32, TYPE.i32],
  'lockstep.debug': [TYPE.i32, TYPE.i32],
  'env.abort': [TYPE.i32, TYPE.i32, TYPE.i32, TYPE.i32],
};
/** Ours; no module may have exports of these names. */
export const HIDDEN = { gas: 'lockstep:gas', depth: 'lockstep:depth', refused: 'lockstep:refused', start: 'lockstep:start' } as const;
export const PAGE = 65_536;
export const MOST_BYTES = 16 * 1024 * 1024;
const MOST_ELEMENTS = 100_000;

const SECTION = { custom: 0, type: 1, import: 2, function: 3, table: 4, memory: 5, global: 6, export: 7, start: 8, element: 9, code: 10, data: 11, dataCount: 12 } as const; // prettier-ignore
/** The order in which they stand. */
const ORDER: readonly number[] = [1, 2, 3, 4, 5, 6, 7, 8, 9, 12, 10, 11];

export interface Instrumented {
  readonly bytes: Uint8Array;
  /** What functions it exports, by name. */
  readonly functions: ReadonlyMap<string, Signature>;
  readonly hasMemory: boolean;
  readonly hasStart: boolean;
}

/**
 * The same module with a counter: every run of instructions is charged before it is done, calls are counted by depth, memory has a limit,
 * and a NaN has the same bits everywhere. Throws InputError for what is malformed, or not deterministic, or not WebAssembly 2.0.
 */
export function instrument(bytes: Uint8Array, mostMemory: number): Instrumented {
  if (bytes.length > MOST_BYTES) throw new InputError('wasm', `at most ${MOST_BYTES} bytes`, bytes.length);
  const magic = [0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00];
  if (!magic.every((byte, i) => bytes[i] === byte))
    throw new InputError('wasm', 'a WebAssembly module of version 1', `${bytes.length} other bytes`);
  return new ModuleCode(bytes, mostMemory).rewrite();
}

class ModuleCode {
  private readonly bytes: Uint8Array;
  private readonly mostPages: number;
  private readonly sections = new Map<number, Reader>();
  private types: Signature[] = [];
  /** Of all functions, imported ones first. */
  private functions: Signature[] = [];
  private imported = 0;
  private globals = 0;
  private exports: { readonly name: string; readonly kind: number; readonly index: number }[] = [];
  private start: number | null = null;
  private added: Signature[] = [];

  constructor(bytes: Uint8Array, mostMemory: number) {
    this.bytes = bytes;
    this.mostPages = Math.floor(mostMemory / PAGE);
  }

  rewrite(): Instrumented {
    this.split();
    this.types = this.section(SECTION.type, (r) => r.list(() => typeOf(r))) ?? [];
    const imports = this.section(SECTION.import, (r) => r.list(() => this.import(r))) ?? [];
    this.imported = imports.length;
    const own = this.section(SECTION.function, (r) => r.list(() => this.typeAt(r, r.u32()))) ?? [];
    this.functions = [...imports, ...own];
    const tables = this.section(SECTION.table, (r) => this.tables(r));
    const memories = this.section(SECTION.memory, (r) => this.memories(r));
    const globals = this.globalSection();
    this.exports = this.section(SECTION.export, (r) => r.list(() => exportOf(r))) ?? [];
    this.start = this.section(SECTION.start, (r) => r.u32());
    const code = this.section(SECTION.code, (r) => this.code(r, own));
    const made = new Map<number, Uint8Array | null>([
      [SECTION.type, this.typeSection()],
      [SECTION.table, tables],
      [SECTION.memory, memories],
      [SECTION.global, globals],
      [SECTION.export, this.exportSection()],
      [SECTION.start, null],
      [SECTION.code, code],
    ]);
    const out = new Writer().putAll(this.bytes.subarray(0, 8));
    for (const id of ORDER) {
      const old = this.sections.get(id);
      const content = made.has(id) ? made.get(id)! : old === undefined ? null : old.bytes.subarray(old.at, old.end);
      if (content !== null) out.put(id).u32(content.length).putAll(content);
    }
    const named = this.exports.filter(({ kind }) => kind === KIND.function);
    return {
      bytes: out.done,
      functions: new Map(named.map(({ name, index }) => [name, this.functions[index]!])),
      hasMemory: this.exports.some(({ name, kind }) => name === 'memory' && kind === KIND.memory),
      hasStart: this.start !== null,
    };
  }

  private split(): void {
    const reader = new Reader(this.bytes, 8);
    let last = -1;
    while (!reader.isDone) {
      const from = reader.at;
      const id = reader.byte();
      const size = reader.u32();
      const start = reader.at;
      reader.skip(size);
      if (id === SECTION.custom) continue;
      const place = ORDER.indexOf(id);
      if (place < 0)
        throw reader.malformed('a section of WebAssembly 2.0', id === 13 ? 'exceptions (a section of tags)' : `section ${id}`, from);
      if (place <= last) throw reader.malformed('sections in their order, each once', `section ${id}`, from);
      last = place;
      this.sections.set(id, new Reader(this.bytes, start, start + size));
    }
  }

  private section<T>(id: number, read: (reader: Reader) => T): T | null {
    const found = this.sections.get(id);
    if (found === undefined) return null;
    const reader = new Reader(found.bytes, found.at, found.end);
    const content = read(reader);
    if (!reader.isDone) throw reader.malformed('the end of a section', `${reader.end - reader.at} more bytes`);
    return content;
  }

  private typeAt(reader: Reader, index: number): Signature {
    const type = this.types[index];
    if (type === undefined) throw reader.malformed('a type that there is', index);
    return type;
  }

  private import(reader: Reader): Signature {
    const name = `${reader.name()}.${reader.name()}`;
    const wanted = IMPORTS[name];
    if (reader.byte() !== KIND.function || wanted === undefined)
      throw new InputError('wasm: imports', `nothing but the functions ${Object.keys(IMPORTS).join(', ')}`, name);
    const type = this.typeAt(reader, reader.u32());
    const fits = type.results.length === 0 && type.params.length === wanted.length && wanted.every((one, i) => type.params[i] === one);
    if (!fits) throw new InputError(`wasm: imports: ${name}`, `a function of ${wanted.length} i32 that gives nothing`, 'another type');
    return type;
  }

  private tables(reader: Reader): Uint8Array {
    const out = new Writer();
    const all = reader.list(() => {
      if (reader.bytes[reader.at] === 0x40) throw reader.malformed('a plain table', 'typed references');
      return { type: valueType(reader), ...limits(reader, 'table') };
    });
    out.u32(all.length);
    for (const { type, least, most } of all) {
      if (least > MOST_ELEMENTS) throw new InputError('wasm: table', `at most ${MOST_ELEMENTS} elements`, least);
      out.put(type, 1).u32(least).u32(Math.min(most, MOST_ELEMENTS));
    }
    return out.done;
  }

  private memories(reader: Reader): Uint8Array {
    const all = reader.list(() => limits(reader, 'memory'));
    if (all.length > 1) throw new InputError('wasm: memory', 'one memory', all.length);
    const out = new Writer().u32(all.length);
    for (const { least, most } of all) {
      if (least > this.mostPages)
        throw new InputError('wasm: memory', `at most ${this.mostPages} pages of 64 KB to begin with`, `${least} pages`);
      out
        .put(1)
        .u32(least)
        .u32(Math.max(least, Math.min(most, this.mostPages)));
    }
    return out.done;
  }

  /** Three more: gas, depth, and whether memory was refused. */
  private globalSection(): Uint8Array {
    const old = this.section(SECTION.global, (reader) => {
      const before = reader.at;
      this.globals = reader.u32();
      const from = reader.at;
      reader.at = before;
      reader.list(() => {
        valueType(reader);
        reader.byte();
        while (readInstruction(reader).op !== OP.end);
      });
      return reader.bytes.subarray(from, reader.at);
    });
    const out = new Writer().u32(this.globals + 3).putAll(old ?? []);
    out.put(TYPE.i64, 1, OP.i64Const, 0, OP.end);
    return out.put(TYPE.i32, 1, OP.i32Const, 0, OP.end, TYPE.i32, 1, OP.i32Const, 0, OP.end).done;
  }

  private exportSection(): Uint8Array {
    const taken = this.exports.find(({ name }) => name.startsWith('lockstep:'));
    if (taken !== undefined) throw new InputError('wasm: exports', 'names that do not begin with lockstep:', taken.name);
    const ours = [HIDDEN.gas, HIDDEN.depth, HIDDEN.refused].map((name, i) => ({ name, kind: KIND.global, index: this.globals + i }));
    const start = this.start === null ? [] : [{ name: HIDDEN.start, kind: KIND.function, index: this.start }];
    const all = [...this.exports, ...ours, ...start];
    const out = new Writer().u32(all.length);
    for (const { name, kind, index } of all) out.name(name).put(kind).u32(index);
    return out.done;
  }

  private code(reader: Reader, own: readonly Signature[]): Uint8Array {
    const around = {
      types: this.types,
      functions: this.functions,
      imported: this.imported,
      gas: this.globals,
      depth: this.globals + 1,
      refused: this.globals + 2,
      typeFor: (results: readonly number[]): number => this.typeFor(results),
    };
    const bodies = reader.list((index) => {
      const size = reader.u32();
      const from = reader.at;
      reader.skip(size);
      const signature = own[index];
      if (signature === undefined) throw reader.malformed(`the code of ${own.length} functions`, 'more', from);
      return meterFunction(new Reader(reader.bytes, from, reader.at), signature, around);
    });
    const out = new Writer().u32(bodies.length);
    for (const body of bodies) out.u32(body.length).putAll(body);
    return out.done;
  }

  private typeFor(results: readonly number[]): number {
    let found = this.added.findIndex((one) => one.results.join() === results.join());
    if (found < 0) found = this.added.push({ params: [], results }) - 1;
    return this.types.length + found;
  }

  private typeSection(): Uint8Array {
    const out = new Writer().u32(this.types.length + this.added.length);
    for (const { params, results } of [...this.types, ...this.added])
      out.put(0x60).u32(params.length).putAll(params).u32(results.length).putAll(results);
    return out.done;
  }
}

const KIND = { function: 0, memory: 2, global: 3 } as const;

function typeOf(reader: Reader): Signature {
  const form = reader.byte();
  if (form !== 0x60) throw reader.malformed('a type of a function', form === 0x4e || form === 0x50 ? 'garbage collection' : form);
  return { params: reader.list(() => valueType(reader)), results: reader.list(() => valueType(reader)) };
}

function exportOf(reader: Reader): { readonly name: string; readonly kind: number; readonly index: number } {
  const name = reader.name();
  return { name, kind: reader.byte(), index: reader.u32() };
}

function limits(reader: Reader, what: string): { readonly least: number; readonly most: number } {
  const flags = reader.byte();
  if (flags > 1) {
    const got = flags <= 3 ? 'shared (threads)' : flags <= 7 ? 'addresses of 64 bits' : `flags ${flags}`;
    throw new InputError(`wasm: ${what}`, 'a plain one', got);
  }
  const least = reader.u32();
  return { least, most: flags === 1 ? reader.u32() : Infinity };
}

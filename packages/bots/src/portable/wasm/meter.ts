import { type Reader, Writer } from './bytes.ts';
import { type Instruction, OP, readInstruction, TYPE, valueType } from './code.ts';

/** How many values a function or block takes and gives. */
export interface Signature {
  readonly params: readonly number[];
  readonly results: readonly number[];
}

/** What the code of all functions needs to know. */
export interface Surroundings {
  readonly types: readonly Signature[];
  /** Of every function, imported ones first. */
  readonly functions: readonly Signature[];
  readonly imported: number;
  /** The numbers of our globals. */
  readonly gas: number;
  readonly depth: number;
  readonly refused: number;
  /** The number of a type that gives these. */
  readonly typeFor: (results: readonly number[]) => number;
}

/** What an instruction costs. All of it is told in docs/wasm.md. */
export const PRICE = {
  plain: 1,
  division: 10,
  call: 5,
  indirect: 10,
  outside: 1000,
  eightBytes: 1,
  element: 1,
  page: 8192,
  entry: 8,
} as const;
/** Slots of the stack that all open calls may have: an engine's own stack is never the first to end. */
export const MOST_SLOTS = 40_000;
/** Of a call itself. */
const FRAME_SLOTS = 12;
/** A function that calls nobody and is this small goes on top of any stack. */
const SMALL_LEAF = 256;

/** Free: they only say where something begins or ends. */
const FREE = new Set<number>([0x01, OP.block, OP.loop, OP.else, OP.end]);
/** Divisions, remainders and roots. */
const DIVISIONS = new Set([0x6d, 0x6e, 0x6f, 0x70, 0x7f, 0x80, 0x81, 0x82, 0x91, 0x95, 0x9f, 0xa3]);
/** What lies on top of the stack says how long they take. */
const BY_LENGTH: Readonly<Record<number, number>> = {
  [OP.memoryGrow]: PRICE.page,
  [OP.memoryInit]: PRICE.eightBytes / 8,
  [OP.memoryCopy]: PRICE.eightBytes / 8,
  [OP.memoryFill]: PRICE.eightBytes / 8,
  [OP.tableInit]: PRICE.element,
  [OP.tableCopy]: PRICE.element,
  [OP.tableGrow]: PRICE.element,
  [OP.tableFill]: PRICE.element,
};
/** Where the bits of a float can be seen: before these a NaN becomes the one and only NaN. */
const SEES_F32 = new Set<number>([OP.f32Store, OP.f32Copysign, OP.i32ReinterpretF32]);
const SEES_F64 = new Set<number>([OP.f64Store, OP.f64Copysign, OP.i64ReinterpretF64]);

interface Block {
  readonly base: number;
  readonly params: number;
  readonly results: number;
  readonly op: number;
}

/** The code of one function, with its charges. `body` is what follows its size. */
export function meterFunction(body: Reader, signature: Signature, around: Surroundings): Uint8Array {
  const locals = body.list(() => [body.u32(), valueType(body)] as const);
  const declared = locals.reduce((sum, [count]) => sum + count, 0);
  const code = new FunctionCode(body, signature, around, signature.params.length + declared);
  const metered = code.meter(declared);
  const out = new Writer();
  out.u32(locals.length + code.spare.length);
  for (const [count, type] of locals) out.u32(count).put(type);
  for (const type of code.spare) out.u32(1).put(type);
  return out.putAll(metered).done;
}

class FunctionCode {
  /** Types of locals that we have added. */
  readonly spare: number[] = [];
  private readonly body: Reader;
  private readonly signature: Signature;
  private readonly around: Surroundings;
  private readonly locals: number;
  /** Finished pieces; a charge is put in when its block of instructions has ended. */
  private readonly pieces: (Uint8Array | null)[] = [];
  private out = new Writer();
  /** The block of instructions that runs as a whole: where its charge goes and what it costs. */
  private chargeAt = 0;
  private cost = 0;
  private readonly blocks: Block[] = [];
  private height = 0;
  private tallest = 0;
  private callsSomebody = false;
  /** Where `return` stands, for it becomes a branch in functions whose depth is counted. */
  private readonly returns: { readonly piece: number; readonly label: number }[] = [];

  constructor(body: Reader, signature: Signature, around: Surroundings, locals: number) {
    this.body = body;
    this.signature = signature;
    this.around = around;
    this.locals = locals;
  }

  meter(declared: number): Uint8Array {
    const { body, signature, blocks } = this;
    blocks.push({ base: 0, params: 0, results: signature.results.length, op: OP.block });
    this.begin(PRICE.entry + declared);
    while (blocks.length > 0) this.take();
    if (!body.isDone) throw body.malformed('the end of a function', 'more bytes');
    return this.assemble();
  }

  /** A new run of instructions. */
  private begin(cost = 0): void {
    this.flush();
    this.chargeAt = this.pieces.push(null) - 1;
    this.cost = cost;
  }

  private finish(): void {
    if (this.cost > 0) this.pieces[this.chargeAt] = this.charge(this.cost);
    this.cost = 0;
  }

  private flush(): void {
    if (this.out.length > 0) this.pieces.push(this.out.done);
    this.out = new Writer();
  }

  private take(): void {
    const { body } = this;
    const from = body.at;
    const instruction = readInstruction(body);
    const { op } = instruction;
    if (!FREE.has(op)) this.cost += this.priceOf(instruction);
    const raw = body.bytes.subarray(from, body.at);
    const label = this.blocks.length - 1;
    const isLast = op === OP.end && label === 0;
    if (op === OP.return) {
      this.flush();
      this.returns.push({ piece: this.pieces.push(raw) - 1, label });
    } else {
      if (BY_LENGTH[op] !== undefined) this.chargeLength(op);
      if (SEES_F32.has(op)) this.canonical(TYPE.f32);
      if (SEES_F64.has(op)) this.canonical(TYPE.f64);
      if (!isLast) this.out.putAll(raw);
      if (op === OP.memoryGrow) this.noteRefusal();
    }
    this.follow(instruction);
    if (ENDS_RUN.has(op)) {
      this.finish();
      if (!isLast) this.begin();
    }
  }

  private priceOf({ op, about }: Instruction): number {
    if (DIVISIONS.has(op)) return PRICE.division;
    if (op === OP.callIndirect) return PRICE.indirect;
    if (op === OP.call) return about < this.around.imported ? PRICE.outside : PRICE.call;
    return PRICE.plain;
  }

  /** How high the stack is. */
  private follow({ op, pops, pushes, about }: Instruction): void {
    const { blocks, around } = this;
    const current = blocks.at(-1)!;
    this.move(pops, pushes);
    if (op === OP.block || op === OP.loop || op === OP.if) {
      const { params, results } = this.blockSignature(about);
      this.move(params, 0);
      blocks.push({ base: this.height, params, results, op });
      this.move(0, params);
    } else if (op === OP.else) {
      this.height = current.base + current.params;
    } else if (op === OP.end) {
      blocks.pop();
      this.height = current.base;
      this.move(0, current.results);
    } else if (op === OP.call || op === OP.callIndirect) {
      this.callsSomebody = true;
      const callee = op === OP.call ? around.functions[about] : around.types[about];
      if (callee === undefined) throw this.body.malformed('a function or type that there is', about);
      this.move(callee.params.length, callee.results.length);
    } else if (op === OP.br || op === OP.brTable || op === OP.return || op === OP.unreachable) {
      this.height = current.base;
    }
  }

  private move(pops: number, pushes: number): void {
    this.height = Math.max(this.blocks.at(-1)?.base ?? 0, this.height - pops) + pushes;
    this.tallest = Math.max(this.tallest, this.height);
  }

  private blockSignature(about: number): { params: number; results: number } {
    if (about === -1) return { params: 0, results: 0 };
    if (about === -2) return { params: 0, results: 1 };
    const type = this.around.types[about];
    if (type === undefined) throw this.body.malformed('a type that there is', about);
    return { params: type.params.length, results: type.results.length };
  }

  private local(type: number): number {
    let found = this.spare.indexOf(type);
    if (found < 0) found = this.spare.push(type) - 1;
    return this.locals + found;
  }

  private charge(cost: number): Uint8Array {
    const { gas } = this.around;
    const out = new Writer();
    out.put(OP.globalGet).u32(gas).put(OP.i64Const).signed(cost).put(OP.i64Sub, OP.globalSet).u32(gas);
    return stopIfSpent(out, gas).done;
  }

  private chargeLength(op: number): void {
    const { out } = this;
    const { gas } = this.around;
    const length = this.local(TYPE.i32);
    out.put(OP.localSet).u32(length).put(OP.globalGet).u32(gas).put(OP.localGet).u32(length).put(OP.i64ExtendI32U);
    const price = BY_LENGTH[op]!;
    if (price > 1) out.put(OP.i64Const).signed(price).put(OP.i64Mul);
    if (price < 1) out.put(OP.i64Const).signed(3).put(OP.i64ShrU);
    out.put(OP.i64Sub, OP.globalSet).u32(gas);
    stopIfSpent(out, gas).put(OP.localGet).u32(length);
  }

  /** memory.grow says -1 where there is no more: if the bot fails then, it is known why. */
  private noteRefusal(): void {
    const { out } = this;
    const { refused } = this.around;
    const pages = this.local(TYPE.i32);
    out.put(OP.localSet).u32(pages).put(OP.globalGet).u32(refused).put(OP.localGet).u32(pages).put(OP.i32Const).signed(-1);
    out.put(OP.i32Eq, OP.i32Or, OP.globalSet).u32(refused).put(OP.localGet).u32(pages);
  }

  /** x == x ? x : NaN */
  private canonical(type: number): void {
    const wide = type === TYPE.f64;
    const value = this.local(type);
    const get = (): Writer => this.out.put(OP.localGet).u32(value);
    this.out.put(OP.localSet).u32(value);
    get().put(...(wide ? [OP.f64Const, 0, 0, 0, 0, 0, 0, 0xf8, 0x7f] : [OP.f32Const, 0, 0, 0xc0, 0x7f]));
    get();
    get().put(wide ? OP.f64Eq : OP.f32Eq, OP.select);
  }

  /** Where the depth is counted, all of the body is a block, which every way out has to pass. */
  private assemble(): Uint8Array {
    const { around, signature } = this;
    const slots = FRAME_SLOTS + this.locals + this.tallest;
    const counted = this.callsSomebody || slots > SMALL_LEAF;
    const out = new Writer();
    if (counted) {
      this.addDepth(out, slots, OP.i32Add).put(OP.globalGet).u32(around.depth).put(OP.i32Const).signed(MOST_SLOTS);
      out.put(OP.i32GtU, OP.if, TYPE.none, OP.unreachable, OP.end, OP.block);
      const [only] = signature.results;
      if (only === undefined) out.put(TYPE.none);
      else if (signature.results.length === 1) out.put(only);
      else out.signed(around.typeFor(signature.results));
      for (const { piece, label } of this.returns) this.pieces[piece] = new Writer().put(OP.br).u32(label).done;
    }
    this.flush();
    for (const piece of this.pieces) if (piece !== null) out.putAll(piece);
    if (counted) this.addDepth(out.put(OP.end), slots, OP.i32Sub);
    return out.put(OP.end).done;
  }

  private addDepth(out: Writer, slots: number, op: number): Writer {
    const { depth } = this.around;
    return out.put(OP.globalGet).u32(depth).put(OP.i32Const).signed(slots).put(op, OP.globalSet).u32(depth);
  }
}

/** After these something else may come in or go on. */
const ENDS_RUN = new Set<number>([OP.loop, OP.if, OP.else, OP.end, OP.br, OP.brIf, OP.brTable, OP.return, OP.unreachable]);

const stopIfSpent = (out: Writer, gas: number): Writer =>
  out.put(OP.globalGet).u32(gas).put(OP.i64Const).signed(0).put(OP.i64LtS, OP.if, TYPE.none, OP.unreachable, OP.end);

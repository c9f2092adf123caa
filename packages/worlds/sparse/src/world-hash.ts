import type { Store } from './store.ts';

const words = new Int32Array(2);
const double = new Float64Array(words.buffer);
double[0] = 1;
/** Which of the two words is the low one on this machine. */
const LOW = words[0] === 0 ? 0 : 1;

/**
 * 64 bits over every entity and every pair rule, as 16 hexadecimal digits. Each entity is digested by itself and the digests are added, so that
 * neither the order of rows nor that of chunks counts: stores that hold the same entities have the same hash, however they came to them.
 */
export function worldHash(store: Store): string {
  let a = store.count;
  let b = store.pairs.count;
  for (let row = 0; row < store.rowEnd; row++) {
    if (store.id[row] === 0) continue;
    const digest = new Digest();
    digestEntity(store, row, digest);
    a = (a + digest.a) | 0;
    b = (b + digest.b) | 0;
  }
  for (const [small, large, canCollide] of store.pairs.list()) {
    const digest = new Digest();
    digest.int(small);
    digest.int(large);
    digest.int(canCollide ? 1 : 0);
    a = (a + digest.a) | 0;
    b = (b + digest.b) | 0;
  }
  return hex(a) + hex(b);
}

function digestEntity(store: Store, row: number, digest: Digest): void {
  for (const word of [store.id[row]!, store.flags[row]!, store.chunkXOf(row), store.chunkYOf(row), store.chunkZOf(row)]) digest.int(word);
  for (const column of [store.x, store.y, store.z, store.vx, store.vy, store.vz]) digest.number(column[row]!);
  const { first, volumes } = store.shapes;
  const shape = store.shape[row]!;
  for (let at = first[shape]! * 6; at < first[shape + 1]! * 6; at++) digest.number(volumes[at]!);
  const { parameters } = store.parameters;
  for (let parameter = 0; parameter < parameters.length; parameter++) {
    const value = store.parameters.get(row, parameter);
    if (value === parameters[parameter]!.default) continue;
    digest.int(parameter);
    digest.number(value);
  }
}

/** Two lanes that feed each other, each word scrambled before it enters: the scheme of the kernel's hash. */
class Digest {
  a = 0x243f_6a88;
  b = 0x85a3_08d3 | 0;

  number(value: number): void {
    double[0] = value === value ? value + 0 : NaN;
    this.int(words[LOW]!);
    this.int(words[1 - LOW]!);
  }

  int(word: number): void {
    let w = Math.imul(word, 0x239b_961b);
    w = Math.imul((w << 15) | (w >>> 17), 0xab0e_9789);
    const a = Math.imul(this.a ^ w, 0x85eb_ca6b);
    this.a = (((a << 19) | (a >>> 13)) + this.b) | 0;
    this.b = (Math.imul((this.b << 17) | (this.b >>> 15), 5) + this.a + 0x561c_cd1b) | 0;
  }
}

const hex = (word: number): string => (word >>> 0).toString(16).padStart(8, '0');

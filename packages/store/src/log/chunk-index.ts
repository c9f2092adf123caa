import { type Box, type ChunkNumbers, EVERYWHERE } from '../ranges.ts';
import { NONE, type Row } from './format.ts';

/** Where the bytes of a chunk stand. */
export interface Place extends Row {
  readonly at: number;
  /** Of the frame that wrote it. */
  readonly seq: number;
}

const EMPTY = -1;

/** Which chunk stands where in the file: open addressing in columns, so that a million chunks are found again in a moment. */
export class ChunkIndex {
  count = 0;
  /** Bytes of all blobs. */
  bytes = 0;
  private mask = 15;
  private x = new Int32Array(16);
  private y = new Int32Array(16);
  private z = new Int32Array(16);
  private at = new Float64Array(16).fill(EMPTY);
  private length = new Uint32Array(16);
  private crc = new Uint32Array(16);
  private seq = new Float64Array(16);

  /** Takes in one row of a frame; `at` is where its blob begins. */
  put(row: Row, at: number, seq: number): void {
    if (row.length === NONE) {
      this.delete(row);
      return;
    }
    if (this.count * 2 > this.mask) this.grow(this.count * 2);
    const slot = this.find(row);
    if (this.at[slot] === EMPTY) this.count++;
    else this.bytes -= this.length[slot]!;
    this.bytes += row.length;
    this.fill(slot, row, at, seq);
  }

  get(numbers: ChunkNumbers): Place | null {
    const slot = this.find(numbers);
    return this.at[slot] === EMPTY ? null : this.place(slot);
  }

  /** In the order of the file. */
  within(range: Box): Place[] {
    const [sizeX, sizeY, sizeZ] = [range.maxX - range.minX + 1, range.maxY - range.minY + 1, range.maxZ - range.minZ + 1];
    if (sizeX <= 0 || sizeY <= 0 || sizeZ <= 0) return [];
    const found = sizeX * sizeY * sizeZ > this.count ? this.scan(range) : this.ask(range);
    return found.sort((a, b) => a.at - b.at);
  }

  /** Room for so many chunks at once. */
  reserve(count: number): void {
    if (count * 2 > this.mask) this.grow(count * 2);
  }

  private ask({ minX, minY, minZ, maxX, maxY, maxZ }: Box): Place[] {
    const found: Place[] = [];
    for (let z = minZ; z <= maxZ; z++)
      for (let y = minY; y <= maxY; y++)
        for (let x = minX; x <= maxX; x++) {
          const place = this.get({ x, y, z });
          if (place !== null) found.push(place);
        }
    return found;
  }

  private scan({ minX, minY, minZ, maxX, maxY, maxZ }: Box): Place[] {
    const found: Place[] = [];
    for (let slot = 0; slot <= this.mask; slot++) {
      if (this.at[slot] === EMPTY) continue;
      const [x, y, z] = [this.x[slot]!, this.y[slot]!, this.z[slot]!];
      if (x >= minX && x <= maxX && y >= minY && y <= maxY && z >= minZ && z <= maxZ) found.push(this.place(slot));
    }
    return found;
  }

  private place(slot: number): Place {
    const [x, y, z, length, crc] = [this.x[slot]!, this.y[slot]!, this.z[slot]!, this.length[slot]!, this.crc[slot]!];
    return { x, y, z, length, crc, at: this.at[slot]!, seq: this.seq[slot]! };
  }

  private fill(slot: number, { x, y, z, length, crc }: Row, at: number, seq: number): void {
    this.x[slot] = x;
    this.y[slot] = y;
    this.z[slot] = z;
    this.at[slot] = at;
    this.length[slot] = length;
    this.crc[slot] = crc;
    this.seq[slot] = seq;
  }

  /** The slot of a chunk, or the empty one where it would stand. */
  private find({ x, y, z }: ChunkNumbers): number {
    let slot = home(x, y, z) & this.mask;
    while (this.at[slot] !== EMPTY && (this.x[slot] !== x || this.y[slot] !== y || this.z[slot] !== z)) slot = (slot + 1) & this.mask;
    return slot;
  }

  /** Those behind it move up, so that nobody is behind a gap. */
  private delete(numbers: ChunkNumbers): void {
    let gap = this.find(numbers);
    if (this.at[gap] === EMPTY) return;
    this.count--;
    this.bytes -= this.length[gap]!;
    for (let next = (gap + 1) & this.mask; this.at[next] !== EMPTY; next = (next + 1) & this.mask) {
      const wanted = home(this.x[next]!, this.y[next]!, this.z[next]!) & this.mask;
      if (((next - wanted) & this.mask) < ((next - gap) & this.mask)) continue;
      this.fill(gap, this.place(next), this.at[next]!, this.seq[next]!);
      gap = next;
    }
    this.at[gap] = EMPTY;
  }

  private grow(wanted: number): void {
    const all = this.count === 0 ? [] : this.scan(EVERYWHERE);
    let size = this.mask + 1;
    while (size <= wanted) size *= 2;
    this.mask = size - 1;
    this.x = new Int32Array(size);
    this.y = new Int32Array(size);
    this.z = new Int32Array(size);
    this.at = new Float64Array(size).fill(EMPTY);
    this.length = new Uint32Array(size);
    this.crc = new Uint32Array(size);
    this.seq = new Float64Array(size);
    for (const place of all) this.fill(this.find(place), place, place.at, place.seq);
  }
}

function home(x: number, y: number, z: number): number {
  let hash = Math.imul(x, 0x9e37_79b1) ^ Math.imul(y, 0x85eb_ca77) ^ Math.imul(z, 0xc2b2_ae3d);
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b_3c6d);
  return (hash ^ (hash >>> 13)) >>> 0;
}

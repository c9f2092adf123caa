import type { FieldIO } from '@lockstep/kernel';
import { grown, roomFor } from './memory.ts';

const NONE = -1;

/** [SW-E26] Lists of rows, one for every chunk that big entities touch; -1 is the empty list. A node is a link and a row. */
export class BigLists {
  private nodes = new Int32Array(16);
  private end = 0;
  private freeNode = NONE;

  /** The list with one row more. */
  put(list: number, row: number): number {
    let node = this.freeNode;
    if (node === NONE) {
      node = this.end;
      if (node + 2 > this.nodes.length) this.nodes = grown(this.nodes, new Int32Array(roomFor(node + 2, this.nodes.length)));
      this.end += 2;
    } else this.freeNode = this.nodes[node]!;
    this.nodes[node] = list;
    this.nodes[node + 1] = row;
    return node;
  }

  /** The list without a row that is in it. */
  take(list: number, row: number): number {
    const { nodes } = this;
    let before = NONE;
    let node = list;
    while (nodes[node + 1] !== row) {
      before = node;
      node = nodes[node]!;
    }
    const next = nodes[node]!;
    if (before !== NONE) nodes[before] = next;
    nodes[node] = this.freeNode;
    this.freeNode = node;
    return before === NONE ? next : list;
  }

  /** Writes the rows into `into`, after those that are there; the answer is how many there are then. */
  rowsOf(list: number, into: number[], count: number): number {
    let end = count;
    for (let node = list; node !== NONE; node = this.nodes[node]!) into[end++] = this.nodes[node + 1]!;
    return end;
  }

  fields(io: FieldIO): void {
    const numbers = Int32Array.of(this.end, this.freeNode);
    io.derived(numbers);
    [this.end, this.freeNode] = numbers as unknown as [number, number];
    if (this.end > this.nodes.length) this.nodes = new Int32Array(this.end);
    io.derived(this.nodes.subarray(0, this.end));
  }
}

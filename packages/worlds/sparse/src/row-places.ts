import { grown } from './memory.ts';

/** By row: where an entity is in the table of chunks. */
export class RowPlaces {
  /** The slot of the chunk that holds its position; NOWHERE if it has none. */
  slot = new Int32Array(16);
  /** Where it stands in that chunk's list; of a free row, the next free one. */
  place = new Int32Array(16);

  grow(capacity: number): void {
    this.slot = grown(this.slot, new Int32Array(capacity));
    this.place = grown(this.place, new Int32Array(capacity));
  }
}

/**
 * A frame as it goes over a pipe: its length in bytes (u32), then so many bytes of doubles, all little-endian, as everything is wherever Node
 * runs. What the doubles say is told in portable/flat.ts; here they are written where they are sent from, into the same memory every time.
 */
export class FrameWriter {
  /** The length stands in the second half of the first one, so that all others lie at multiples of eight. */
  private doubles = new Float64Array(256);
  private length = new Uint32Array(this.doubles.buffer, 4, 1);
  private end = 1;

  /** To be sent before the next one is written. */
  view(tick: number, view: unknown): Uint8Array {
    this.end = 1;
    this.push(tick);
    this.put(view);
    return this.bytes;
  }

  /** No doubles: the game is over. */
  over(): Uint8Array {
    this.end = 1;
    return this.bytes;
  }

  private get bytes(): Uint8Array {
    this.length[0] = 8 * (this.end - 1);
    return new Uint8Array(this.doubles.buffer, 4, 8 * this.end - 4);
  }

  /** The last one, for people. */
  get text(): string {
    return `frame of ${this.end - 1} doubles: ${this.doubles.subarray(1, Math.min(this.end, 101)).join(' ')}`;
  }

  private put(value: unknown): void {
    if (typeof value === 'number') this.push(value);
    else if (typeof value === 'boolean') this.push(value ? 1 : 0);
    else if (value === null || value === undefined) this.push(NaN);
    else if (typeof value === 'string') {
      this.push(value.length);
      for (let i = 0; i < value.length; i++) this.push(value.charCodeAt(i));
    } else if (Array.isArray(value)) {
      this.push(value.length);
      for (let i = 0; i < value.length; i++) this.put(value[i]);
    } else for (const key in value) this.put((value as Record<string, unknown>)[key]);
  }

  private push(double: number): void {
    if (this.end === this.doubles.length) {
      const more = new Float64Array(2 * this.end);
      more.set(this.doubles);
      this.doubles = more;
      this.length = new Uint32Array(more.buffer, 4, 1);
    }
    this.doubles[this.end++] = double;
  }
}

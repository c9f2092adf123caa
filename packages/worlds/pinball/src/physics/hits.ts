/** What was hit. */
export const HIT_COLLIDER = 0;
export const HIT_MOVER = 1;
export const HIT_BALL = 2;
export const HIT_SENSOR = 3;

/**
 * [PB-6.5] What happened in a step, by column, in the order of time; for balls that cannot influence each other, ball by ball. Contacts at
 * rest are counted, not listed. The caller empties it.
 */
export class HitLog {
  count = 0;
  /** Hits that found no room. */
  dropped = 0;
  /** All hits, contacts at rest included. */
  total = 0;
  /** [PB-G7] Balls that were stopped by the hard cap. */
  capped = 0;
  readonly kind: Int32Array;
  readonly ball: Int32Array;
  /** The collider, the mover or the other ball, by its index. */
  readonly target: Int32Array;
  /** Seconds from the start of the step. */
  readonly time: Float64Array;
  /** Normal speed of the approach; for a sensor the speed across the line, negative from left to right, or the speed itself for a disk. */
  readonly speed: Float64Array;
  /** The point of contact C and the normal there, towards the ball. */
  readonly x: Float64Array;
  readonly y: Float64Array;
  readonly nx: Float64Array;
  readonly ny: Float64Array;

  constructor(room = 256) {
    this.kind = new Int32Array(room);
    this.ball = new Int32Array(room);
    this.target = new Int32Array(room);
    this.time = new Float64Array(room);
    this.speed = new Float64Array(room);
    this.x = new Float64Array(room);
    this.y = new Float64Array(room);
    this.nx = new Float64Array(room);
    this.ny = new Float64Array(room);
  }

  clear(): void {
    this.count = 0;
    this.dropped = 0;
    this.total = 0;
    this.capped = 0;
  }

  add(kind: number, ball: number, target: number, time: number, speed: number, x: number, y: number, nx: number, ny: number): void {
    const i = this.count;
    if (i === this.kind.length) {
      this.dropped++;
      return;
    }
    this.count = i + 1;
    this.kind[i] = kind;
    this.ball[i] = ball;
    this.target[i] = target;
    this.time[i] = time;
    this.speed[i] = speed;
    this.x[i] = x;
    this.y[i] = y;
    this.nx[i] = nx;
    this.ny[i] = ny;
  }
}

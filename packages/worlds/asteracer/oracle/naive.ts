/**
 * The document's simulation as it stands, in whole numbers without end: no index, no shortcut, nothing shared with src. The product must
 * equal it bit for bit.
 */
type NaiveCircle = { readonly x: number; readonly y: number; readonly radius: number };
interface NaiveMap {
  readonly racer: NaiveCircle;
  readonly box: { readonly min_x: number; readonly min_y: number; readonly max_x: number; readonly max_y: number };
  readonly asteroids: readonly NaiveCircle[];
  readonly goals: readonly NaiveCircle[];
}

type BigCircle = { readonly x: bigint; readonly y: bigint; readonly radius: bigint };
const big = ({ x, y, radius }: NaiveCircle): BigCircle => ({ x: BigInt(x), y: BigInt(y), radius: BigInt(radius) });

function isqrt(n: bigint): bigint {
  let low = 0n;
  let high = 1n;
  while (high * high <= n) high *= 2n;
  while (high - low > 1n) {
    const middle = (low + high) / 2n;
    if (middle * middle <= n) low = middle;
    else high = middle;
  }
  return low;
}

const truncated = (a: bigint, b: bigint): bigint => a / b;
const floored = (a: bigint, b: bigint): bigint => (a - (((a % b) + b) % b)) / b; // b > 0

export class NaiveRace {
  x: bigint;
  y: bigint;
  vx = 0n;
  vy = 0n;
  readonly reached: boolean[];
  collided = false;
  private readonly radius: bigint;
  private readonly box: readonly [bigint, bigint, bigint, bigint];
  private readonly asteroids: readonly BigCircle[];
  private readonly goals: readonly BigCircle[];
  private readonly divide: (a: bigint, b: bigint) => bigint;
  private readonly touches: (squared: bigint, R: bigint) => boolean;
  private readonly scores: (squared: bigint, R: bigint) => boolean;

  constructor({ racer, box, asteroids, goals }: NaiveMap, rules: 'document' | 'py2023' | 'cpp2023' | 'v2025') {
    this.x = BigInt(racer.x);
    this.y = BigInt(racer.y);
    this.radius = BigInt(racer.radius);
    this.box = [BigInt(box.min_x), BigInt(box.max_x), BigInt(box.min_y), BigInt(box.max_y)];
    this.asteroids = asteroids.map(big);
    this.goals = goals.map(big);
    this.reached = goals.map(() => false);
    this.divide = rules === 'document' || rules === 'py2023' ? floored : truncated;
    this.touches = rules === 'v2025' ? (squared, R) => isqrt(squared) <= R : (squared, R) => squared <= R * R;
    this.scores = rules === 'document' ? (squared, R) => squared < R * R : this.touches;
  }

  step(vx: number, vy: number): void {
    this.vx = this.divide(this.vx * 9n, 10n) + BigInt(vx);
    this.vy = this.divide(this.vy * 9n, 10n) + BigInt(vy);
    this.x += this.vx;
    this.y += this.vy;
    this.collided = false;
    for (let subtick = 0; subtick < 5; subtick++) {
      const asteroid = this.asteroidCollision();
      const box = this.boxCollision();
      if (!asteroid && !box) break;
      this.collided = true;
    }
    if (this.collided) {
      this.vx = this.divide(this.vx, 2n);
      this.vy = this.divide(this.vy, 2n);
    }
    this.goals.forEach((goal, i) => {
      if (this.scores(this.squaredTo(goal), goal.radius + this.radius)) this.reached[i] = true;
    });
  }

  /** The public state line. */
  line(): string {
    return `${this.x} ${this.y} ${this.vx} ${this.vy} ${this.reached.map((yes) => (yes ? '1' : '0')).join('')}`;
  }

  private squaredTo({ x, y }: BigCircle): bigint {
    return (this.x - x) * (this.x - x) + (this.y - y) * (this.y - y);
  }

  private asteroidCollision(): boolean {
    for (const asteroid of this.asteroids) {
      const R = asteroid.radius + this.radius;
      const squared = this.squaredTo(asteroid);
      if (!this.touches(squared, R)) continue;
      const distance = isqrt(squared);
      const vn = [this.x - asteroid.x, this.y - asteroid.y] as const;
      if (distance === 0n) this.x += R;
      else {
        this.x -= this.divide((distance - R) * vn[0], distance);
        this.y -= this.divide((distance - R) * vn[1], distance);
      }
      return true;
    }
    return false;
  }

  private boxCollision(): boolean {
    const [left, right, top, bottom] = this.box;
    const r = this.radius;
    let any = false;
    if (this.x - r < left) [this.x, any] = [left + r, true];
    if (this.x + r > right) [this.x, any] = [right - r, true];
    if (this.y - r < top) [this.y, any] = [top + r, true];
    if (this.y + r > bottom) [this.y, any] = [bottom - r, true];
    return any;
  }
}

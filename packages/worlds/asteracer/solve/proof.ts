/**
 * The document once more, in whole numbers without end, for runs that are to be written down: nothing is shared with the simulation that
 * the solver flies. Unlike the oracle it looks only at circles in the same upright strip of the map, still in file order, so that marathons
 * and a million asteroids take seconds.
 */
interface ProofCircle {
  readonly x: number;
  readonly y: number;
  readonly radius: number;
}
export interface ProofMap {
  readonly racer: ProofCircle;
  readonly box: { readonly min_x: number; readonly min_y: number; readonly max_x: number; readonly max_y: number };
  readonly asteroids: readonly ProofCircle[];
  readonly goals: readonly ProofCircle[];
}
export interface Proof {
  /** After so many ticks the last goal was reached; null if it was not. */
  readonly finishedAt: number | null;
  readonly collisions: number;
  /** x y vx vy after the last tick. */
  readonly end: string;
}

interface Disc {
  readonly x: bigint;
  readonly y: bigint;
  /** Both radii. */
  readonly reach: bigint;
}

type RuleSet = 'document' | 'py2023' | 'cpp2023' | 'v2025';

export function prove(map: ProofMap, rules: RuleSet, instructions: readonly { readonly vx: number; readonly vy: number }[]): Proof {
  const radius = BigInt(map.racer.radius);
  const discOf = (circle: ProofCircle): Disc => ({ x: BigInt(circle.x), y: BigInt(circle.y), reach: BigInt(circle.radius) + radius });
  const asteroids = new Strips(map.asteroids.map(discOf));
  const goals = map.goals.map(discOf);
  const floors = rules === 'document' || rules === 'py2023';
  const div = (a: bigint, b: bigint): bigint => (floors && a % b !== 0n && a < 0n !== b < 0n ? a / b - 1n : a / b);
  const low = [BigInt(map.box.min_x) + radius, BigInt(map.box.min_y) + radius] as const;
  const high = [BigInt(map.box.max_x) - radius, BigInt(map.box.max_y) - radius] as const;

  let [x, y, vx, vy] = [BigInt(map.racer.x), BigInt(map.racer.y), 0n, 0n];
  const open = new Set(goals);
  let collisions = 0;
  let finishedAt: number | null = open.size === 0 ? 0 : null;

  /** The squared distance where contact is possible at all, else null. */
  const squaredTo = (disc: Disc): bigint | null => {
    const dx = x - disc.x;
    if (dx > disc.reach || -dx > disc.reach) return null;
    const dy = y - disc.y;
    if (dy > disc.reach || -dy > disc.reach) return null;
    return dx * dx + dy * dy;
  };
  const isWithin = (disc: Disc, kind: 'contact' | 'goal'): boolean => {
    const squared = squaredTo(disc);
    if (squared === null) return false;
    if (rules === 'v2025') return squared < (disc.reach + 1n) * (disc.reach + 1n);
    return rules === 'document' && kind === 'goal' ? squared < disc.reach * disc.reach : squared <= disc.reach * disc.reach;
  };
  const subtick = (): boolean => {
    const hit = asteroids.at(x).find((asteroid) => isWithin(asteroid, 'contact'));
    if (hit !== undefined) {
      const [dx, dy] = [x - hit.x, y - hit.y];
      const distance = rootOf(dx * dx + dy * dy);
      if (dx === 0n && dy === 0n) x += hit.reach;
      else [x, y] = [x - div((distance - hit.reach) * dx, distance), y - div((distance - hit.reach) * dy, distance)];
    }
    let pushed = hit !== undefined;
    if (x < low[0]) [x, pushed] = [low[0], true];
    if (x > high[0]) [x, pushed] = [high[0], true];
    if (y < low[1]) [y, pushed] = [low[1], true];
    if (y > high[1]) [y, pushed] = [high[1], true];
    return pushed;
  };

  instructions.forEach((instruction, index) => {
    vx = div(vx * 9n, 10n) + BigInt(instruction.vx);
    vy = div(vy * 9n, 10n) + BigInt(instruction.vy);
    x += vx;
    y += vy;
    let subticks = 0;
    while (subticks < 5 && subtick()) subticks++;
    if (subticks > 0) {
      collisions++;
      [vx, vy] = [div(vx, 2n), div(vy, 2n)];
    }
    for (const goal of open) if (isWithin(goal, 'goal')) open.delete(goal);
    if (open.size === 0 && finishedAt === null) finishedAt = index + 1;
  });
  return { finishedAt, collisions, end: `${x} ${y} ${vx} ${vy}` };
}

/** Every strip is as wide as the widest disc, so that no disc lies in more than three. */
class Strips {
  private readonly width: bigint;
  private readonly strips = new Map<bigint, Disc[]>();

  constructor(discs: readonly Disc[]) {
    this.width = 2n * discs.reduce((most, { reach }) => (reach > most ? reach : most), 0n) + 1n;
    for (const disc of discs) {
      for (let strip = this.stripOf(disc.x - disc.reach); strip <= this.stripOf(disc.x + disc.reach); strip++) {
        const members = this.strips.get(strip);
        if (members === undefined) this.strips.set(strip, [disc]);
        else members.push(disc);
      }
    }
  }

  at(x: bigint): readonly Disc[] {
    return this.strips.get(this.stripOf(x)) ?? [];
  }

  private stripOf(x: bigint): bigint {
    return x < 0n ? (x + 1n) / this.width - 1n : x / this.width;
  }
}

/** The greatest whole number whose square is at most n, digit by digit in base 4. */
function rootOf(n: bigint): bigint {
  let bit = 1n;
  while (bit <= n) bit <<= 2n;
  let root = 0n;
  let rest = n;
  while (bit > 0n) {
    if (rest >= root + bit) {
      rest -= root + bit;
      root = (root >> 1n) + bit;
    } else root >>= 1n;
    bit >>= 2n;
  }
  return root;
}

import type { BoundingBox, Circle, RaceMap } from '@lockstep/asteracer';

/** All of one shape, wherever the map comes from. */
const plainly = ({ x, y, radius }: Circle): Circle => ({ x, y, radius });

/**
 * What one would write first: the document's steps under the rules of v2025, in doubles, every asteroid and every goal looked at in every
 * tick. Exact on maps of the public size.
 */
export class PlainRace {
  x: number;
  y: number;
  vx = 0;
  vy = 0;
  readonly reached: boolean[];
  private readonly radius: number;
  private readonly box: BoundingBox;
  private readonly asteroids: readonly Circle[];
  private readonly goals: readonly Circle[];

  constructor({ racer, box, asteroids, goals }: RaceMap) {
    this.x = racer.x;
    this.y = racer.y;
    this.radius = racer.radius;
    this.box = box;
    this.asteroids = asteroids.map(plainly);
    this.goals = goals.map(plainly);
    this.reached = goals.map(() => false);
  }

  step(vx: number, vy: number): void {
    this.vx = Math.trunc((this.vx * 9) / 10) + vx;
    this.vy = Math.trunc((this.vy * 9) / 10) + vy;
    this.x += this.vx;
    this.y += this.vy;
    let collided = false;
    for (let subtick = 0; subtick < 5; subtick++) {
      const asteroid = this.collideWithAsteroid();
      const box = this.collideWithBox();
      if (!asteroid && !box) break;
      collided = true;
    }
    if (collided) {
      this.vx = Math.trunc(this.vx / 2);
      this.vy = Math.trunc(this.vy / 2);
    }
    const { goals } = this;
    for (let i = 0; i < goals.length; i++) {
      const R = goals[i]!.radius + this.radius;
      if (this.squaredTo(goals[i]!) < (R + 1) * (R + 1)) this.reached[i] = true;
    }
  }

  private squaredTo({ x, y }: Circle): number {
    return (this.x - x) * (this.x - x) + (this.y - y) * (this.y - y);
  }

  private collideWithAsteroid(): boolean {
    const { asteroids } = this;
    for (let i = 0; i < asteroids.length; i++) {
      const asteroid = asteroids[i]!;
      const R = asteroid.radius + this.radius;
      const squared = this.squaredTo(asteroid);
      if (squared >= (R + 1) * (R + 1)) continue;
      const distance = Math.floor(Math.sqrt(squared));
      const push_by = distance - R;
      const vnX = this.x - asteroid.x;
      const vnY = this.y - asteroid.y;
      this.x -= Math.trunc((push_by * vnX) / distance);
      this.y -= Math.trunc((push_by * vnY) / distance);
      return true;
    }
    return false;
  }

  private collideWithBox(): boolean {
    const { box, radius, x, y } = this;
    if (this.x - radius < box.min_x) this.x = box.min_x + radius;
    if (this.x + radius > box.max_x) this.x = box.max_x - radius;
    if (this.y - radius < box.min_y) this.y = box.min_y + radius;
    if (this.y + radius > box.max_y) this.y = box.max_y - radius;
    return this.x !== x || this.y !== y;
  }
}

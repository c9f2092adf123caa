import { Circles } from './circles.ts';
import { Grid } from './grid.ts';
import type { RaceMap } from './map.ts';
import { RULE_SETS, type RuleName } from './rules.ts';

/** A map made ready for one set of rules: what a tick looks at. Shared by all states of a game, never changed. */
export class Track {
  readonly truncates: boolean;
  readonly startX: number;
  readonly startY: number;
  readonly asteroids: Circles;
  readonly goals: Circles;
  readonly grid: Grid;
  /** Where the racer's centre may be: the box without the racer's radius on each side. */
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;

  constructor({ racer, box, asteroids, goals }: RaceMap, name: RuleName) {
    const rules = RULE_SETS[name];
    this.truncates = rules.truncates;
    this.startX = racer.x;
    this.startY = racer.y;
    this.asteroids = new Circles(asteroids, racer.radius, rules.contact);
    this.goals = new Circles(goals, racer.radius, rules.goal);
    this.left = box.min_x + racer.radius;
    this.right = box.max_x - racer.radius;
    this.top = box.min_y + racer.radius;
    this.bottom = box.max_y - racer.radius;
    this.grid = new Grid(this, this.asteroids, this.goals);
  }
}

export interface Config {
  readonly rules: RuleName;
  /** The game ends after so many ticks. */
  readonly ticks: number;
  readonly map: RaceMap;
  readonly track: Track;
}

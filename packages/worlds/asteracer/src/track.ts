import { Circles } from './circles.ts';
import { Grid } from './grid.ts';
import type { RaceMap } from './map.ts';
import { RULE_SETS, type RuleName } from './rules.ts';

/** A tick moves a racer by less than 2^12. From within here it ends within 2^30, and the difference of two such places is an int32. */
export const NEAR_PLACE = 0x4000_0000 - 0x1000;

/** A map made ready for one set of rules: what a tick looks at. Shared by all states of a game, never changed. */
export class Track {
  readonly truncates: boolean;
  /** [AR-3.2] What makes `v * 9 // 10` and `v // 2` of a cut division: 9 and 0 to floor, 0 and 1 to go towards zero. */
  readonly slack: number;
  readonly carry: number;
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
  /** Whether all places where a tick may begin are within ±NEAR_PLACE. */
  readonly isNear: boolean;

  constructor({ racer, box, asteroids, goals }: RaceMap, name: RuleName) {
    const rules = RULE_SETS[name];
    this.truncates = rules.truncates;
    this.slack = rules.truncates ? 0 : 9;
    this.carry = rules.truncates ? 1 : 0;
    this.startX = racer.x;
    this.startY = racer.y;
    this.asteroids = new Circles(asteroids, racer.radius, rules.contact);
    this.goals = new Circles(goals, racer.radius, rules.goal);
    this.left = box.min_x + racer.radius;
    this.right = box.max_x - racer.radius;
    this.top = box.min_y + racer.radius;
    this.bottom = box.max_y - racer.radius;
    const places = [this.left, this.right, this.top, this.bottom, racer.x, racer.y];
    this.isNear = places.every((at) => Math.abs(at) <= NEAR_PLACE);
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

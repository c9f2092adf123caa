import { Circles } from './circles.ts';
import type { RaceMap } from './map.ts';
import { RULE_SETS, type RuleName } from './rules.ts';

/** A map made ready for one set of rules: what a tick looks at. Shared by all states of a game, never changed. */
export class Track {
  readonly truncates: boolean;
  readonly asteroids: Circles;
  readonly goals: Circles;
  /** Where the racer's centre may be: the box without the racer's radius on each side. */
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;

  constructor({ racer, box, asteroids, goals }: RaceMap, name: RuleName) {
    const rules = RULE_SETS[name];
    this.truncates = rules.truncates;
    this.asteroids = new Circles(asteroids, racer.radius, rules.contact, box);
    this.goals = new Circles(goals, racer.radius, rules.goal, box);
    this.left = box.min_x + racer.radius;
    this.right = box.max_x - racer.radius;
    this.top = box.min_y + racer.radius;
    this.bottom = box.max_y - racer.radius;
  }
}

export interface Config {
  readonly rules: RuleName;
  /** The game ends after so many ticks. */
  readonly ticks: number;
  readonly map: RaceMap;
  readonly track: Track;
}

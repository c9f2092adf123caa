import type { Bot } from '@lockstep/kernel';
import { Flight } from '../src/flight.ts';
import { MAX_INSTRUCTION } from '../src/rules.ts';
import { Track } from '../src/track.ts';
import type { Briefing, RaceView, Thrust } from '../src/view.ts';
import { thrustAt } from './thrusts.ts';
import { WayFinder } from './way.ts';

const DIRECTIONS = 24;
/** How long a thrust is held in thought, and how far ahead of the racer the way is measured, in ticks of its speed. */
const HOLD = 6;
const AHEAD = 5;
/** A collision costs half the speed. */
const PAIN = 12;
/** Where the way has not become shorter for so many ticks, the next ones are flown gently. */
const PATIENCE = 60;
const GENTLE_TICKS = 120;
const GENTLE_THRUST = 32;

const thrustsOf = (length: number): readonly Thrust[] => [
  ...Array.from({ length: DIRECTIONS }, (_, i) => thrustAt((2 * Math.PI * i) / DIRECTIONS, length)),
  { vx: 0, vy: 0 },
];
const THRUSTS = thrustsOf(MAX_INSTRUCTION);
const GENTLE_THRUSTS = thrustsOf(GENTLE_THRUST);

/** Flies to the nearest goal that is left, around the rocks: of all thrusts the one after which the way is shortest. */
export function pilot(briefing: Briefing, _seat: number): Bot<RaceView, Thrust> {
  const flight = new Flight(new Track(briefing, briefing.rules));
  const finder = new WayFinder(briefing);
  let target = -1;
  let ways: Int32Array = new Int32Array(0);
  let shortest = Infinity;
  let shortestAt = 0;
  let gentleUntil = 0;

  const aimAt = (goal: number, view: RaceView): void => {
    target = goal;
    ways = finder.waysTo(briefing.goals[target]!, view);
    shortest = Infinity;
    flight.open.fill(0);
    flight.setOpen(target, true);
  };
  const lengthAfter = (view: RaceView, { vx, vy }: Thrust, isGentle: boolean): number => {
    flight.x = view.x;
    flight.y = view.y;
    flight.vx = view.vx;
    flight.vy = view.vy;
    flight.collisions = 0;
    const ran = flight.hold(vx, vy, HOLD);
    if (flight.metCount > 0) {
      flight.setOpen(target, true);
      return ran - 1001;
    }
    const [x, y] = [flight.x + AHEAD * flight.vx, flight.y + AHEAD * flight.vy];
    return (isGentle ? finder.narrowLengthAt(ways, x, y) : finder.lengthAt(ways, x, y)) + flight.collisions * PAIN;
  };
  const isStuck = ({ tick, x, y }: RaceView): boolean => {
    const length = finder.narrowLengthAt(ways, x, y);
    if (length < shortest) {
      shortest = length;
      shortestAt = tick;
    } else if (tick - shortestAt > PATIENCE) {
      shortestAt = tick;
      gentleUntil = tick + GENTLE_TICKS;
    }
    return tick < gentleUntil;
  };

  return {
    act(view) {
      if (target < 0 || view.goals[target] === '1') {
        const next = nearest(briefing, view);
        if (next < 0) return { vx: 0, vy: 0 };
        aimAt(next, view);
      }
      const isGentle = isStuck(view);
      let best = THRUSTS[0]!;
      let least = Infinity;
      for (const thrust of isGentle ? GENTLE_THRUSTS : THRUSTS) {
        const length = lengthAfter(view, thrust, isGentle);
        if (length >= least) continue;
        least = length;
        best = thrust;
      }
      return { ...best };
    },
  };
}

/** -1 when no goal is left. */
function nearest({ goals }: Briefing, { x, y, goals: reached }: RaceView): number {
  let best = -1;
  let least = Infinity;
  goals.forEach((goal, i) => {
    const [dx, dy] = [goal.x - x, goal.y - y];
    if (reached[i] === '1' || dx * dx + dy * dy >= least) return;
    least = dx * dx + dy * dy;
    best = i;
  });
  return best;
}

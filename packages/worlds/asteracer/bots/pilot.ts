import type { Bot, WorldEvent } from '@lockstep/kernel';
import { Instruction } from '../src/action.ts';
import { State } from '../src/state.ts';
import { step } from '../src/step.ts';
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

const THRUSTS: readonly Thrust[] = [
  ...Array.from({ length: DIRECTIONS }, (_, i) => thrustAt((2 * Math.PI * i) / DIRECTIONS)),
  { vx: 0, vy: 0 },
];

/** Flies to the nearest goal that is left, around the rocks: of all thrusts the one after which the way is shortest. */
export function pilot(briefing: Briefing, _seat: number): Bot<RaceView, Thrust> {
  const { rules, ticks, goals } = briefing;
  const thought = new State({ rules, ticks, map: briefing, track: new Track(briefing, rules) });
  const finder = new WayFinder(briefing);
  let target = -1;
  let ways: Int32Array = new Int32Array(0);

  const hold = (view: RaceView, thrust: Thrust): number => {
    thought.x = view.x;
    thought.y = view.y;
    thought.vx = view.vx;
    thought.vy = view.vy;
    thought.reached.fill(0);
    const instruction = Object.assign(new Instruction(), thrust);
    const events: WorldEvent[] = [];
    for (let i = 0; i < HOLD; i++) {
      step(thought, [instruction], events);
      if (thought.reached[target] === 1) return i - 1000;
    }
    const pain = events.filter(({ kind }) => kind === 'collision').length * PAIN;
    return finder.lengthAt(ways, thought.x + AHEAD * thought.vx, thought.y + AHEAD * thought.vy) + pain;
  };

  return {
    act(view) {
      if (target < 0 || view.goals[target] === '1') {
        target = nearest(briefing, view);
        if (target < 0) return { vx: 0, vy: 0 };
        ways = finder.waysTo(goals[target]!);
      }
      let best = THRUSTS[0]!;
      let least = Infinity;
      for (const thrust of THRUSTS) {
        const length = hold(view, thrust);
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

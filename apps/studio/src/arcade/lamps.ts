import type { Layout, Point, State } from '@lockstep/pinball';

/** Which counters say that a switch was hit already: `{ on: ['lane L'], set: { L: 1 } }` lights lane L while L is 1. */
export type Lamps = ReadonlyMap<string, { readonly counter: number; readonly from: number }>;

const known = new WeakMap<Layout, Lamps>();

export function lampsOf(layout: Layout): Lamps {
  let lamps = known.get(layout);
  if (lamps === undefined) known.set(layout, (lamps = findLamps(layout)));
  return lamps;
}

function findLamps({ rules, counters }: Layout): Lamps {
  const names = Object.keys(counters);
  const lamps = new Map<string, { counter: number; from: number }>();
  for (const { on, set } of rules) {
    if (on.length !== 1) continue;
    for (const [counter, value] of Object.entries(set))
      if (value > (counters[counter] ?? 0)) lamps.set(on[0]!, { counter: names.indexOf(counter), from: value });
  }
  return lamps;
}

/** Does its lamp burn? */
export function isLit(layout: Layout, state: State, name: string): boolean {
  const lamp = lampsOf(layout).get(name);
  return lamp !== undefined && state.counters[lamp.counter]! >= lamp.from;
}

/** Where a switch is on the table. */
export function placeOfSwitch(layout: Layout, name: string): Point | null {
  for (const { name: own, at } of [...layout.bumpers, ...layout.rollovers, ...layout.saucers]) if (own === name) return at;
  for (const { name: own, from, to } of [...layout.slingshots, ...layout.targets, ...layout.lanes, ...layout.spinners])
    if (own === name) return [(from[0] + to[0]) / 2, (from[1] + to[1]) / 2];
  const ramp = layout.ramps.find((one) => one.name === name);
  return ramp === undefined ? null : [(ramp.exit.from[0] + ramp.exit.to[0]) / 2, (ramp.exit.from[1] + ramp.exit.to[1]) / 2];
}

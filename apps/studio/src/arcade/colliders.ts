import type { Layout, Point } from '@lockstep/pinball';

/** A collider or sensor as the overlay shows it. */
export interface Seen {
  readonly kind: 'wall' | 'one-way' | 'thrower' | 'target' | 'sensor' | 'drain' | 'mover';
  readonly name: string;
  readonly layers: readonly number[] | 'all';
  readonly shape:
    | { readonly is: 'lines'; readonly points: readonly Point[]; readonly closed: boolean }
    | { readonly is: 'arc'; readonly at: Point; readonly radius: number; readonly from: number; readonly to: number; readonly side: string }
    | { readonly is: 'capsule'; readonly from: Point; readonly to: Point; readonly fromRadius: number; readonly toRadius: number };
  /** Which sides hold: both, the left of its direction, or what is outside. */
  readonly holds: 'both' | 'left' | 'outside' | 'none';
}

const GROUND = [0];
const line = ({ from, to }: { readonly from: Point; readonly to: Point }): Seen['shape'] => ({
  is: 'lines',
  points: [from, to],
  closed: false,
});
const disk = ({ at, radius }: { readonly at: Point; readonly radius: number }, side = 'outside'): Seen['shape'] => ({
  is: 'arc',
  at,
  radius,
  from: 0,
  to: 2 * Math.PI,
  side,
});

/** All that balls can meet, one entry a collider, in the machine's own order; movers come last. */
export function collidersOf(layout: Layout): Seen[] {
  const seen = (kind: Seen['kind'], name: string, shape: Seen['shape'], holds: Seen['holds'], layers: Seen['layers'] = GROUND): Seen => ({
    kind,
    name,
    shape,
    holds,
    layers,
  });
  return [
    ...layout.walls.map((wall, i) => wallOf(wall, `walls[${i}]`)),
    ...layout.gates.map((gate) => seen('one-way', gate.name, line(gate), 'left')),
    ...layout.bumpers.map((bumper) => seen('thrower', bumper.name, disk(bumper), 'outside')),
    ...layout.slingshots.map((sling) => seen('thrower', sling.name, line(sling), 'both')),
    ...layout.targets.map((target) => seen('target', target.name, line(target), 'both')),
    ...layout.rollovers.map((rollover) => seen('sensor', rollover.name, disk(rollover), 'none')),
    ...layout.lanes.map((lane) => seen('sensor', lane.name, line(lane), 'none')),
    ...layout.spinners.map((spinner) => seen('sensor', spinner.name, line(spinner), 'none')),
    ...layout.saucers.map((saucer) => seen('sensor', saucer.name, disk(saucer), 'none')),
    ...layout.ramps.flatMap(({ name, layer, entrance, exit }) => [
      seen('sensor', `${name}: entrance`, line(entrance), 'none'),
      seen('sensor', `${name}: way back`, line(entrance), 'none', [layer]),
      seen('sensor', `${name}: exit`, line(exit), 'none', [layer]),
    ]),
    seen('drain', 'drain', line(layout.drain), 'none', 'all'),
    ...layout.flippers.map(({ name, pivot, length, baseRadius, tipRadius, rest }) => {
      const to: Point = [pivot[0] + length * Math.cos(rest), pivot[1] + length * Math.sin(rest)];
      return seen('mover', name, { is: 'capsule', from: pivot, to, fromRadius: baseRadius, toRadius: tipRadius }, 'outside');
    }),
    seen('mover', 'plunger', plungerLine(layout), 'outside'),
  ];
}

function plungerLine({ plunger: { at, width }, radius }: Layout): Seen['shape'] {
  const y = at[1] - radius;
  return line({ from: [at[0] - width / 2, y], to: [at[0] + width / 2, y] });
}

function wallOf(wall: Layout['walls'][number], name: string): Seen {
  const rest = { kind: 'wall', name: `${name}: ${wall.material}`, layers: wall.layers } as const;
  switch (wall.kind) {
    case 'polyline':
      return { ...rest, holds: 'both', shape: { is: 'lines', points: wall.points, closed: false } };
    case 'polygon':
      return { ...rest, holds: 'outside', shape: { is: 'lines', points: wall.points, closed: true } };
    case 'arc':
      return {
        ...rest,
        holds: 'both',
        shape: { is: 'arc', at: wall.at, radius: wall.radius, from: wall.from, to: wall.to, side: wall.side },
      };
    case 'post':
      return { ...rest, holds: 'outside', shape: disk(wall) };
    case 'bar': {
      const { from, to, radius } = wall;
      return { ...rest, holds: 'outside', shape: { is: 'capsule', from, to, fromRadius: radius, toRadius: radius } };
    }
  }
}

import { choiceAt, InputError, meant } from '@lockstep/kernel';
import type { Point } from '../physics/index.ts';
import { fill } from './fill.ts';
import type { Condition, Effects, Layout, Wall } from './layout.ts';
import { MODULES } from './modules/index.ts';
import { TABLE_SCHEMA } from './schema.ts';

/** [PB-M1.1] The door for tables: first what the schema says of each value, then what values say of each other. */
export function readLayout(raw: unknown, path = 'table'): Layout {
  const layout = fill(TABLE_SCHEMA, raw, path) as Layout;
  layout.walls.forEach((wall, i) => checkWall(wall, `${path}.walls[${i}]`));
  checkLines(layout, path);
  checkPlaces(layout, path);
  checkFlippers(layout, path);
  layout.ramps.forEach(({ slope }, i) => checkConvex(slope.points, `${path}.ramps[${i}].slope.points`));
  checkMaterials(layout, path);
  checkNames(layout, path);
  if (layout.module !== '') choiceAt(layout.module, `${path}.module`, Object.keys(MODULES));
  return layout;
}

const isSame = (a: Point, b: Point): boolean => a[0] === b[0] && a[1] === b[1];

function checkWall(wall: Wall, path: string): void {
  if (wall.kind === 'arc' && !(wall.to >= wall.from && wall.to <= wall.from + 2 * Math.PI))
    throw new InputError(`${path}.to`, `a number ${wall.from}..${wall.from + 2 * Math.PI}`, wall.to);
  if (wall.kind === 'bar') checkEnds(wall, path);
  if (wall.kind === 'polyline' || wall.kind === 'polygon') checkPoints(wall.points, wall.kind === 'polygon', `${path}.points`);
}

function checkEnds({ from, to }: { readonly from: Point; readonly to: Point }, path: string): void {
  if (isSame(from, to)) throw new InputError(`${path}.to`, 'another point than from', to);
}

function checkPoints(points: readonly Point[], closed: boolean, path: string): void {
  points.forEach((point, i) => {
    const before = i > 0 ? points[i - 1]! : closed ? points.at(-1)! : null;
    if (before !== null && isSame(before, point)) throw new InputError(`${path}[${i}]`, 'another point than the one before', point);
  });
}

/** All turns go the same way round. */
function checkConvex(points: readonly Point[], path: string): void {
  checkPoints(points, true, path);
  const turns = points.map(([ax, ay], i) => {
    const [bx, by] = points[(i + 1) % points.length]!;
    const [cx, cy] = points[(i + 2) % points.length]!;
    return (bx - ax) * (cy - by) - (by - ay) * (cx - bx);
  });
  const isConvex = turns.every((turn) => turn >= 0) || turns.every((turn) => turn <= 0);
  if (!isConvex || turns.every((turn) => turn === 0)) throw new InputError(path, 'a convex polygon', points);
}

function checkLines(layout: Layout, path: string): void {
  for (const list of ['slingshots', 'targets', 'lanes', 'spinners', 'gates'] as const)
    layout[list].forEach((line, i) => checkEnds(line, `${path}.${list}[${i}]`));
  layout.ramps.forEach(({ entrance, exit }, i) => {
    checkEnds(entrance, `${path}.ramps[${i}].entrance`);
    checkEnds(exit, `${path}.ramps[${i}].exit`);
  });
  checkEnds(layout.drain, `${path}.drain`);
}

/** [PB-M1.5] What is played with lies on the table; only walls may reach beyond its edge. */
function checkPlaces(layout: Layout, path: string): void {
  const { width, height } = layout;
  const check = (point: Point, at: string): void => {
    const [x, y] = point;
    if (x < 0 || x > width || y < 0 || y > height) throw new InputError(at, `a point on the table, [0,0]..[${width},${height}]`, point);
  };
  for (const list of ['bumpers', 'rollovers', 'saucers'] as const)
    layout[list].forEach(({ at }, i) => check(at, `${path}.${list}[${i}].at`));
  for (const list of ['slingshots', 'targets', 'lanes', 'spinners', 'gates'] as const)
    layout[list].forEach(({ from, to }, i) => {
      check(from, `${path}.${list}[${i}].from`);
      check(to, `${path}.${list}[${i}].to`);
    });
  layout.flippers.forEach(({ pivot }, i) => check(pivot, `${path}.flippers[${i}].pivot`));
  check(layout.plunger.at, `${path}.plunger.at`);
}

function checkFlippers({ flippers }: Layout, path: string): void {
  flippers.forEach(({ rest, raised, baseRadius, tipRadius }, i) => {
    const at = `${path}.flippers[${i}]`;
    if (rest === raised) throw new InputError(`${at}.raised`, 'another angle than rest', raised);
    if (tipRadius > baseRadius) throw new InputError(`${at}.tipRadius`, `at most baseRadius, ${baseRadius}`, tipRadius);
  });
}

function checkMaterials(layout: Layout, path: string): void {
  const materials = Object.keys(layout.materials);
  for (const list of ['walls', 'flippers', 'targets'] as const)
    layout[list].forEach(({ material }, i) => choiceAt(material, `${path}.${list}[${i}].material`, materials));
}

/** [PB-M1.2] Switches have one name each; rules speak of names that exist. */
function checkNames(layout: Layout, path: string): void {
  const names = new Set<string>();
  for (const list of ['bumpers', 'slingshots', 'targets', 'rollovers', 'lanes', 'spinners', 'saucers', 'ramps'] as const) {
    layout[list].forEach(({ name }, i) => {
      if (names.has(name)) throw new InputError(`${path}.${list}[${i}].name`, 'a name of its own', name);
      names.add(name);
    });
  }
  const known = (name: string, among: readonly string[], what: string, at: string): void => {
    if (!among.includes(name)) throw new InputError(at, `the name of ${what}${meant(name, among)}`, name);
  };
  const counters = Object.keys(layout.counters);
  const drops = layout.targets.filter(({ kind }) => kind === 'drop').map(({ name }) => name);
  const switches = [...names];
  const check = (effects: Effects & { readonly when: readonly Condition[] }, at: string): void => {
    effects.when.forEach(({ counter }, i) => known(counter, counters, 'a counter', `${at}.when[${i}].counter`));
    for (const name of Object.keys(effects.add)) known(name, counters, 'a counter', `${at}.add.${name}`);
    for (const name of Object.keys(effects.set)) known(name, counters, 'a counter', `${at}.set.${name}`);
    effects.raise.forEach((name, i) => known(name, drops, 'a drop target', `${at}.raise[${i}]`));
    if (effects.multiball > layout.capacity) throw new InputError(`${at}.multiball`, `at most ${layout.capacity} balls`, effects.multiball);
  };
  layout.rules.forEach((rule, k) => {
    rule.on.forEach((name, i) => known(name, switches, 'a switch', `${path}.rules[${k}].on[${i}]`));
    check(rule, `${path}.rules[${k}]`);
  });
  layout.missions.forEach((mission, k) => {
    const at = `${path}.missions[${k}]`;
    mission.starts.forEach((name, i) => known(name, switches, 'a switch', `${at}.starts[${i}]`));
    mission.steps.forEach(({ on }, s) => on.forEach((name, i) => known(name, switches, 'a switch', `${at}.steps[${s}].on[${i}]`)));
    check(mission, at);
  });
}

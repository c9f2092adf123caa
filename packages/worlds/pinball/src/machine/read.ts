import { choiceAt, InputError, intAt, meant, numberAt, objectAt } from '@lockstep/kernel';
import type { Material, Point } from '../physics/index.ts';
import type {
  Bumper,
  Condition,
  Effects,
  Flipper,
  Layout,
  Line,
  Mission,
  Plunger,
  Ramp,
  Rollover,
  Rule,
  Saucer,
  Slingshot,
  Spinner,
  Target,
  Tilt,
  Wall,
  WallShape,
} from './layout.ts';

const FAR = 10_000;
const FAST = 100_000;
const MANY = 1_000_000_000;
const FIELDS = [
  'name',
  'width',
  'height',
  'radius',
  'gravity',
  'capacity',
  'materials',
  'walls',
  'flippers',
  'bumpers',
  'slingshots',
  'plunger',
  'targets',
  'rollovers',
  'lanes',
  'spinners',
  'gates',
  'saucers',
  'ramps',
  'drain',
  'ballSave',
  'tilt',
  'counters',
  'rules',
  'missions',
] as const;
const EFFECTS = ['score', 'add', 'set', 'raise', 'multiball', 'save', 'extraBalls', 'multiplier'] as const;

type Raw = Record<string, unknown>;

/** [PB-M1.1] The door for tables: what is left out has a default, what is wrong is named by path. */
export function readLayout(raw: unknown, path = 'table'): Layout {
  const given = objectAt(raw, path, FIELDS);
  const materials = dictionaryAt(given['materials'], `${path}.materials`, materialAt);
  const material = (value: unknown, at: string): string => choiceAt(value, at, Object.keys(materials));
  const list = <T>(name: string, read: (value: unknown, at: string) => T): T[] => listAt(given[name], `${path}.${name}`, read);
  const layout: Layout = {
    name: textAt(given['name'], `${path}.name`),
    width: numberAt(given['width'], `${path}.width`, 1, FAR),
    height: numberAt(given['height'], `${path}.height`, 1, FAR),
    radius: numberAt(given['radius'], `${path}.radius`, 0.01, 100),
    gravity: pointAt(given['gravity'], `${path}.gravity`),
    capacity: intAt(orElse(given['capacity'], 1), `${path}.capacity`, 1, 20),
    materials,
    walls: list('walls', (value, at) => wallAt(value, at, material)),
    flippers: list('flippers', (value, at) => flipperAt(value, at, material)),
    bumpers: list('bumpers', bumperAt),
    slingshots: list('slingshots', slingshotAt),
    plunger: plungerAt(given['plunger'], `${path}.plunger`),
    targets: list('targets', (value, at) => targetAt(value, at, material)),
    rollovers: list('rollovers', rolloverAt),
    lanes: list('lanes', lineAt),
    spinners: list('spinners', spinnerAt),
    gates: list('gates', lineAt),
    saucers: list('saucers', saucerAt),
    ramps: list('ramps', rampAt),
    drain: endsAt(given['drain'], `${path}.drain`),
    ballSave: secondsAt(orElse(given['ballSave'], 0), `${path}.ballSave`),
    tilt: tiltAt(orElse(given['tilt'], {}), `${path}.tilt`),
    counters: dictionaryAt(orElse(given['counters'], {}), `${path}.counters`, (value, at) => intAt(value, at, -MANY, MANY)),
    rules: list('rules', ruleAt),
    missions: list('missions', missionAt),
  };
  checkNames(layout, path);
  return layout;
}

/** What was left out; null was not. */
const orElse = (value: unknown, fallback: unknown): unknown => (value === undefined ? fallback : value);

function textAt(raw: unknown, path: string): string {
  if (typeof raw !== 'string' || raw === '' || raw.length > 80) throw new InputError(path, 'a short text', raw);
  return raw;
}

function pointAt(raw: unknown, path: string): Point {
  if (!Array.isArray(raw) || raw.length !== 2) throw new InputError(path, 'a point [x, y]', raw);
  return [numberAt(raw[0], `${path}[0]`, -FAST, FAST), numberAt(raw[1], `${path}[1]`, -FAST, FAST)];
}

function listAt<T>(raw: unknown, path: string, read: (value: unknown, path: string) => T): T[] {
  if (raw === undefined) return [];
  if (!Array.isArray(raw) || raw.length > 1000) throw new InputError(path, 'a list', raw);
  return raw.map((value, i) => read(value, `${path}[${i}]`));
}

function pointsAt(raw: unknown, path: string, least: number): Point[] {
  const points = listAt(raw, path, pointAt);
  if (points.length < least) throw new InputError(path, `${least} points or more`, raw);
  points.forEach(([x, y], i) => {
    // Three or more may be closed; two are a line.
    const before = i > 0 ? points[i - 1]! : least > 2 ? points.at(-1)! : null;
    if (before !== null && before[0] === x && before[1] === y)
      throw new InputError(`${path}[${i}]`, 'another point than the one before', points[i]);
  });
  return points;
}

/** All turns go the same way round. */
function convexAt(raw: unknown, path: string): Point[] {
  const points = pointsAt(raw, path, 3);
  const turns = points.map(([ax, ay], i) => {
    const [bx, by] = points[(i + 1) % points.length]!;
    const [cx, cy] = points[(i + 2) % points.length]!;
    return (bx - ax) * (cy - by) - (by - ay) * (cx - bx);
  });
  const isConvex = turns.every((turn) => turn >= 0) || turns.every((turn) => turn <= 0);
  if (!isConvex || turns.every((turn) => turn === 0)) throw new InputError(path, 'a convex polygon', raw);
  return points;
}

function dictionaryAt<T>(raw: unknown, path: string, read: (value: unknown, path: string) => T): Record<string, T> {
  if (typeof raw !== 'object' || raw === null || Array.isArray(raw)) throw new InputError(path, 'an object', raw);
  return Object.fromEntries(Object.entries(raw).map(([key, value]) => [key, read(value, `${path}.${key}`)]));
}

const secondsAt = (raw: unknown, path: string): number => numberAt(raw, path, 0, 3600);
const sizeAt = (raw: unknown, path: string): number => numberAt(raw, path, 0.01, FAR);
const namesAt = (raw: unknown, path: string): string[] => listAt(raw, path, textAt);

function materialAt(raw: unknown, path: string): Material {
  const given = objectAt(raw, path, ['restitution', 'friction', 'falloff']);
  return {
    restitution: numberAt(given['restitution'], `${path}.restitution`, 0, 1),
    friction: numberAt(orElse(given['friction'], 0), `${path}.friction`, 0, 10),
    falloff: numberAt(orElse(given['falloff'], 0), `${path}.falloff`, 0, 10),
  };
}

function endsOf(given: Raw, path: string): { from: Point; to: Point } {
  const from = pointAt(given['from'], `${path}.from`);
  const to = pointAt(given['to'], `${path}.to`);
  if (from[0] === to[0] && from[1] === to[1]) throw new InputError(`${path}.to`, 'another point than from', to);
  return { from, to };
}

const endsAt = (raw: unknown, path: string): { from: Point; to: Point } => endsOf(objectAt(raw, path, ['from', 'to']), path);

type ReadMaterial = (value: unknown, path: string) => string;

const WALL_FIELDS = {
  polyline: ['points'],
  polygon: ['points'],
  arc: ['at', 'radius', 'from', 'to', 'side'],
  post: ['at', 'radius'],
  bar: ['from', 'to', 'radius'],
} as const;

function wallAt(raw: unknown, path: string, material: ReadMaterial): Wall {
  if (typeof raw !== 'object' || raw === null) throw new InputError(path, 'an object', raw);
  const kind = choiceAt((raw as Raw)['kind'], `${path}.kind`, ['polyline', 'polygon', 'arc', 'post', 'bar']);
  const given = objectAt(raw, path, ['kind', ...WALL_FIELDS[kind], 'material', 'layers']);
  return {
    ...wallShapeAt(kind, given, path),
    material: material(given['material'], `${path}.material`),
    layers: given['layers'] === undefined ? [0] : listAt(given['layers'], `${path}.layers`, (value, at) => intAt(value, at, 0, 30)),
  };
}

function wallShapeAt(kind: WallShape['kind'], given: Raw, path: string): WallShape {
  switch (kind) {
    case 'polyline':
    case 'polygon':
      return { kind, points: pointsAt(given['points'], `${path}.points`, kind === 'polygon' ? 3 : 2) };
    case 'arc': {
      const from = numberAt(given['from'], `${path}.from`, -10, 10);
      return {
        kind,
        at: pointAt(given['at'], `${path}.at`),
        radius: sizeAt(given['radius'], `${path}.radius`),
        from,
        to: numberAt(given['to'], `${path}.to`, from, from + 2 * Math.PI),
        side: choiceAt(orElse(given['side'], 'both'), `${path}.side`, ['outside', 'inside', 'both']),
      };
    }
    case 'post':
      return { kind, at: pointAt(given['at'], `${path}.at`), radius: sizeAt(given['radius'], `${path}.radius`) };
    case 'bar':
      return { kind, ...endsOf(given, path), radius: sizeAt(given['radius'], `${path}.radius`) };
  }
}

const FLIPPER_FIELDS = ['name', 'button', 'pivot', 'length', 'baseRadius', 'tipRadius', 'rest', 'raised', 'mass'] as const;
const FLIPPER_DRIVE = ['strength', 'hold', 'endOfStroke', 'spring', 'material'] as const;

function flipperAt(raw: unknown, path: string, material: ReadMaterial): Flipper {
  const given = objectAt(raw, path, [...FLIPPER_FIELDS, ...FLIPPER_DRIVE]);
  const rest = numberAt(given['rest'], `${path}.rest`, -7, 7);
  const raised = numberAt(given['raised'], `${path}.raised`, -7, 7);
  if (rest === raised) throw new InputError(`${path}.raised`, 'another angle than rest', raised);
  const length = sizeAt(given['length'], `${path}.length`);
  const baseRadius = sizeAt(given['baseRadius'], `${path}.baseRadius`);
  return {
    name: textAt(given['name'], `${path}.name`),
    button: choiceAt(given['button'], `${path}.button`, ['left', 'right']),
    pivot: pointAt(given['pivot'], `${path}.pivot`),
    length,
    baseRadius,
    tipRadius: numberAt(given['tipRadius'], `${path}.tipRadius`, 0.01, baseRadius),
    rest,
    raised,
    mass: numberAt(orElse(given['mass'], 1), `${path}.mass`, 0.01, 1000),
    strength: numberAt(orElse(given['strength'], 2500), `${path}.strength`, 1, FAST),
    hold: numberAt(orElse(given['hold'], 0.4), `${path}.hold`, 0, 1),
    endOfStroke: numberAt(orElse(given['endOfStroke'], 0.1), `${path}.endOfStroke`, 0, 7),
    spring: numberAt(orElse(given['spring'], 900), `${path}.spring`, 1, FAST),
    material: material(given['material'], `${path}.material`),
  };
}

/** Hits from `threshold` on are thrown back at `throwSpeed`. */
function throwOf(given: Raw, path: string): { throwSpeed: number; threshold: number } {
  return {
    throwSpeed: numberAt(given['throwSpeed'], `${path}.throwSpeed`, 0, FAST),
    threshold: numberAt(orElse(given['threshold'], 10), `${path}.threshold`, 0, FAST),
  };
}

function bumperAt(raw: unknown, path: string): Bumper {
  const given = objectAt(raw, path, ['name', 'at', 'radius', 'throwSpeed', 'threshold']);
  return { ...discOf(given, path), ...throwOf(given, path) };
}

function slingshotAt(raw: unknown, path: string): Slingshot {
  const given = objectAt(raw, path, ['name', 'from', 'to', 'throwSpeed', 'threshold']);
  return { name: textAt(given['name'], `${path}.name`), ...endsOf(given, path), ...throwOf(given, path) };
}

function plungerAt(raw: unknown, path: string): Plunger {
  const given = objectAt(raw, path, ['at', 'width', 'travel', 'speed', 'scatter']);
  return {
    at: pointAt(given['at'], `${path}.at`),
    width: sizeAt(given['width'], `${path}.width`),
    travel: sizeAt(given['travel'], `${path}.travel`),
    speed: numberAt(given['speed'], `${path}.speed`, 1, FAST),
    scatter: numberAt(orElse(given['scatter'], 0), `${path}.scatter`, 0, 0.5),
  };
}

function targetAt(raw: unknown, path: string, material: ReadMaterial): Target {
  const given = objectAt(raw, path, ['name', 'kind', 'from', 'to', 'material', 'threshold']);
  return {
    name: textAt(given['name'], `${path}.name`),
    kind: choiceAt(given['kind'], `${path}.kind`, ['drop', 'stand-up']),
    ...endsOf(given, path),
    material: material(given['material'], `${path}.material`),
    threshold: numberAt(orElse(given['threshold'], 5), `${path}.threshold`, 0, FAST),
  };
}

function discOf(given: Raw, path: string): Rollover {
  return {
    name: textAt(given['name'], `${path}.name`),
    at: pointAt(given['at'], `${path}.at`),
    radius: sizeAt(given['radius'], `${path}.radius`),
  };
}

const rolloverAt = (raw: unknown, path: string): Rollover => discOf(objectAt(raw, path, ['name', 'at', 'radius']), path);

function lineAt(raw: unknown, path: string): Line {
  const given = objectAt(raw, path, ['name', 'from', 'to']);
  return { name: textAt(given['name'], `${path}.name`), ...endsOf(given, path) };
}

function spinnerAt(raw: unknown, path: string): Spinner {
  const given = objectAt(raw, path, ['name', 'from', 'to', 'drag', 'rub']);
  return {
    name: textAt(given['name'], `${path}.name`),
    ...endsOf(given, path),
    drag: numberAt(orElse(given['drag'], 0.05), `${path}.drag`, 0, 1),
    rub: numberAt(orElse(given['rub'], 1), `${path}.rub`, 0.1, 100),
  };
}

function saucerAt(raw: unknown, path: string): Saucer {
  const given = objectAt(raw, path, ['name', 'at', 'radius', 'catchSpeed', 'seconds', 'kick']);
  return {
    ...discOf(given, path),
    catchSpeed: numberAt(orElse(given['catchSpeed'], 200), `${path}.catchSpeed`, 0, FAST),
    seconds: secondsAt(orElse(given['seconds'], 1), `${path}.seconds`),
    kick: pointAt(given['kick'], `${path}.kick`),
  };
}

function rampAt(raw: unknown, path: string): Ramp {
  const given = objectAt(raw, path, ['name', 'layer', 'entrance', 'exit', 'slope']);
  const slope = objectAt(given['slope'], `${path}.slope`, ['points', 'gravity']);
  return {
    name: textAt(given['name'], `${path}.name`),
    layer: intAt(given['layer'], `${path}.layer`, 1, 30),
    entrance: endsAt(given['entrance'], `${path}.entrance`),
    exit: endsAt(given['exit'], `${path}.exit`),
    slope: {
      points: convexAt(slope['points'], `${path}.slope.points`),
      gravity: pointAt(slope['gravity'], `${path}.slope.gravity`),
    },
  };
}

function tiltAt(raw: unknown, path: string): Tilt {
  const given = objectAt(raw, path, ['nudge', 'limit', 'warnings']);
  return {
    nudge: numberAt(orElse(given['nudge'], 1), `${path}.nudge`, 0, 100),
    limit: numberAt(orElse(given['limit'], 1.5), `${path}.limit`, 0.01, 1000),
    warnings: intAt(orElse(given['warnings'], 2), `${path}.warnings`, 0, 100),
  };
}

function conditionAt(raw: unknown, path: string): Condition {
  const given = objectAt(raw, path, ['counter', 'min', 'max']);
  return {
    counter: textAt(given['counter'], `${path}.counter`),
    min: intAt(orElse(given['min'], -MANY), `${path}.min`, -MANY, MANY),
    max: intAt(orElse(given['max'], MANY), `${path}.max`, -MANY, MANY),
  };
}

function effectsOf(given: Raw, path: string): Effects {
  const whole = (value: unknown, at: string): number => intAt(value, at, -MANY, MANY);
  return {
    score: intAt(orElse(given['score'], 0), `${path}.score`, 0, MANY),
    add: dictionaryAt(orElse(given['add'], {}), `${path}.add`, whole),
    set: dictionaryAt(orElse(given['set'], {}), `${path}.set`, whole),
    raise: namesAt(given['raise'], `${path}.raise`),
    multiball: intAt(orElse(given['multiball'], 0), `${path}.multiball`, 0, 20),
    save: secondsAt(orElse(given['save'], 0), `${path}.save`),
    extraBalls: intAt(orElse(given['extraBalls'], 0), `${path}.extraBalls`, 0, 10),
    multiplier: intAt(orElse(given['multiplier'], 0), `${path}.multiplier`, 0, 100),
  };
}

function ruleAt(raw: unknown, path: string): Rule {
  const given = objectAt(raw, path, ['on', 'when', ...EFFECTS]);
  return {
    on: namesAt(given['on'], `${path}.on`),
    when: listAt(given['when'], `${path}.when`, conditionAt),
    ...effectsOf(given, path),
  };
}

function missionAt(raw: unknown, path: string): Mission {
  const given = objectAt(raw, path, ['name', 'starts', 'when', 'seconds', 'steps', ...EFFECTS]);
  const steps = listAt(given['steps'], `${path}.steps`, (value, at) => {
    const step = objectAt(value, at, ['on', 'times']);
    return { on: namesAt(step['on'], `${at}.on`), times: intAt(orElse(step['times'], 1), `${at}.times`, 1, 1000) };
  });
  if (steps.length === 0) throw new InputError(`${path}.steps`, 'one step or more', given['steps']);
  return {
    name: textAt(given['name'], `${path}.name`),
    starts: namesAt(given['starts'], `${path}.starts`),
    when: listAt(given['when'], `${path}.when`, conditionAt),
    seconds: numberAt(given['seconds'], `${path}.seconds`, 1, 3600),
    steps,
    ...effectsOf(given, path),
  };
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

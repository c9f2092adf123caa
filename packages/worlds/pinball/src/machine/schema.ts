/** What of JSON Schema (2020-12) tables need; `fill` in fill.ts reads by it, any other validator can. */
export interface Schema {
  readonly $schema?: string;
  readonly $id?: string;
  readonly title?: string;
  readonly description?: string;
  readonly type?: 'object' | 'array' | 'string' | 'number' | 'integer';
  readonly default?: unknown;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly enum?: readonly string[];
  readonly const?: string;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly prefixItems?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  /** false, or of a dictionary what its values are. */
  readonly additionalProperties?: false | Schema;
  /** Objects of several kinds: each says its own by a constant `kind`. */
  readonly oneOf?: readonly Schema[];
}

const FAR = 10_000;
const FAST = 100_000;
const MANY = 1_000_000_000;

type Fields = Readonly<Record<string, Schema>>;

/** Fields without a default must be there. */
function object(description: string, properties: Fields): Schema {
  const required = Object.keys(properties).filter((name) => properties[name]!.default === undefined);
  return { description, type: 'object', properties, required, additionalProperties: false };
}

const number = (description: string, minimum: number, maximum: number): Schema => ({ description, type: 'number', minimum, maximum });
const whole = (description: string, minimum: number, maximum: number): Schema => ({ description, type: 'integer', minimum, maximum });
const size = (description: string): Schema => number(description, 0.01, FAR);
const text = (description: string): Schema => ({ description, type: 'string', minLength: 1, maxLength: 80 });
const or = (schema: Schema, value: unknown): Schema => ({ ...schema, default: value });

function point(description: string): Schema {
  const prefixItems = [number('x', -FAST, FAST), number('y', -FAST, FAST)];
  return { description, type: 'array', prefixItems, minItems: 2, maxItems: 2 };
}

/** A list that may be left out, unless it has a least length. */
function list(description: string, items: Schema, minItems = 0): Schema {
  const rest: Schema = { description, type: 'array', items, maxItems: 1000 };
  return minItems === 0 ? { ...rest, default: [] } : { ...rest, minItems };
}

const dictionary = (description: string, values: Schema): Schema => ({ description, type: 'object', additionalProperties: values });
const choice = (description: string, ...words: string[]): Schema => ({ description, type: 'string', enum: words });
const kind = (word: string): Schema => ({ description: 'what it is', type: 'string', const: word });

const line: Fields = { from: point('one end'), to: point('the other end, elsewhere') };
const ends = (description: string): Schema => object(description, line);
const disc: Fields = { at: point('its middle'), radius: size('its radius') };
const named: Fields = { name: text('its own name; rules speak of it') };
const material = text('the name of one of the materials');
const onLayers: Fields = {
  material,
  layers: { ...list('on which levels it stands', whole('0 is the table itself', 0, 30)), default: [0] },
};
const thrower: Fields = {
  throwSpeed: number('how fast a ball leaves it', 0, FAST),
  threshold: or(number('slower hits do not count', 0, FAST), 10),
};

const wall: Schema = {
  description: 'something that stands still',
  oneOf: [
    object('a line through points, without thickness', {
      kind: kind('polyline'),
      points: list('its points', point('a point'), 2),
      ...onLayers,
    }),
    object('a solid shape', { kind: kind('polygon'), points: list('its corners', point('a corner'), 3), ...onLayers }),
    object('a part of a circle, without thickness', {
      kind: kind('arc'),
      ...disc,
      from: number('the angle at which it begins', -10, 10),
      to: number('the angle at which it ends: after the beginning, at most a full turn', -10, 10 + 2 * Math.PI),
      side: or(choice('from where it is hit', 'outside', 'inside', 'both'), 'both'),
      ...onLayers,
    }),
    object('a round post', { kind: kind('post'), ...disc, ...onLayers }),
    object('a bar with round ends', { kind: kind('bar'), ...line, radius: size('half its thickness'), ...onLayers }),
  ],
};

const flipper = object('turns about its pivot', {
  name: text('its name'),
  button: choice('who raises it', 'left', 'right'),
  pivot: point('where it turns'),
  length: size('from the pivot to the middle of its tip'),
  baseRadius: size('its radius at the pivot'),
  tipRadius: size('its radius at the tip, not more than at the pivot'),
  rest: number('its angle at rest', -7, 7),
  raised: number('its angle when raised, another one', -7, 7),
  mass: or(number('in balls', 0.01, 1000), 1),
  strength: or(number('the solenoid, in radians a second squared', 1, FAST), 2500),
  hold: or(number('the part of its strength at the end of the stroke', 0, 1), 0.4),
  endOfStroke: or(number('how near the end that is', 0, 7), 0.1),
  spring: or(number('what brings it back, in radians a second squared', 1, FAST), 900),
  material,
});

const counters = (description: string): Schema => dictionary(description, whole('a whole number', -MANY, MANY));
const names = (description: string): Schema => list(description, text('a name'));
const when = list(
  'all of this must hold',
  object('a counter in a range', {
    counter: text('its name'),
    min: or(whole('at least', -MANY, MANY), -MANY),
    max: or(whole('at most', -MANY, MANY), MANY),
  }),
);
const effects: Fields = {
  score: or(whole('points, times the multiplier', 0, MANY), 0),
  add: or(counters('added to counters'), {}),
  set: or(counters('what counters become'), {}),
  raise: names('drop targets that come up again'),
  multiball: or(whole('so many balls shall be in play', 0, 20), 0),
  save: or(number('seconds of ball save; beside a multiball, only if that begins now', 0, 3600), 0),
  extraBalls: or(whole('more balls to play', 0, 10), 0),
  multiplier: or(whole('of later scores; 0 leaves it', 0, 100), 0),
};

/** [PB-M1.1] A table, as people write it. */
export const TABLE_SCHEMA: Schema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  $id: 'lockstep-pinball-table',
  title: 'A pinball table',
  ...object('Lengths in centimetres, angles in radians, speeds in centimetres a second; x runs to the right, y away from the player.', {
    name: text('what it is called'),
    width: number('from x = 0 on', 1, FAR),
    height: number('from y = 0 on', 1, FAR),
    radius: number('of the ball', 0.01, 100),
    gravity: point('the acceleration of a ball'),
    capacity: or(whole('so many balls can be on the table at once', 1, 20), 1),
    materials: dictionary(
      'by name',
      object('how balls bounce and rub', {
        restitution: number('the part of the normal speed that comes back', 0, 1),
        friction: or(number('Coulomb friction', 0, 10), 0),
        falloff: or(number('restitution at speed v is divided by 1 + falloff v', 0, 10), 0),
      }),
    ),
    walls: list('what stands still', wall),
    flippers: list('what players move', flipper),
    bumpers: list('round, and throw', object('a pop bumper', { ...named, ...disc, ...thrower })),
    slingshots: list('straight, and throw', object('a slingshot', { ...named, ...line, ...thrower })),
    plunger: object('a slider across the shooter lane', {
      at: point('where a ball is served'),
      width: size('of the lane'),
      travel: size('how far it can be pulled'),
      speed: number('of a launch by a full pull', 1, FAST),
      scatter: or(number('the part of that speed by which the dice change each launch', 0, 0.5), 0),
    }),
    targets: list(
      'to be hit',
      object('falls when hit, or stays', {
        ...named,
        kind: choice('what it does', 'drop', 'stand-up'),
        ...line,
        material,
        threshold: or(number('slower hits do not count', 0, FAST), 5),
      }),
    ),
    rollovers: list('told by whoever rolls over', object('a round switch', { ...named, ...disc })),
    lanes: list('told by whoever crosses', object('a switch across a way', { ...named, ...line })),
    spinners: list(
      'plates over a way',
      object('turns on after a ball has passed, a switch each half turn', {
        ...named,
        ...line,
        drag: or(number('the part of its speed that a ball loses', 0, 1), 0.05),
        rub: or(number('how soon it stands again, a second', 0.1, 100), 1),
      }),
    ),
    gates: list('let pass from the right of from → to only', object('a one-way gate', { ...named, ...line })),
    saucers: list(
      'holes that hold a ball',
      object('holds a slow ball for a time, then kicks it', {
        ...named,
        ...disc,
        catchSpeed: or(number('faster balls pass over it', 0, FAST), 200),
        seconds: or(number('how long', 0, 3600), 1),
        kick: point('the speed it gives'),
      }),
    ),
    ramps: list(
      'ways on another level',
      object('entered from the right of its line; the exit leads to the ground', {
        ...named,
        layer: whole('its level', 1, 30),
        entrance: ends('where it begins'),
        exit: ends('where it ends'),
        slope: object('where it rises', {
          points: list('a convex polygon', point('a corner'), 3),
          gravity: point('the acceleration there'),
        }),
      }),
    ),
    drain: ends('who crosses it is lost'),
    ballSave: or(number('seconds after the launch in which a lost ball comes back', 0, 3600), 0),
    tilt: or(
      object('pushing', {
        nudge: or(number('how far the table gives way to a full push', 0, 100), 1),
        limit: or(number('how far the plumb bob may swing', 0.01, 1000), 1.5),
        warnings: or(whole('how often it warns before it tilts', 0, 100), 2),
      }),
      {},
    ),
    counters: or(counters('whole numbers that rules count with, and what they are at first'), {}),
    rules: list('applied in their order', object('when one of these switches closes', { on: names('switches'), when, ...effects })),
    missions: list(
      'one at a time',
      object('steps in order, within a time; at the end its effects', {
        name: text('its name'),
        starts: names('switches that begin it'),
        when,
        seconds: number('the time for all steps', 1, 3600),
        steps: list(
          'what is to be done',
          object('one of these switches, so often', { on: names('switches'), times: or(whole('how often', 1, 1000), 1) }),
          1,
        ),
        ...effects,
      }),
    ),
    module: or({ description: 'a rules module by its name, or none', type: 'string', maxLength: 80 }, ''),
  }),
};

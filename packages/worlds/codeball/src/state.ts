import type { FieldIO, Seed } from '@lockstep/kernel';
import { createDice, diceFields, type Dice } from './draws.ts';
import type { Config } from './rules.ts';

/** [CB-2.1] Entity: a ball-shaped body. Flat number fields only. */
export class Entity {
  x = 0;
  y = 0;
  z = 0;
  vx = 0;
  vy = 0;
  vz = 0;
  radius = 0;
}

export class Robot extends Entity {
  nitro = 0;
  touch = false;
  /** Meaningful while `touch`; afterwards the last one stays. */
  nx = 0;
  ny = 0;
  nz = 0;
  readonly id: number;
  readonly seat: number;

  constructor(id: number, seat: number) {
    super();
    this.id = id;
    this.seat = seat;
  }
}

/** [CB-1.5] A nitro pack. `respawnTicks` 0 = alive. */
export class NitroPack {
  respawnTicks = 0;
  readonly id: number;
  readonly x: number;
  readonly y: number;
  readonly z: number;

  constructor(id: number, x: number, y: number, z: number) {
    this.id = id;
    this.x = x;
    this.y = y;
    this.z = z;
  }
}

export class State {
  tick = 0;
  scoreA = 0;
  scoreB = 0;
  crashedA = false;
  crashedB = false;
  /** Ticks until the next kick-off after a goal; 0 while the ball is in play. */
  resetTicks = 0;
  readonly ball = new Entity();
  /** In id order; `order` is the runner's shuffled array, as indices into this one. */
  readonly robots: readonly Robot[];
  readonly order: Int32Array;
  readonly packs: readonly NitroPack[];
  readonly dice: Dice;
  /** Shared by all states of a game, never changed, not part of the field list. */
  readonly config: Config;

  constructor(config: Config, seed: Seed) {
    const n = config.rules.team_size;
    this.config = config;
    this.robots = Array.from({ length: 2 * n }, (_, i) => new Robot(i + 1, i < n ? 0 : 1));
    this.order = Int32Array.from({ length: 2 * n }, (_, i) => i);
    this.packs = config.nitro ? nitroPacks(config) : [];
    this.dice = createDice(config, seed);
  }
}

function nitroPacks({ rules }: Config): NitroPack[] {
  const { NITRO_PACK_X: x, NITRO_PACK_Y: y, NITRO_PACK_Z: z } = rules;
  return [new NitroPack(1, -x, y, -z), new NitroPack(2, -x, y, z), new NitroPack(3, x, y, -z), new NitroPack(4, x, y, z)];
}

/** Every field of the state, once, in a fixed order. */
export function fields(io: FieldIO, state: State): void {
  state.tick = io.num(state.tick);
  state.scoreA = io.num(state.scoreA);
  state.scoreB = io.num(state.scoreB);
  state.crashedA = io.bool(state.crashedA);
  state.crashedB = io.bool(state.crashedB);
  state.resetTicks = io.num(state.resetTicks);
  entityFields(io, state.ball);
  for (const robot of state.robots) {
    entityFields(io, robot);
    robot.nitro = io.num(robot.nitro);
    robot.touch = io.bool(robot.touch);
    robot.nx = io.num(robot.nx);
    robot.ny = io.num(robot.ny);
    robot.nz = io.num(robot.nz);
  }
  io.ints(state.order);
  for (const pack of state.packs) pack.respawnTicks = io.num(pack.respawnTicks);
  diceFields(io, state.dice);
}

function entityFields(io: FieldIO, e: Entity): void {
  e.x = io.num(e.x);
  e.y = io.num(e.y);
  e.z = io.num(e.z);
  e.vx = io.num(e.vx);
  e.vy = io.num(e.vy);
  e.vz = io.num(e.vz);
  e.radius = io.num(e.radius);
}

import { type FieldIO, type Rng, rngFields, type Seed, seedRng } from '@lockstep/kernel';
import { physicsFields, PhysicsState } from '../physics/index.ts';
import type { Machine } from './machine.ts';

/** The machine holds the memory of a step, so it stays out of what a copy or a comparison of states sees. */
export class Config {
  /** The name of a table of ours, or null for one that came as data. */
  readonly ours: string | null;
  readonly balls: number;
  /** After so many the game is over. */
  readonly ticks: number;
  readonly #machine: Machine;

  constructor(machine: Machine, ours: string | null, balls: number, ticks: number) {
    this.#machine = machine;
    this.ours = ours;
    this.balls = balls;
    this.ticks = ticks;
  }

  get machine(): Machine {
    return this.#machine;
  }
}

export class State {
  tick = 0;
  score = 0;
  /** [PB-M6] Balls that are still to be played, the present one included. */
  ballsLeft: number;
  /** Balls that wait to be put on the plunger, and how many of them are launched by the machine. */
  toServe = 1;
  toLaunch = 0;
  /** Ticks of ball save that are left; they pass while no ball is on the plunger. */
  save = 0;
  /** What the dice made of the present launch: a part of the plunger's speed. */
  launch = 1;
  multiplier = 1;
  /** [PB-M5.3] The mission that runs or -1, where it is, and the ticks that are left. */
  mission = -1;
  missionStep = 0;
  missionCount = 0;
  missionTicks = 0;
  missionsDone = 0;
  /** [PB-M3.3] How far the table is from its place, the plumb bob's swing, and what they do. */
  tableX = 0;
  tableY = 0;
  tableVx = 0;
  tableVy = 0;
  bobX = 0;
  bobY = 0;
  bobVx = 0;
  bobVy = 0;
  warnings = 0;
  /** Ticks until the bob counts again. */
  calm = 0;
  tilted = false;
  /** [PB-M6.4] Ticks for which all balls have been lying still. */
  still = 0;
  gone = false;
  readonly rng: Rng;
  readonly physics: PhysicsState;
  readonly counters: Int32Array;
  /** [PB-M5.4] What the rules module remembers. */
  readonly memory: Int32Array;
  /** One a target: 1 while a dropped one wants to come up and a ball is in the way. */
  readonly raising: Int32Array;
  readonly spinnerAngle: Float64Array;
  /** Half turns a second. */
  readonly spinnerRate: Float64Array;
  /** One a saucer: the ball it holds or -1, and the ticks until it kicks. */
  readonly saucerBall: Int32Array;
  readonly saucerTicks: Int32Array;
  /** Shared by all states of a game, never changed, not part of the field list. */
  readonly config: Config;

  constructor(config: Config, seed: Seed) {
    const { layout, table } = config.machine;
    this.config = config;
    this.ballsLeft = config.balls;
    this.rng = seedRng(seed);
    this.physics = new PhysicsState(table);
    this.counters = Int32Array.from(Object.values(layout.counters));
    this.memory = Int32Array.from(Object.values(config.machine.module?.memory ?? {}));
    this.raising = new Int32Array(layout.targets.length);
    this.spinnerAngle = new Float64Array(layout.spinners.length);
    this.spinnerRate = new Float64Array(layout.spinners.length);
    this.saucerBall = new Int32Array(layout.saucers.length).fill(-1);
    this.saucerTicks = new Int32Array(layout.saucers.length);
  }
}

/** Every field of the state, once, in a fixed order. */
export function fields(io: FieldIO, state: State): void {
  state.tick = io.num(state.tick);
  state.score = io.num(state.score);
  state.ballsLeft = io.num(state.ballsLeft);
  state.toServe = io.num(state.toServe);
  state.toLaunch = io.num(state.toLaunch);
  state.save = io.num(state.save);
  state.launch = io.num(state.launch);
  state.multiplier = io.num(state.multiplier);
  state.mission = io.num(state.mission);
  state.missionStep = io.num(state.missionStep);
  state.missionCount = io.num(state.missionCount);
  state.missionTicks = io.num(state.missionTicks);
  state.missionsDone = io.num(state.missionsDone);
  state.tableX = io.num(state.tableX);
  state.tableY = io.num(state.tableY);
  state.tableVx = io.num(state.tableVx);
  state.tableVy = io.num(state.tableVy);
  state.bobX = io.num(state.bobX);
  state.bobY = io.num(state.bobY);
  state.bobVx = io.num(state.bobVx);
  state.bobVy = io.num(state.bobVy);
  state.warnings = io.num(state.warnings);
  state.calm = io.num(state.calm);
  state.tilted = io.bool(state.tilted);
  state.still = io.num(state.still);
  state.gone = io.bool(state.gone);
  rngFields(io, state.rng);
  physicsFields(io, state.physics);
  io.ints(state.counters);
  io.ints(state.memory);
  io.ints(state.raising);
  io.nums(state.spinnerAngle);
  io.nums(state.spinnerRate);
  io.ints(state.saucerBall);
  io.ints(state.saucerTicks);
}

import type { Json } from '@lockstep/kernel';
import { GONE, HELD } from '../physics/index.ts';
import { isOnPlunger } from './balls.ts';
import { layoutJson } from './door.ts';
import { STEPS_PER_TICK, TICKS_PER_SECOND } from './pace.ts';
import type { State } from './state.ts';

/** [PB-M2.3] The whole table as data. */
export interface Briefing {
  ticksPerSecond: number;
  stepsPerTick: number;
  /** As `config` takes it, with the table's own data. */
  config: { table: Json; balls: number; ticks: number };
}

export interface BallView {
  id: number;
  x: number;
  y: number;
  vx: number;
  vy: number;
  spin: number;
  layer: number;
  held: boolean;
  onPlunger: boolean;
}

/** What can be seen of a machine, and how fast it moves. */
export interface PinballView {
  tick: number;
  score: number;
  ballsLeft: number;
  balls: BallView[];
  /** Angles and rates of the flippers, in the table's order; then the plunger's place and rate. */
  movers: { place: number; rate: number }[];
  /** One a target: is it up? */
  targets: boolean[];
  counters: Record<string, number>;
  multiplier: number;
  mission: { name: string; step: number; count: number; ticksLeft: number } | null;
  saveTicks: number;
  /** How far the table is from its place, and the plumb bob's swing. */
  shaken: Swing;
  bob: Swing;
  warnings: number;
  tilted: boolean;
  /** What the table's rules module remembers, by name. */
  memory: Record<string, number>;
}

export interface Swing {
  x: number;
  y: number;
  vx: number;
  vy: number;
}

/** What a bot plays; what is left out is let go. */
export interface Play {
  left?: boolean;
  right?: boolean;
  plunger?: number;
  nudgeX?: number;
  nudgeY?: number;
}

export function brief({ config }: State): Briefing {
  const { machine, balls, ticks } = config;
  return { ticksPerSecond: TICKS_PER_SECOND, stepsPerTick: STEPS_PER_TICK, config: { table: layoutJson(machine.layout), balls, ticks } };
}

export function observe(state: State): PinballView {
  const { physics, config, mission } = state;
  const { machine } = config;
  const balls: BallView[] = [];
  for (let i = 0; i < physics.status.length; i++) if (physics.status[i] !== GONE) balls.push(ballView(state, i));
  return {
    tick: state.tick,
    score: state.score,
    ballsLeft: state.ballsLeft,
    balls,
    movers: Array.from(physics.place, (place, k) => ({ place, rate: physics.rate[k]! })),
    targets: Array.from(machine.targetCollider, (c) => physics.enabled[c] === 1),
    counters: Object.fromEntries(machine.counters.map((name, k) => [name, state.counters[k]!])),
    multiplier: state.multiplier,
    mission:
      mission < 0
        ? null
        : {
            name: machine.missions[mission]!.name,
            step: state.missionStep,
            count: state.missionCount,
            ticksLeft: state.missionTicks,
          },
    saveTicks: state.save,
    shaken: { x: state.tableX, y: state.tableY, vx: state.tableVx, vy: state.tableVy },
    bob: { x: state.bobX, y: state.bobY, vx: state.bobVx, vy: state.bobVy },
    warnings: state.warnings,
    tilted: state.tilted,
    memory: Object.fromEntries(Object.keys(machine.module?.memory ?? {}).map((name, k) => [name, state.memory[k]!])),
  };
}

function ballView(state: State, i: number): BallView {
  const { x, y, vx, vy, spin, layer, status } = state.physics;
  return {
    id: i,
    x: x[i]!,
    y: y[i]!,
    vx: vx[i]!,
    vy: vy[i]!,
    spin: spin[i]!,
    layer: layer[i]!,
    held: status[i] === HELD,
    onPlunger: isOnPlunger(state, i),
  };
}

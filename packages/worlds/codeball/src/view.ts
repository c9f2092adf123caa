import type { Rules } from './rules.ts';
import type { State } from './state.ts';

/** [CB-3.5] Game and its parts: exactly the API's fields. */
export interface GameView {
  current_tick: number;
  players: PlayerView[];
  robots: RobotView[];
  nitro_packs: NitroPackView[];
  ball: BallView;
}
/** [CB-3.7] */
export interface PlayerView {
  id: number;
  me: boolean;
  strategy_crashed: boolean;
  score: number;
}
/** [CB-3.8] */
export interface RobotView {
  id: number;
  player_id: number;
  is_teammate: boolean;
  x: number;
  y: number;
  z: number;
  velocity_x: number;
  velocity_y: number;
  velocity_z: number;
  radius: number;
  nitro_amount: number;
  touch: boolean;
  touch_normal_x: number | null;
  touch_normal_y: number | null;
  touch_normal_z: number | null;
}
/** [CB-3.6] */
export interface NitroPackView {
  id: number;
  x: number;
  y: number;
  z: number;
  radius: number;
  respawn_ticks: number | null;
}
/** [CB-3.4] */
export interface BallView {
  x: number;
  y: number;
  z: number;
  velocity_x: number;
  velocity_y: number;
  velocity_z: number;
  radius: number;
}

/** One robot's orders as a bot gives them. [CB-3.2] */
export interface RobotOrders {
  target_velocity_x: number;
  target_velocity_y: number;
  target_velocity_z: number;
  jump_speed: number;
  use_nitro: boolean;
}
/** By robot id, own robots only. */
export type Orders = Record<string, RobotOrders>;

/** [CB-3.9] */
export function brief(state: State): Rules {
  const { rules } = state.config;
  return { ...rules, arena: { ...rules.arena } };
}

/**
 * [CB-1.2] A strategy always thinks that its own half is z < 0: player 2 sees z mirrored, in positions, velocities and normals.
 * Robots come in the runner's shuffled order. JSON has no -0, so neither has the view.
 */
export function observe(state: State, seat: number): GameView {
  const { config, ball } = state;
  const { rules } = config;
  const side = seat === 0 ? 1 : -1;
  return {
    current_tick: state.tick,
    players: [
      { id: 1, me: seat === 0, strategy_crashed: state.crashedA, score: state.scoreA },
      { id: 2, me: seat === 1, strategy_crashed: state.crashedB, score: state.scoreB },
    ],
    robots: Array.from(state.order, (index) => {
      const robot = state.robots[index]!;
      return {
        id: robot.id,
        player_id: robot.seat + 1,
        is_teammate: robot.seat === seat,
        x: robot.x + 0,
        y: robot.y + 0,
        z: robot.z * side + 0,
        velocity_x: robot.vx + 0,
        velocity_y: robot.vy + 0,
        velocity_z: robot.vz * side + 0,
        radius: robot.radius,
        nitro_amount: robot.nitro,
        touch: robot.touch,
        touch_normal_x: robot.touch ? robot.nx + 0 : null,
        touch_normal_y: robot.touch ? robot.ny + 0 : null,
        touch_normal_z: robot.touch ? robot.nz * side + 0 : null,
      };
    }),
    nitro_packs: state.packs.map((pack) => ({
      id: pack.id,
      x: pack.x + 0,
      y: pack.y,
      z: pack.z * side + 0,
      radius: rules.NITRO_PACK_RADIUS,
      respawn_ticks: pack.respawnTicks === 0 ? null : pack.respawnTicks,
    })),
    ball: {
      x: ball.x + 0,
      y: ball.y + 0,
      z: ball.z * side + 0,
      velocity_x: ball.vx + 0,
      velocity_y: ball.vy + 0,
      velocity_z: ball.vz * side + 0,
      radius: ball.radius,
    },
  };
}

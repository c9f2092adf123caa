import type { Json } from '@lockstep/kernel';
import type { State } from './state.ts';

/**
 * A state as a line of the contest runner's `--log-file` has it. What the runner kept for its own pictures only (`hits`, `applied_nitro`, the
 * ball's `rotation`) is in no document and nothing of the game follows from it: it is as for a ball that nobody touched.
 */
export function logged(state: State, names: readonly string[] | null): Json {
  const { config, ball, robots, order, packs, resetTicks } = state;
  const { rules } = config;
  return {
    current_tick: state.tick,
    ticks_per_second: rules.TICKS_PER_SECOND,
    names,
    scores: [state.scoreA, state.scoreB],
    robots: Array.from(order, (index) => {
      const { id, seat, x, y, z, vx, vy, vz, radius, nitro, touch, nx, ny, nz } = robots[index]!;
      return {
        id,
        player_index: seat,
        position: { x, y, z },
        velocity: { x: vx, y: vy, z: vz },
        radius,
        nitro,
        last_touch: touch ? { x: nx, y: ny, z: nz } : null,
        applied_nitro: null,
      };
    }),
    nitro_packs: packs.map(({ x, y, z, respawnTicks }) => ({
      position: { x, y, z },
      radius: rules.NITRO_PACK_RADIUS,
      nitro_amount: rules.NITRO_PACK_AMOUNT,
      respawn_ticks: orNull(respawnTicks),
    })),
    hits: [],
    ball: {
      position: { x: ball.x, y: ball.y, z: ball.z },
      velocity: { x: ball.vx, y: ball.vy, z: ball.vz },
      radius: ball.radius,
      rotation: { i: 0, j: 0, k: 0, w: 1 },
    },
    reset_ticks: orNull(resetTicks),
  };
}

const orNull = (ticks: number): number | null => (ticks === 0 ? null : ticks);

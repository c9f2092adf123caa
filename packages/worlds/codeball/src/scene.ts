import type { SceneMaker, Shape } from '@lockstep/kernel';
import type { Config } from './rules.ts';
import type { State } from './state.ts';

/** What to draw of a CodeBall game. */
export const stage: SceneMaker<Config, State> = {
  bounds({ rules: { arena } }) {
    const z = arena.depth / 2 + arena.goal_depth;
    return { min: [-arena.width / 2, 0, -z], max: [arena.width / 2, arena.height, z] };
  },
  meshes: () => [],
  scene(state) {
    const { ball } = state;
    const shapes: Shape[] = [{ shape: 'sphere', key: 'ball', x: ball.x, y: ball.y, z: ball.z, radius: ball.radius, material: { role: 'ball' } }];
    for (const robot of state.robots) {
      const { x, y, z, radius } = robot;
      shapes.push({ shape: 'sphere', key: `robot ${robot.id}`, x, y, z, radius, material: { role: robot.seat === 0 ? 'teamA' : 'teamB' } });
    }
    return { tick: state.tick, shapes, scores: [state.scoreA, state.scoreB], metrics: { 'ball height': ball.y } };
  },
};

import { describe, expect, it } from 'vitest';
import type { GameView } from '../src/view.ts';
import { world } from '../src/world.ts';
import { BallPath, Simulator } from './ball-path.ts';

/** Views of a game in which nobody moves and the ball starts with the given place and velocity. */
function untouchedBall(x: number, y: number, z: number, vx: number, vy: number, vz: number, ticks: number): GameView[] {
  const config = world.readConfig({ preset: 'round1', draws: 'none' });
  const state = world.create(config, 1n);
  Object.assign(state.ball, { x, y, z, vx, vy, vz });
  state.robots.forEach((robot, i) => Object.assign(robot, { x: i % 2 === 0 ? 22 : -22, z: i < 2 ? -32 : 32 }));
  const idle = [world.idle(config, 0), world.idle(config, 1)];
  const views = [world.observe(state, 0)];
  for (let tick = 0; tick < ticks; tick++) {
    world.step(state, idle, []);
    views.push(world.observe(state, 0));
  }
  return views;
}

const { rules } = world.readConfig('round1');

describe('the predicted path of the ball', () => {
  it.each([
    ['dropped on the floor', 0, 8, 0, 0, 0, 0],
    ['rolling', 3, 2, 5, 4, 0, -6],
    ['into the side wall', 20, 6, 0, 30, 5, 3],
    ['against the ceiling', 0, 12, 0, 5, 25, 5],
    ['into the goal', 2, 5, 20, 0, 5, 40],
  ])('is where the ball goes: %s', (_name, x, y, z, vx, vy, vz) => {
    const views = untouchedBall(x, y, z, vx, vy, vz, 60);
    const path = new BallPath(new Simulator(rules), rules, 60);
    path.follow(views[0]!.ball);
    for (let t = 0; t <= path.last; t++) {
      const { ball } = views[t]!;
      const away = Math.max(Math.abs(path.x[t]! - ball.x), Math.abs(path.y[t]! - ball.y), Math.abs(path.z[t]! - ball.z));
      expect(away, `tick ${t}`).toBeLessThan(0.6);
    }
  });

  it('ends in the goal that the ball enters', () => {
    const simulator = new Simulator(rules);
    const path = new BallPath(simulator, rules, 120);
    path.follow(untouchedBall(2, 5, 20, 0, 5, 40, 0)[0]!.ball);
    expect(path.goal).toBe(1);
    expect(path.z[path.last]).toBeGreaterThan(simulator.once.goalLine);
    path.follow(untouchedBall(2, 5, -20, 0, 5, -40, 0)[0]!.ball);
    expect(path.goal).toBe(-1);
  });

  it('is prolonged while it comes true, and is then as good as a new one', () => {
    const views = untouchedBall(10, 6, -5, -8, 3, 7, 30);
    const kept = new BallPath(new Simulator(rules), rules, 40);
    const fresh = new BallPath(new Simulator(rules), rules, 40);
    for (const view of views) kept.follow(view.ball);
    fresh.follow(views[30]!.ball);
    expect(kept.last).toBe(40);
    for (let t = 0; t <= 40; t++) expect(Math.abs(kept.z[t]! - fresh.z[t]!), `tick ${t}`).toBeLessThan(0.1);
  });
});

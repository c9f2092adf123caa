import { cos, type LedgerEntry, sin } from '@lockstep/kernel';
import { drawBetween, endMicroticks, startKickOff } from './draws.ts';
import { KICKOFF_ANGLE_NOISE, KICKOFF_DISTANCE } from './rules.ts';
import type { State } from './state.ts';

/**
 * [CB-1.2] The ball in the centre at a random height, each team's robots on an arc around it, the other team's opposite.
 * One angle for all; positions are correctly rounded, so every engine stands the robots on the same bits [CB-G8].
 */
export function kickOff(state: State, ledger?: LedgerEntry[]): void {
  const { ball, robots, order, config, dice } = state;
  const { rules } = config;
  const n = rules.team_size;
  startKickOff(dice, config.draws, state.tick);
  const height = drawBetween(dice, config.draws, rules.BALL_RADIUS, 4 * rules.BALL_RADIUS);
  const offset = drawBetween(dice, config.draws, -KICKOFF_ANGLE_NOISE, KICKOFF_ANGLE_NOISE);
  endMicroticks(dice, config.draws);
  ledger?.push({ kind: 'kickoff', ball_y: height, angle: offset });

  ball.x = 0;
  ball.y = height;
  ball.z = 0;
  ball.vx = 0;
  ball.vy = 0;
  ball.vz = 0;
  ball.radius = rules.BALL_RADIUS;
  for (let i = 0; i < robots.length; i++) {
    const robot = robots[i]!;
    // SPEC-GAP CB-G9: with one robot a team the document's spread divides by zero; the robot stands in the middle of the arc.
    const spread = n === 1 ? 0 : -Math.PI / 6 + ((i % n) * Math.PI) / 3 / (n - 1);
    const angle = spread + offset;
    const x = -KICKOFF_DISTANCE * sin(angle);
    const z = -KICKOFF_DISTANCE * cos(angle);
    robot.x = robot.seat === 0 ? x : -x;
    robot.y = rules.ROBOT_MIN_RADIUS;
    robot.z = robot.seat === 0 ? z : -z;
    robot.vx = 0;
    robot.vy = 0;
    robot.vz = 0;
    robot.radius = rules.ROBOT_MIN_RADIUS;
    robot.nitro = config.nitro ? rules.START_NITRO_AMOUNT : 0;
    robot.touch = true;
    robot.nx = 0;
    robot.ny = 1;
    robot.nz = 0;
    order[i] = i;
  }
}

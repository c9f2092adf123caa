import type { Bot } from '@lockstep/kernel';
import type { Rules } from '../src/rules.ts';
import type { GameView, Orders, RobotOrders, RobotView } from '../src/view.ts';
import { BallPath, Simulator } from './ball-path.ts';
import { order, runTo, teamOf } from './order.ts';
import { Scout } from './scout.ts';
import { Rehearsal, Strike } from './strike.ts';

const LOOK_AHEAD_TICKS = 130;
/** Ideas that a robot looks at in a tick, and how many of the feasible ones it rehearses. */
const IDEAS = 24;
const REHEARSALS = 6;

/** What a robot means to do, from tick to tick. */
class Mind {
  readonly strike = new Strike();
  hasStrike = false;
}

/**
 * Predicts the ball with the simulator, and rehearses ways to strike it: every tick each robot plays its plan of the tick before and a few
 * new ideas to their end, and keeps the best. Whoever has the best strike attacks; of the others the hindmost keeps the goal.
 */
export function captain(rules: Rules, _seat: number): Bot<GameView, Orders> {
  return new Captain(rules);
}

class Captain implements Bot<GameView, Orders> {
  private readonly rules: Rules;
  private readonly path: BallPath;
  private readonly rehearsal: Rehearsal;
  private readonly scout: Scout;
  private readonly minds = new Map<number, Mind>();
  private readonly idea = new Strike();
  private attacker = -1;
  private keeper = -1;

  constructor(rules: Rules) {
    this.rules = rules;
    const simulator = new Simulator(rules);
    this.path = new BallPath(simulator, rules, LOOK_AHEAD_TICKS);
    this.rehearsal = new Rehearsal(rules, simulator, this.path);
    this.scout = new Scout(rules, this.path);
  }

  act(game: GameView): Orders {
    const { rehearsal, scout } = this;
    const team = teamOf(game);
    this.path.follow(game.ball);
    rehearsal.enemies = game.robots.filter((robot) => !robot.is_teammate);
    rehearsal.enemyFirst = scout.firstAtBall(rehearsal.enemies);
    for (const robot of team) this.think(robot);
    this.assignRoles(team);
    const orders: Orders = {};
    for (const robot of team) orders[robot.id] = this.decide(robot, game);
    return orders;
  }

  private mind(robot: RobotView): Mind {
    let mind = this.minds.get(robot.id);
    if (mind === undefined) {
      mind = new Mind();
      this.minds.set(robot.id, mind);
    }
    return mind;
  }

  /** The plan of the last tick, played again from where things are now, against a few new ideas. */
  private think(robot: RobotView): void {
    const { rehearsal, scout, idea } = this;
    const mind = this.mind(robot);
    const { strike } = mind;
    if (mind.hasStrike) {
      strike.run--;
      rehearsal.play(strike, robot);
      mind.hasStrike = strike.contact > 0;
    }
    if (!robot.touch) this.consider(mind, robot, scout.coast(idea, robot));
    let rehearsed = 0;
    for (let i = 0; i < IDEAS && rehearsed < REHEARSALS; i++) {
      if (!scout.propose(idea, robot)) continue;
      rehearsed++;
      this.consider(mind, robot, idea);
    }
  }

  private consider(mind: Mind, robot: RobotView, idea: Strike): void {
    this.rehearsal.play(idea, robot);
    if (idea.contact < 0) return;
    if (mind.hasStrike && idea.value <= mind.strike.value + 3) return;
    mind.strike.copy(idea);
    mind.hasStrike = true;
  }

  private assignRoles(team: RobotView[]): void {
    const hindmost = team.reduce((a, b) => (b.z < a.z ? b : a)).id;
    let best = -1e9;
    let attacker = team[0]!;
    for (const robot of team) {
      const mind = this.mind(robot);
      let value = mind.hasStrike ? mind.strike.value : -500 - this.scout.ticksToBall(robot);
      if (robot.id === this.attacker) value += 15;
      if (robot.id === hindmost && team.length > 1) value -= mind.hasStrike && mind.strike.atZ < -20 ? 0 : 100;
      if (value > best) {
        best = value;
        attacker = robot;
      }
    }
    this.attacker = attacker.id;
    let back = 1e9;
    this.keeper = -1;
    for (const robot of team) {
      if (robot.id === this.attacker || robot.z >= back) continue;
      back = robot.z;
      this.keeper = robot.id;
    }
  }

  private decide(robot: RobotView, game: GameView): RobotOrders {
    const mind = this.mind(robot);
    const { strike } = mind;
    if (mind.hasStrike && this.mayStrike(robot, strike)) return this.strikeOrders(robot, strike);
    if (robot.touch) mind.hasStrike = false;
    if (!robot.touch) return order(0, 0, 0);
    if (robot.id === this.attacker) return this.approach(robot);
    if (robot.id === this.keeper) return this.keep(robot);
    return this.support(robot, game);
  }

  private mayStrike(robot: RobotView, strike: Strike): boolean {
    if (robot.id === this.attacker || !robot.touch) return true;
    if (this.path.goal < 0) return true;
    if (robot.id === this.keeper) return strike.atZ < -25 && strike.value > -200 && strike.contact < this.rehearsal.enemyFirst;
    return strike.value > 500;
  }

  private strikeOrders(robot: RobotView, strike: Strike): RobotOrders {
    const jump = this.rules.ROBOT_MAX_JUMP_SPEED;
    if (robot.touch) return order(strike.vx, 0, strike.vz, strike.run <= 0 ? jump : 0);
    const push = strike.contact <= 2 ? jump : 0;
    return strike.nitro ? order(strike.askX, strike.askY, strike.askZ, push, true) : order(strike.vx, 0, strike.vz, push);
  }

  /** No strike in sight: get behind the ball, between it and the own goal. */
  private approach(robot: RobotView): RobotOrders {
    const { path, rules, scout } = this;
    const t = Math.min(scout.ticksToBall(robot), path.last);
    const x = path.x[t]!;
    const z = path.z[t]!;
    const goalZ = rules.arena.depth / 2 + 4;
    const away = Math.sqrt(x * x + (goalZ - z) * (goalZ - z));
    const toX = x + (x / away) * 6;
    const toZ = z - ((goalZ - z) / away) * 6;
    return this.runTo(robot, toX, toZ);
  }

  private keep(robot: RobotView): RobotOrders {
    const { path, rules } = this;
    const line = -rules.arena.depth / 2 + 1;
    const reach = rules.arena.goal_width / 2 - rules.arena.bottom_radius;
    let x = path.x[Math.min(20, path.last)]! / 4;
    if (path.goal < 0) {
      let t = path.last;
      while (t > 0 && path.z[t]! < line) t--;
      x = path.x[t]!;
    }
    return this.runTo(robot, Math.min(Math.max(x, -reach), reach), line);
  }

  /** The third robot: fetch nitro, else wait behind the play on the free side. */
  private support(robot: RobotView, game: GameView): RobotOrders {
    const { path } = this;
    let nearest = 1e9;
    let pack = null;
    if (robot.nitro_amount < 60) {
      for (const p of game.nitro_packs) {
        if (p.respawn_ticks !== null || p.z > path.z[0]!) continue;
        const d = Math.abs(p.x - robot.x) + Math.abs(p.z - robot.z);
        if (d < nearest) {
          nearest = d;
          pack = p;
        }
      }
    }
    if (pack !== null) return this.runTo(robot, pack.x, pack.z);
    const x = -path.x[0]! / 2;
    return this.runTo(robot, x, Math.max(path.z[0]! - 18, -30));
  }

  private runTo(robot: RobotView, x: number, z: number): RobotOrders {
    return runTo(robot, x, z, this.rules.ROBOT_MAX_GROUND_SPEED, this.rules.ROBOT_ACCELERATION);
  }
}

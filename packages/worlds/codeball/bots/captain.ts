import type { Bot } from '@lockstep/kernel';
import type { Rules } from '../src/rules.ts';
import type { GameView, NitroPackView, Orders, RobotOrders, RobotView } from '../src/view.ts';
import { BallPath, Simulator } from './ball-path.ts';
import { order, runTo, teamOf } from './order.ts';
import { Scout } from './scout.ts';
import { GOAL, Rehearsal, Strike } from './strike.ts';

const LOOK_AHEAD_TICKS = 130;
/** Ideas that a robot looks at in a tick, and how many of the feasible ones it rehearses. */
const IDEAS = 24;
const REHEARSALS = 6;
/** A new idea must be better by this much than what the robot is about to do, or it would dither. */
const IDEA_MARGIN = 3;
/** The same for the role of the attacker. */
const ATTACKER_MARGIN = 15;
/** What it costs to send the hindmost robot to attack. It costs nothing to meet the ball in the own half beyond DEEP. */
const LEAVE_GOAL = 100;
/** Depths of the own half, as shares of it from the centre line. */
const DEEP = 0.5;
/** The keeper comes out this far for a ball that is going into the goal… */
const SAVE = 0.7;
/** …and this far for any other, if it is there before the enemy. */
const CLEAR = 0.625;
/** A robot without a strike waits this far behind the ball; one in support further. */
const BEHIND_BALL = 6;
const SUPPORT_BEHIND = 18;
/** Those who are not needed fetch nitro below this amount. */
const LOW_NITRO = 40;

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
  private readonly goalLine: number;
  /** Length of a half of the field. */
  private readonly half: number;
  /** What the ball is worth if nobody touches it, when it is sure to go in. */
  private untouched = -Infinity;
  private attacker = -1;
  private keeper = -1;
  private supporters: number[] = [];

  constructor(rules: Rules) {
    this.rules = rules;
    const simulator = new Simulator(rules);
    this.half = rules.arena.depth / 2;
    this.goalLine = simulator.once.goalLine;
    this.path = new BallPath(simulator, rules, LOOK_AHEAD_TICKS);
    this.rehearsal = new Rehearsal(rules, simulator, this.path);
    this.scout = new Scout(rules, this.path);
  }

  act(game: GameView): Orders {
    const { rehearsal, scout, path } = this;
    const team = teamOf(game);
    path.follow(game.ball);
    if (Math.abs(game.ball.z) > this.goalLine) return this.afterGoal(team, game.ball.z > 0);
    rehearsal.enemies = game.robots.filter((robot) => !robot.is_teammate);
    rehearsal.enemyFirst = scout.firstAtBall(rehearsal.enemies);
    this.untouched = path.goal > 0 && path.last < rehearsal.enemyFirst ? GOAL - 2 * path.last : -Infinity;
    for (const robot of team) this.think(robot);
    this.assignRoles(team);
    const orders: Orders = {};
    for (const robot of team) orders[robot.id] = this.decide(robot, game);
    return orders;
  }

  /** Until the next kick-off nothing counts: hop for joy, or trudge home. */
  private afterGoal(team: RobotView[], ours: boolean): Orders {
    const orders: Orders = {};
    for (const robot of team) {
      this.mind(robot).hasStrike = false;
      const hop = ours && robot.touch ? this.rules.ROBOT_MAX_JUMP_SPEED : 0;
      orders[robot.id] = ours ? order(0, 0, 0, hop) : runTo(robot, robot.x, -this.half / 2, 10, this.rules.ROBOT_ACCELERATION);
    }
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
      const feasible = mind.hasStrike && i % 2 === 1 ? scout.vary(idea, strike) : scout.propose(idea, robot);
      if (!feasible) continue;
      rehearsed++;
      this.consider(mind, robot, idea);
    }
  }

  private consider(mind: Mind, robot: RobotView, idea: Strike): void {
    this.rehearsal.play(idea, robot);
    if (idea.contact < 0) return;
    if (mind.hasStrike && idea.value <= mind.strike.value + IDEA_MARGIN) return;
    mind.strike.copy(idea);
    mind.hasStrike = true;
  }

  /** The best strike attacks; of the others the hindmost keeps the goal. A team of one only attacks. */
  private assignRoles(team: RobotView[]): void {
    const hindmost = team.reduce((a, b) => (b.z < a.z ? b : a));
    let best = -Infinity;
    let attacker = hindmost;
    for (const robot of team) {
      const { hasStrike, strike } = this.mind(robot);
      let value = hasStrike ? strike.value : -GOAL / 2 - this.scout.ticksToBall(robot);
      if (robot.id === this.attacker) value += ATTACKER_MARGIN;
      if (robot === hindmost && !(hasStrike && strike.atZ < -DEEP * this.half)) value -= LEAVE_GOAL;
      if (value <= best) continue;
      best = value;
      attacker = robot;
    }
    this.attacker = attacker.id;
    const others = team.filter((robot) => robot !== attacker);
    this.keeper = others.length > 0 ? others.reduce((a, b) => (b.z < a.z ? b : a)).id : -1;
    this.supporters = others.filter((robot) => robot.id !== this.keeper).map((robot) => robot.id);
  }

  private decide(robot: RobotView, game: GameView): RobotOrders {
    const mind = this.mind(robot);
    if (mind.hasStrike && this.mayStrike(robot, mind.strike)) return this.strikeOrders(robot, mind.strike);
    if (!robot.touch) return order(0, 0, 0);
    mind.hasStrike = false;
    if (robot.id === this.attacker) return this.approach(robot);
    if (robot.id === this.keeper) return this.keep(robot, game);
    return this.support(robot, game);
  }

  /** In the air there is no way back. On the floor each minds its role, and nobody spoils a ball that goes in by itself. */
  private mayStrike(robot: RobotView, strike: Strike): boolean {
    if (!robot.touch) return true;
    if (strike.value < this.untouched) return false;
    if (robot.id === this.attacker) return true;
    const threat = this.path.goal < 0;
    if (robot.id !== this.keeper) return threat || strike.value > GOAL / 2;
    if (threat && strike.atZ < -SAVE * this.half) return true;
    return strike.atZ < -CLEAR * this.half && strike.value > -GOAL / 5 && strike.contact < this.rehearsal.enemyFirst;
  }

  private strikeOrders(robot: RobotView, strike: Strike): RobotOrders {
    const jump = this.rules.ROBOT_MAX_JUMP_SPEED;
    if (robot.touch) return order(strike.vx, 0, strike.vz, strike.run <= 0 ? jump : 0);
    const push = strike.contact <= 2 ? jump : 0;
    return strike.nitro ? order(strike.askX, strike.askY, strike.askZ, push, true) : order(strike.vx, 0, strike.vz, push);
  }

  /** No strike in sight: get behind the ball as seen from the enemy's goal, where it can first be met. */
  private approach(robot: RobotView): RobotOrders {
    const { path } = this;
    const t = Math.min(this.scout.ticksToBall(robot), path.last);
    const x = path.x[t]!;
    const toGoal = this.goalLine + 2 - path.z[t]!;
    const away = Math.max(Math.sqrt(x * x + toGoal * toGoal), 1);
    return this.runTo(robot, x + (x / away) * BEHIND_BALL, path.z[t]! - (toGoal / away) * BEHIND_BALL);
  }

  /** On the goal line, where the ball will cross it or a little to its side; out for nitro only while the ball is far. */
  private keep(robot: RobotView, game: GameView): RobotOrders {
    const { path } = this;
    const { arena, ROBOT_RADIUS: radius } = this.rules;
    const line = -this.half + radius;
    const reach = arena.goal_width / 2 - arena.bottom_radius;
    let x = path.x[Math.min(20, path.last)]! / 4;
    if (path.goal < 0) {
      let t = path.last;
      while (t > 0 && path.z[t]! < line) t--;
      x = path.x[t]!;
    } else if (path.z[0]! > 0 && path.vz[0]! > -10) {
      const pack = this.packFor(robot, game, 0);
      if (pack !== null) return this.runTo(robot, pack.x, pack.z);
    }
    return this.runTo(robot, Math.min(Math.max(x, -reach), reach), line);
  }

  /** Fetch nitro, else wait behind the play: alone on the side where the ball is not, many in lanes. */
  private support(robot: RobotView, game: GameView): RobotOrders {
    const { path, supporters } = this;
    const ballX = path.x[0]!;
    const ballZ = path.z[0]!;
    const pack = this.packFor(robot, game, ballZ);
    if (pack !== null) return this.runTo(robot, pack.x, pack.z);
    const lane = (2 * supporters.indexOf(robot.id) + 1) / supporters.length - 1;
    const x = supporters.length === 1 ? -ballX / 2 : (lane * this.rules.arena.width) / 3;
    return this.runTo(robot, x, Math.max(ballZ - SUPPORT_BEHIND, -this.half + 10));
  }

  /** The nearest nitro pack behind `frontZ`, if the robot needs one. */
  private packFor(robot: RobotView, game: GameView, frontZ: number): NitroPackView | null {
    if (robot.nitro_amount >= LOW_NITRO) return null;
    let nearest = Infinity;
    let found = null;
    for (const pack of game.nitro_packs) {
      const way = Math.abs(pack.x - robot.x) + Math.abs(pack.z - robot.z);
      if (pack.respawn_ticks !== null || pack.z > frontZ || way >= nearest) continue;
      nearest = way;
      found = pack;
    }
    return found;
  }

  private runTo(robot: RobotView, x: number, z: number): RobotOrders {
    return runTo(robot, x, z, this.rules.ROBOT_MAX_GROUND_SPEED, this.rules.ROBOT_ACCELERATION);
  }
}

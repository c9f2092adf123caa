import { Json, Row } from './data';

class Body {
  x: f64;
  y: f64;
  z: f64;
  velocityX: f64;
  velocityY: f64;
  velocityZ: f64;
  radius: f64;

  constructor(row: Row) {
    this.x = row.next();
    this.y = row.next();
    this.z = row.next();
    this.velocityX = row.next();
    this.velocityY = row.next();
    this.velocityZ = row.next();
    this.radius = row.next();
  }
}

class Robot {
  id: i32;
  isTeammate: bool;
  body: Body;

  constructor(row: Row) {
    this.id = <i32>row.next();
    row.skip(1); // whose it is, by the player's id
    this.isTeammate = row.next() != 0;
    this.body = new Body(row);
    row.skip(5); // nitro, does it touch something, and the normal there (NaN: none)
  }
}

/** Everybody runs to where the ball is, from behind it; whoever is near jumps. */
export class Bot {
  private team: i32;
  private first: i32;
  private speed: f64;
  private jump: f64;

  constructor(rules: Json, seat: i32) {
    this.team = <i32>rules.get('team_size').number;
    this.first = seat * this.team + 1; // ids of our robots: first, first + 1, …
    this.speed = rules.get('ROBOT_MAX_GROUND_SPEED').number;
    this.jump = rules.get('ROBOT_MAX_JUMP_SPEED').number;
  }

  act(game: Row): f64[] {
    game.skip(1); // the tick again
    game.skip(4 * game.length()); // players: id, me, strategy_crashed, score
    const robots = new Array<Robot>();
    for (let left = game.length(); left > 0; left--) robots.push(new Robot(game));
    game.skip(6 * game.length()); // packs: id, x, y, z, radius, respawn_ticks (NaN: it is there)
    const ball = new Body(game);

    const answer = new Array<f64>(this.team * 5);
    for (let i = 0; i < robots.length; i++) {
      const robot = robots[i];
      if (!robot.isTeammate) continue;
      const dx = ball.x - robot.body.x;
      const dz = ball.z - 2 - robot.body.z; // our own goal is always at z < 0
      let distance = Math.sqrt(dx * dx + dz * dz);
      if (distance == 0) distance = 1;
      const order = (robot.id - this.first) * 5;
      answer[order] = (dx / distance) * this.speed;
      answer[order + 2] = (dz / distance) * this.speed;
      answer[order + 3] = distance < 4 && ball.z > robot.body.z ? this.jump : 0;
    }
    return answer;
  }
}

import { Json, Row } from './data';

/** Flies straight to the nearest goal that is left, and slows down to hit it. It does not see asteroids: that is yours to do. */
export class Bot {
  private goals: Json[];

  constructor(map: Json, _seat: i32) {
    this.goals = map.get('goals').items;
  }

  act(race: Row): f64[] {
    race.skip(1); // the tick again
    const x = race.next();
    const y = race.next();
    const vx = race.next();
    const vy = race.next();
    const reached = race.text();

    let dx: f64 = 0;
    let dy: f64 = 0;
    let nearest = f64.MAX_VALUE;
    for (let i = 0; i < this.goals.length; i++) {
      const gx = this.goals[i].get('x').number - x;
      const gy = this.goals[i].get('y').number - y;
      if (reached.charAt(i) != '0' || gx * gx + gy * gy >= nearest) continue;
      nearest = gx * gx + gy * gy;
      dx = gx;
      dy = gy;
    }
    dx -= 12 * vx;
    dy -= 12 * vy;
    const length = Math.max(1, Math.sqrt(dx * dx + dy * dy));
    const thrust = Math.min(length, 126); // at most 127, and rounding must not make it longer
    return [Math.trunc((dx / length) * thrust), Math.trunc((dy / length) * thrust)];
  }
}

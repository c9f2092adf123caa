import { Json, Row } from './data';

class Thing {
  constructor(
    public x: f64,
    public y: f64,
  ) {}
}

function distance(x: f64, y: f64): f64 {
  return Math.sqrt(x * x + y * y);
}

/** A list of things: each an id, a place and points. */
function things(hero: Row): Thing[] {
  const found: Thing[] = [];
  for (let left = hero.length(); left > 0; left--) {
    hero.skip(1); // its id
    const x = hero.next();
    const y = hero.next();
    hero.skip(2); // z, its points
    found.push(new Thing(x, y));
  }
  return found;
}

/** The first of those that are nearest. */
function nearest(things: Thing[], x: f64, y: f64): Thing | null {
  let best: Thing | null = null;
  for (let i = 0; i < things.length; i++) {
    const one = things[i];
    if (best == null || distance(one.x - x, one.y - y) < distance(best.x - x, best.y - y)) best = one;
  }
  return best;
}

function towards(x: f64, y: f64, speed: f64, sword: bool): f64[] {
  const length = distance(x, y) == 0 ? 1 : distance(x, y);
  return [(x / length) * speed, (y / length) * speed, sword ? 1 : 0];
}

/** Takes the gold of its room, strikes what comes near, and walks on to the east or to the north. Stairs lead to more: they are yours to find. */
export class Bot {
  private wide: f64;
  private deep: f64;

  constructor(briefing: Json, _seat: i32) {
    this.wide = briefing.get('chunk').get('x').number;
    this.deep = briefing.get('chunk').get('y').number;
  }

  act(hero: Row): f64[] {
    hero.skip(1); // the tick again
    const x = hero.next();
    const y = hero.next();
    hero.skip(10); // z, velocity, hit points, gold, kills, depth, fallen, swordReady
    hero.skip(5 * hero.length()); // other heroes
    const column = Math.floor(x / this.wide + 0.5);
    const row = Math.floor(y / this.deep + 0.5);
    const middleX = column * this.wide;
    const middleY = row * this.deep;
    let known = false;
    let east = false;
    for (let left = hero.length(); left > 0; left--) {
      const roomX = hero.next();
      const roomY = hero.next();
      hero.skip(3); // z, halfX, halfY
      const opensEast = hero.next() != 0;
      hero.skip(5); // north, west, south, up, down
      if (roomX != column || roomY != row) continue;
      known = true;
      east = opensEast;
    }
    const monsters = things(hero);
    const golds = things(hero);

    const foe = nearest(monsters, x, y);
    if (foe != null && distance(foe.x - x, foe.y - y) < 2.7) return towards(foe.x - x, foe.y - y, 0.2, true);
    const here: Thing[] = [];
    for (let i = 0; i < golds.length; i++) {
      const one = golds[i];
      if (Math.abs(one.x - middleX) < this.wide / 2 && Math.abs(one.y - middleY) < this.deep / 2) here.push(one);
    }
    const gold = nearest(here, x, y);
    if (gold != null) return towards(gold.x - x, gold.y - y, 1, false);
    if (!known) return towards(0, 0, 0, false);
    if (Math.abs(east ? y - middleY : x - middleX) >= 0.5) return towards(middleX - x, middleY - y, 1, false);
    if (east) return towards(middleX + this.wide - x, middleY - y, 1, false);
    return towards(middleX - x, middleY + this.deep - y, 1, false);
  }
}

import { type Bot, play } from './lockstep.ts';

interface Place {
  readonly x: number;
  readonly y: number;
}
interface Thing extends Place {
  readonly id: number;
  readonly z: number;
  /** Hit points of a monster, the worth of gold, what a fountain heals. */
  readonly points: number;
}
interface Room extends Place {
  readonly halfX: number;
  readonly halfY: number;
  readonly east: boolean;
  readonly north: boolean;
  readonly west: boolean;
  readonly south: boolean;
  /** Stairs: 1 on the east side, -1 on the west side, 0 there are none. */
  readonly up: number;
  readonly down: number;
}
interface Hero extends Place {
  readonly tick: number;
  readonly z: number;
  readonly hitPoints: number;
  readonly swordReady: boolean;
  readonly rooms: readonly Room[];
  readonly monsters: readonly Thing[];
  readonly golds: readonly Thing[];
  readonly fountains: readonly Thing[];
}
interface Deed {
  x: number;
  y: number;
  sword: boolean;
}
interface Briefing {
  readonly chunk: { readonly x: number; readonly y: number; readonly z: number };
}

const distance = (a: Place, b: Place): number => Math.sqrt((a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y));
const nearest = (things: readonly Thing[], hero: Hero): Thing | null =>
  things.reduce<Thing | null>((best, one) => (best === null || distance(one, hero) < distance(best, hero) ? one : best), null);

/** Takes the gold of its room, strikes what comes near, and walks on to the east or to the north. Stairs lead to more: they are yours to find. */
function createBot({ chunk }: Briefing, _seat: number): Bot<Hero, Deed> {
  return {
    act(hero) {
      const foe = nearest(hero.monsters, hero);
      if (foe !== null && distance(foe, hero) < 2.7) return towards(hero, foe, 0.2, true);
      const column = Math.floor(hero.x / chunk.x + 0.5);
      const row = Math.floor(hero.y / chunk.y + 0.5);
      const middle = { x: column * chunk.x, y: row * chunk.y };
      const isHere = ({ x, y }: Place): boolean => Math.abs(x - middle.x) < chunk.x / 2 && Math.abs(y - middle.y) < chunk.y / 2;
      const gold = nearest(hero.golds.filter(isHere), hero);
      if (gold !== null) return towards(hero, gold, 1, false);
      const room = hero.rooms.find(({ x, y }) => x === column && y === row);
      if (room === undefined) return { x: 0, y: 0, sword: false };
      const isInLane = room.east ? Math.abs(hero.y - middle.y) < 0.5 : Math.abs(hero.x - middle.x) < 0.5;
      if (!isInLane) return towards(hero, middle, 1, false);
      return towards(hero, room.east ? { x: middle.x + chunk.x, y: middle.y } : { x: middle.x, y: middle.y + chunk.y }, 1, false);
    },
  };
}

function towards(hero: Place, aim: Place, speed: number, sword: boolean): Deed {
  const length = distance(aim, hero) || 1;
  return { x: ((aim.x - hero.x) / length) * speed, y: ((aim.y - hero.y) / length) * speed, sword };
}

play(createBot);

import { play } from './lockstep.mjs';

const distance = (a, b) => Math.sqrt((a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y));
const nearest = (things, hero) =>
  things.reduce((best, one) => (best === null || distance(one, hero) < distance(best, hero) ? one : best), null);

/** Takes the gold of its room, strikes what comes near, and walks on to the east or to the north. Stairs lead to more: they are yours to find. */
function createBot({ chunk }, _seat) {
  return {
    act(hero) {
      const foe = nearest(hero.monsters, hero);
      if (foe !== null && distance(foe, hero) < 2.7) return towards(hero, foe, 0.2, true);
      const column = Math.floor(hero.x / chunk.x + 0.5);
      const row = Math.floor(hero.y / chunk.y + 0.5);
      const middle = { x: column * chunk.x, y: row * chunk.y };
      const isHere = ({ x, y }) => Math.abs(x - middle.x) < chunk.x / 2 && Math.abs(y - middle.y) < chunk.y / 2;
      const gold = nearest(hero.golds.filter(isHere), hero);
      if (gold !== null) return towards(hero, gold, 1, false);
      const room = hero.rooms.find(({ x, y }) => x === column && y === row);
      if (room === undefined) return { x: 0, y: 0, sword: false };
      const isInLane = room.east ? Math.abs(hero.y - middle.y) < 0.5 : Math.abs(hero.x - middle.x) < 0.5;
      if (!isInLane) return towards(hero, middle, 1, false);
      return towards(hero, room.east ? { x: middle.x + chunk.x, y: middle.y } : { x: middle.x, y: middle.y + chunk.y }, 1, false);
    },
  };

  function towards(hero, aim, speed, sword) {
    const length = distance(aim, hero) || 1;
    return { x: ((aim.x - hero.x) / length) * speed, y: ((aim.y - hero.y) / length) * speed, sword };
  }
}

play(createBot);

import type { Bot } from '@lockstep/kernel';
import type { Briefing, DungeonView, RawDeed, RoomView, ThingView } from '../game/view.ts';
import { CHUNK, downstairs, DungeonMap, middleOf, type Place, STOREY, within } from './map.ts';

const NEAR = 0.35;
/** Monsters this near are fought; within reach the sword is swung. */
const FIGHT = 3.2;
const REACH = 2.7;
/** Where it has not come nearer to its aim for so many ticks, it steps aside. */
const PATIENCE = 25;
const ASIDE = 12;
/** A fight that has lasted so long leads nowhere: it walks on for a while. */
const LONG_FIGHT = 75;
const TRUCE = 45;

/** Explores: takes the gold of its room, fights whatever comes near, and goes down the nearest stairs it knows of. */
export function delver(_briefing: Briefing, _seat: number): Bot<DungeonView, RawDeed> {
  const map = new DungeonMap();
  let way: Place[] = [];
  let room: RoomView | null = null;
  let nearest = Infinity;
  let nearestAt = 0;
  let asideUntil = 0;
  let fought = 0;
  let peaceUntil = 0;

  const walk = (view: DungeonView): RawDeed => {
    while (way.length > 0 && distance(view, way[0]!) < NEAR) {
      way.shift();
      nearest = Infinity;
    }
    if (way.length === 0) way = plan(map, view, room!);
    const aim = way[0] ?? middleOf(room!);
    const left = distance(view, aim);
    if (left < nearest - 0.05) {
      nearest = left;
      nearestAt = view.tick;
    } else if (view.tick - nearestAt > PATIENCE) {
      nearest = Infinity;
      nearestAt = view.tick;
      asideUntil = view.tick + ASIDE;
    }
    if (view.tick < asideUntil) return aside(view, aim);
    // the last bit slowly, so as not to run past it
    const speed = Math.min(1, Math.max(0.25, left));
    return towards(view, aim, speed, false);
  };

  return {
    act(view) {
      map.see(view.rooms);
      const here = map.at(Math.floor(view.x / CHUNK + 0.5), Math.floor(view.y / CHUNK + 0.5), Math.floor(view.z / STOREY + 0.5));
      if (here === undefined || view.fallen) return { x: 0, y: 0, sword: false };
      if (room === null || here.z !== room.z) nearest = Infinity;
      room = here;
      const foe = view.tick < peaceUntil ? null : foeOf(view);
      fought = foe === null ? 0 : fought + 1;
      if (fought > LONG_FIGHT) peaceUntil = view.tick + TRUCE;
      return foe === null ? walk(view) : fight(view, foe);
    },
  };
}

/** What to do next, as places to go to in turn. */
function plan(map: DungeonMap, view: DungeonView, room: RoomView): Place[] {
  const gold = view.golds.filter((thing) => isIn(thing, room)).sort((a, b) => distance(view, a) - distance(view, b))[0];
  if (gold !== undefined) return within(room, view, gold);
  if (room.down !== 0) return downstairs(room, view);
  const way = map.wayTo(room, ({ down }) => down !== 0) ?? map.wayTo(room, (other) => other !== room && map.isFrontier(other));
  return [...within(room, view, middleOf(room)), ...(way ?? []).slice(0, 1).map(middleOf)];
}

const isIn = ({ x, y }: Place, room: RoomView): boolean =>
  Math.abs(x - room.x * CHUNK) < CHUNK / 2 && Math.abs(y - room.y * CHUNK) < CHUNK / 2;

function foeOf(view: DungeonView): ThingView | null {
  const near = view.monsters.filter((monster) => Math.abs(monster.z - view.z) < 1 && distance(view, monster) < FIGHT);
  return near.sort((a, b) => distance(view, a) - distance(view, b))[0] ?? null;
}

/** Turns to the foe and strikes. */
function fight(view: DungeonView, foe: ThingView): RawDeed {
  return towards(view, foe, 0.15, view.swordReady && distance(view, foe) < REACH);
}

function aside(view: DungeonView, aim: Place): RawDeed {
  const left = distance(view, aim) || 1;
  const side = Math.floor(view.tick / 97) % 2 === 0 ? 1 : -1;
  return { x: (-side * (aim.y - view.y)) / left, y: (side * (aim.x - view.x)) / left, sword: false };
}

function towards(view: Place, aim: Place, speed: number, sword: boolean): RawDeed {
  const left = distance(view, aim) || 1;
  return { x: ((aim.x - view.x) / left) * speed, y: ((aim.y - view.y) / left) * speed, sword };
}

function distance(a: Place, b: Place): number {
  return Math.sqrt((a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y));
}

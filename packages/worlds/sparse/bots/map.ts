import type { RoomView } from '../game/view.ts';

/** A place in a dungeon, in metres. */
export interface Place {
  readonly x: number;
  readonly y: number;
}

export const CHUNK = 16;
export const STOREY = 4;
/** Lanes of a room with stairs, from its middle: before their top, before their foot, and along them. */
const TOP = 6.25;
const FOOT = 0.75;
const ALONG = 3;

export const keyOf = (x: number, y: number, z: number): string => `${x},${y},${z}`;

/** The rooms that have been seen, and ways through them. */
export class DungeonMap {
  private readonly rooms = new Map<string, RoomView>();

  see(rooms: readonly RoomView[]): void {
    for (const room of rooms) this.rooms.set(keyOf(room.x, room.y, room.z), room);
  }

  at(x: number, y: number, z: number): RoomView | undefined {
    return this.rooms.get(keyOf(x, y, z));
  }

  /** The nearest room by doors that is wanted, as the rooms on the way, without the first one; null if there is none. */
  wayTo(from: RoomView, isWanted: (room: RoomView) => boolean): RoomView[] | null {
    const before = new Map<RoomView, RoomView | null>([[from, null]]);
    const queue = [from];
    for (let room = queue.shift(); room !== undefined; room = queue.shift()) {
      if (isWanted(room)) return trace(room, before);
      for (const next of this.neighbours(room)) {
        if (next === undefined || before.has(next)) continue;
        before.set(next, room);
        queue.push(next);
      }
    }
    return null;
  }

  /** Whether a way out leads to a room that has not been seen. */
  isFrontier(room: RoomView): boolean {
    return this.neighbours(room).includes(undefined);
  }

  private neighbours({ x, y, z, east, north, west, south }: RoomView): (RoomView | undefined)[] {
    return [
      ...(east ? [this.at(x + 1, y, z)] : []),
      ...(north ? [this.at(x, y + 1, z)] : []),
      ...(west ? [this.at(x - 1, y, z)] : []),
      ...(south ? [this.at(x, y - 1, z)] : []),
    ];
  }
}

function trace(room: RoomView, before: ReadonlyMap<RoomView, RoomView | null>): RoomView[] {
  const way: RoomView[] = [];
  for (let at: RoomView | null = room; at !== null; at = before.get(at) ?? null) way.unshift(at);
  return way.slice(1);
}

export const middleOf = ({ x, y }: RoomView): Place => ({ x: x * CHUNK, y: y * CHUNK });

/** Within a room one goes along its middle lane, which is always free: there, along it, and from there to the place. */
export function within(room: RoomView, from: Place, to: Place): Place[] {
  const { x } = middleOf(room);
  return [{ x, y: from.y }, { x, y: to.y }, to];
}

/** Down the stairs: around the hole to their top, along them, and back to the middle of the room below. */
export function downstairs(room: RoomView, from: Place): Place[] {
  const { x, y } = middleOf(room);
  const along = x + room.down * ALONG;
  return [...within(room, from, { x: along, y: y + TOP }), { x: along, y: y + FOOT }, { x, y: y + FOOT }];
}

import { boolAt, type FieldIO, numberAt, objectAt } from '@lockstep/kernel';
import type { State } from './state.ts';

/** [SW-D4] What a hero does in a tick: where to go, 0..1 long, and whether to swing the sword. */
export class Deed {
  x = 0;
  y = 0;
  sword = false;
  /** Its giver is out of the game. */
  gone = false;
}

export function actionFields(io: FieldIO, deed: Deed): void {
  deed.x = io.num(deed.x);
  deed.y = io.num(deed.y);
  deed.sword = io.bool(deed.sword);
  deed.gone = io.bool(deed.gone);
}

export function readAction(raw: unknown, _state: State, _seat: number): Deed {
  const given = objectAt(raw, 'action', ['x', 'y', 'sword']);
  const deed = new Deed();
  deed.x = given['x'] as number;
  deed.y = given['y'] as number;
  deed.sword = given['sword'] === undefined ? false : boolAt(given['sword'], 'action.sword');
  checkDeed(deed);
  deed.x += 0; // never -0
  deed.y += 0;
  return deed;
}

/** Refuses also what cannot have come through the door, e.g. out of a made-up replay. */
export function checkDeed(deed: Deed): void {
  numberAt(deed.x, 'action.x', -1, 1);
  numberAt(deed.y, 'action.y', -1, 1);
}

import type { WorldEntry } from '@lockstep/kernel';
import { bots } from '../bots/index.ts';
import type { Deed } from '../game/action.ts';
import type { Config } from '../game/config.ts';
import { stage } from '../game/scene.ts';
import type { State } from '../game/state.ts';
import type { Briefing, DungeonView } from '../game/view.ts';
import { world } from '../game/world.ts';

/** The dungeon, as a line of the catalog. */
export const sparse: WorldEntry<Config, State, Deed, DungeonView, Briefing> = {
  world,
  bots,
  example: () => ({ x: 0, y: 0, sword: false }),
  stage,
  endless: true,
};

import type { Json, WorldEntry } from '@lockstep/kernel';
import { bots } from '../bots/index.ts';
import type { Controls } from './machine/action.ts';
import { Machine } from './machine/machine.ts';
import { readLayout } from './machine/read.ts';
import { stage } from './machine/scene.ts';
import { TABLE_SCHEMA } from './machine/schema.ts';
import type { Config, State } from './machine/state.ts';
import { TABLES } from './machine/tables.ts';
import type { Briefing, PinballView } from './machine/view.ts';
import { world } from './machine/world.ts';

export const pinball: WorldEntry<Config, State, Controls, PinballView, Briefing> = {
  world,
  bots,
  example: () => ({ left: false, right: false, plunger: 0, nudgeX: 0, nudgeY: 0 }),
  stage,
  tables: { schema: TABLE_SCHEMA as Json, ours: TABLES, check },
  arcade: true,
};

/** [PB-M1] Whatever can be said against a table is said before it is played. */
function check(raw: unknown, path: string): string {
  const { layout, table, switches, missions } = new Machine(readLayout(raw, path), path);
  const parts = `${table.colliders} colliders, ${layout.flippers.length} flippers, ${switches.length} switches`;
  return `${layout.name}: ${parts}, ${layout.rules.length} rules, ${missions.length} ${missions.length === 1 ? 'mission' : 'missions'}`;
}

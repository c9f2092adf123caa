import { boolAt, choiceAt, InputError, intAt, type Json, numberAt, objectAt } from '@lockstep/kernel';
import { Controls } from './action.ts';
import type { Layout } from './layout.ts';
import { Machine } from './machine.ts';
import { ticksOf } from './pace.ts';
import { readLayout } from './read.ts';
import { Config, type State } from './state.ts';
import { TABLES } from './tables.ts';

export const presets = {
  classic: { table: 'classic' },
  learner: { table: 'learner' },
} satisfies Record<string, Json>;

const MAX_TICKS = 10_000_000;
const USUAL_SECONDS = 1800;
const USUAL_BALLS = 3;

/** A preset's name, or { preset, table, balls, ticks }; what is left out is the preset's. The table is the name of one of ours or a table's own data. */
export function readConfig(raw: unknown): Config {
  if (typeof raw === 'string') return readConfig({ preset: raw });
  const given = objectAt(raw, 'config', ['preset', 'table', 'balls', 'ticks']);
  const preset = given['preset'] === undefined ? 'classic' : given['preset'];
  const base = presets[choiceAt(preset, 'config.preset', Object.keys(presets) as (keyof typeof presets)[])];
  const table = given['table'] === undefined ? base.table : given['table'];
  const ours = typeof table === 'string' ? choiceAt(table, 'config.table', Object.keys(TABLES)) : null;
  if (ours === null && (typeof table !== 'object' || table === null))
    throw new InputError('config.table', `one of ${Object.keys(TABLES).join(', ')} or a table's data`, table);
  const layout = readLayout(ours === null ? table : TABLES[ours], 'config.table');
  const balls = intAt(given['balls'] === undefined ? USUAL_BALLS : given['balls'], 'config.balls', 1, 10);
  const ticks = intAt(given['ticks'] === undefined ? ticksOf(USUAL_SECONDS) : given['ticks'], 'config.ticks', 1, MAX_TICKS);
  return new Config(new Machine(layout, 'config.table'), ours, balls, ticks);
}

/** A table of ours by its name: its data are part of the rules' version. */
export function writeConfig({ machine, ours, balls, ticks }: Config): Json {
  return { table: ours ?? layoutJson(machine.layout), balls, ticks };
}

/** A layout is plain data and nothing else. */
export const layoutJson = (layout: Layout): Json => JSON.parse(JSON.stringify(layout)) as Json;

/** [PB-M2.1] What is left out is let go. */
export function readAction(raw: unknown, _state: State, _seat: number): Controls {
  const given = objectAt(raw, 'action', ['left', 'right', 'plunger', 'nudgeX', 'nudgeY']);
  const controls = new Controls();
  controls.left = boolAt(given['left'] === undefined ? false : given['left'], 'action.left');
  controls.right = boolAt(given['right'] === undefined ? false : given['right'], 'action.right');
  controls.plunger = numberAt(given['plunger'] === undefined ? 0 : given['plunger'], 'action.plunger', 0, 1);
  controls.nudgeX = numberAt(given['nudgeX'] === undefined ? 0 : given['nudgeX'], 'action.nudgeX', -1, 1);
  controls.nudgeY = numberAt(given['nudgeY'] === undefined ? 0 : given['nudgeY'], 'action.nudgeY', -1, 1);
  return controls;
}

/** Refuses also what cannot have come through the door, e.g. out of a made-up replay. */
export function checkAction({ plunger, nudgeX, nudgeY }: Controls): void {
  if (!(plunger >= 0 && plunger <= 1)) throw new InputError('action.plunger', 'a number 0..1', plunger);
  if (!(nudgeX >= -1 && nudgeX <= 1)) throw new InputError('action.nudgeX', 'a number -1..1', nudgeX);
  if (!(nudgeY >= -1 && nudgeY <= 1)) throw new InputError('action.nudgeY', 'a number -1..1', nudgeY);
}

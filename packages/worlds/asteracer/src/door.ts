import { choiceAt, InputError, intAt, type Json, objectAt } from '@lockstep/kernel';
import { Instruction } from './action.ts';
import { checkLength, readMap, writeMap } from './formats.ts';
import type { RaceMap } from './map.ts';
import { MAPS } from './maps.ts';
import { MAX_INSTRUCTION, RULE_NAMES } from './rules.ts';
import type { State } from './state.ts';
import { type Config, Track } from './track.ts';

/** [AR-3.3] A preset is a set of rules, on a map of ours. */
export const presets = {
  document: { rules: 'document', map: 'orchard' },
  py2023: { rules: 'py2023', map: 'orchard' },
  cpp2023: { rules: 'cpp2023', map: 'orchard' },
  v2025: { rules: 'v2025', map: 'orchard' },
} satisfies Record<string, Json>;

const MAX_TICKS = 10_000_000;
/** Unless a config says more: a minute, and on maps with many goals as long as a calm race takes. */
const LEAST_TICKS = 3600;
const TICKS_A_GOAL = 400;

/** A preset's name, or { preset, rules, map, ticks }; what is left out is the preset's. The map is the name of one of ours or a map file's text. */
export function readConfig(raw: unknown): Config {
  if (typeof raw === 'string') return readConfig({ preset: raw });
  const given = objectAt(raw, 'config', ['preset', 'rules', 'map', 'ticks']);
  const base = presets[choiceAt(orElse(given['preset'], 'document'), 'config.preset', RULE_NAMES)];
  const rules = choiceAt(orElse(given['rules'], base.rules), 'config.rules', RULE_NAMES);
  const map = mapOf(orElse(given['map'], base.map));
  const usual = Math.min(Math.max(LEAST_TICKS, TICKS_A_GOAL * map.goals.length), MAX_TICKS);
  const ticks = intAt(orElse(given['ticks'], usual), 'config.ticks', 1, MAX_TICKS);
  return { rules, ticks, map, track: new Track(map, rules) };
}

/** What was left out; null was not. */
const orElse = (value: unknown, fallback: unknown): unknown => (value === undefined ? fallback : value);

function mapOf(raw: unknown): RaceMap {
  const names = Object.keys(MAPS);
  if (typeof raw !== 'string') throw new InputError('config.map', `one of ${names.join(', ')} or the text of a map file`, raw);
  if (raw.includes('\n')) return readMap(raw, 'config.map:');
  return readMap(MAPS[choiceAt(raw, 'config.map', names)]!);
}

export function writeConfig({ rules, ticks, map }: Config): Json {
  return { rules, ticks, map: writeMap(map) };
}

/** [AR-2.1] An instruction that is too long is refused, never shortened. */
export function readAction(raw: unknown, _state: State, _seat: number): Instruction {
  const given = objectAt(raw, 'action', ['vx', 'vy']);
  const instruction = new Instruction();
  instruction.vx = given['vx'] as number;
  instruction.vy = given['vy'] as number;
  checkAction(instruction);
  instruction.vx += 0; // never -0
  instruction.vy += 0;
  return instruction;
}

/** Refuses also what cannot have come through the door, e.g. out of a made-up replay. */
export function checkAction(instruction: Instruction): void {
  intAt(instruction.vx, 'action.vx', -MAX_INSTRUCTION, MAX_INSTRUCTION);
  intAt(instruction.vy, 'action.vy', -MAX_INSTRUCTION, MAX_INSTRUCTION);
  checkLength(instruction, 'action');
}

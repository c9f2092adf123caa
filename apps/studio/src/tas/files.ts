import { InputError, type WorldEvent } from '@lockstep/kernel';
import { asteracer, type Config, Instruction, type RaceMap, readInstructions, readMap, type RuleName, writeMap } from '@lockstep/asteracer';
import { readReplay, type Replay, ReplayWriter } from '@lockstep/replay';
import { lengthOf, MOST_TICKS, type Script, scriptOf } from './script.ts';

/** What a file turned out to be. */
export type Found =
  | { readonly kind: 'map'; readonly map: RaceMap }
  | { readonly kind: 'instructions'; readonly script: Script; readonly counted: boolean }
  | { readonly kind: 'run'; readonly map: RaceMap; readonly rules: RuleName; readonly script: Script };

/** Replays begin with a byte that no text has. */
const REPLAY_START = 0x8c;
/** Any would do: Asteracer has no dice. */
const SEED = 0n;

/** Reads a map, instructions or a replay, whichever it is. Anything else ends in an InputError of one line that begins with the name. */
export async function readFound(bytes: Uint8Array, name: string): Promise<Found> {
  if (bytes[0] === REPLAY_START) return runOf(await readReplay(bytes, name));
  const text = new TextDecoder().decode(bytes);
  const first = /^\s*(.*)/.exec(text)![1]!.trim();
  const words = first === '' ? 0 : first.split(/\s+/).length;
  if (words === 3) return { kind: 'map', map: readMap(text, name) };
  if ((words !== 1 && words !== 2) || !/^[-+\d]/.test(first)) throw new InputError(name, 'a map, instructions or a replay', first);
  const { instructions, counted } = readInstructions(text, name);
  if (instructions.length > MOST_TICKS) throw new InputError(name, `at most ${MOST_TICKS} instructions`, instructions.length);
  return { kind: 'instructions', script: scriptOf(instructions), counted };
}

function runOf({ path, world, config, rows, ticks }: Replay): Found {
  if (world !== asteracer.world.name) throw new InputError(path, `a replay of ${asteracer.world.name}`, world);
  if (ticks > MOST_TICKS) throw new InputError(path, `at most ${MOST_TICKS} ticks`, ticks);
  const { map, rules } = asteracer.world.readConfig(config);
  const width = rows.length / Math.max(ticks, 1);
  const thrusts = Array.from({ length: ticks }, (_, tick) => ({ vx: rows[tick * width]!, vy: rows[tick * width + 1]! }));
  return { kind: 'run', map, rules, script: scriptOf(thrusts) };
}

/** The map under its rules, ready to be flown. */
export function configFor(map: RaceMap, rules: RuleName): Config {
  return asteracer.world.readConfig({ rules, map: writeMap(map) });
}

/** The run as a replay file, flown once more from the start. A race that is won ends there, whatever the script says of later ticks. */
export function writeReplay(config: Config, script: Script): Promise<Uint8Array> {
  const { world } = asteracer;
  const ticks = lengthOf(script);
  const roomy: Config = { ...config, ticks: Math.max(config.ticks, ticks) };
  const bots = [{ name: 'tas', kind: 'person', sha256: null }];
  const writer = new ReplayWriter({ world, config: roomy, seed: SEED, bots });
  const state = world.create(roomy, SEED);
  const instruction = new Instruction();
  while (state.tick < ticks && world.result(state) === null) {
    instruction.vx = script[2 * state.tick]!;
    instruction.vy = script[2 * state.tick + 1]!;
    const events: WorldEvent[] = [];
    writer.note([instruction]);
    world.step(state, [instruction], events);
    writer.afterStep(state, events);
  }
  return writer.finish(world.result(state), []);
}

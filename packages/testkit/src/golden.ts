import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { hash, type Json, readSeed, type TickState, type World, type WorldEvent } from '@lockstep/kernel';

/** A game whose hashes are kept in a file that nobody edits by hand. */
export interface GoldenCase<State, Action> {
  /** Where it is kept: a URL beside the test, `new URL('../golden/kickoff.json', import.meta.url)`. */
  readonly file: URL;
  readonly seed: string;
  /** What `readConfig` gets. */
  readonly config: Json;
  /** Who plays, for people. */
  readonly script: string;
  readonly ticks: number;
  actionAt(tick: number, seat: number): Action;
  /** A few numbers with names, so that a failure says what moved. */
  numbers(state: State): Record<string, number>;
}

export interface Golden {
  readonly world: string;
  readonly rulesVersion: number;
  readonly seed: string;
  readonly config: Json;
  readonly script: string;
  readonly marks: readonly GoldenMark[];
}

/** The game at every hundredth tick and at its end. */
export interface GoldenMark {
  readonly tick: number;
  readonly hash: string;
  /** How many events there have been so far. */
  readonly events: number;
  readonly numbers: Readonly<Record<string, number>>;
}

export function playGolden<C, S extends TickState, A, V, B>(world: World<C, S, A, V, B>, test: GoldenCase<S, A>): Golden {
  const config = world.readConfig(test.config);
  const state = world.create(config, readSeed(test.seed));
  const seats = Array.from({ length: world.seats(config) }, (_, seat) => seat);
  const events: WorldEvent[] = [];
  const marks: GoldenMark[] = [];
  for (;;) {
    const over = state.tick >= test.ticks || world.result(state) !== null;
    if (over || state.tick % 100 === 0) {
      marks.push({ tick: state.tick, hash: hash(world, state), events: events.length, numbers: test.numbers(state) });
    }
    if (over) break;
    const { tick } = state;
    world.step(
      state,
      seats.map((seat) => test.actionAt(tick, seat)),
      events,
    );
  }
  const golden = { world: world.name, rulesVersion: world.rulesVersion, seed: test.seed, config: test.config, script: test.script, marks };
  return JSON.parse(JSON.stringify(golden)) as Golden;
}

/** What moved first, in one line; null when nothing did. */
export function goldenDifference(kept: Golden, played: Golden): string | null {
  for (const key of ['world', 'seed', 'script', 'config'] as const) {
    const [was, is] = [JSON.stringify(kept[key]), JSON.stringify(played[key])];
    if (was !== is) return `${key}: ${was} in the golden, ${is} now`;
  }
  for (let i = 0; i < Math.max(kept.marks.length, played.marks.length); i++) {
    const [was, is] = [kept.marks[i], played.marks[i]];
    if (was === undefined || is === undefined || was.tick !== is.tick) {
      return `the game had a mark at tick ${was?.tick ?? 'none'} in the golden and at ${is?.tick ?? 'none'} now`;
    }
    if (JSON.stringify(was) === JSON.stringify(is)) continue;
    const names = new Set([...Object.keys(was.numbers), ...Object.keys(is.numbers)]);
    const moved = [...names].filter((name) => was.numbers[name] !== is.numbers[name]);
    const told = moved.map((name) => `${name} ${was.numbers[name]} → ${is.numbers[name]}`);
    if (was.events !== is.events) told.push(`events ${was.events} → ${is.events}`);
    if (told.length === 0) told.push(`hash ${was.hash} → ${is.hash}, none of the named numbers`);
    return `tick ${is.tick}: ${told.join(', ')}`;
  }
  return null;
}

/**
 * Throws when the game no longer goes as the file says. With LOCKSTEP_BLESS=1 a missing file is written, and one that differs is written
 * anew, but only under a raised rulesVersion: otherwise old replays would be taken for valid.
 */
export function checkGolden<C, S extends TickState, A, V, B>(world: World<C, S, A, V, B>, test: GoldenCase<S, A>): void {
  const path = fileURLToPath(test.file);
  const name = path.split(/[\\/]/).at(-1)!;
  const bless = process.env['LOCKSTEP_BLESS'] === '1';
  const played = playGolden(world, test);
  if (!existsSync(path)) {
    if (!bless) throw new Error(`golden ${name} does not exist; LOCKSTEP_BLESS=1 writes it`);
    write(path, played);
    return;
  }
  const kept = JSON.parse(readFileSync(path, 'utf8')) as Golden;
  const difference = goldenDifference(kept, played);
  if (difference === null && kept.rulesVersion === played.rulesVersion) return;
  if (bless && played.rulesVersion > kept.rulesVersion) {
    write(path, played);
    return;
  }
  const versions = `golden of rulesVersion ${kept.rulesVersion}, world of ${played.rulesVersion}`;
  const hint = bless ? '; to bless it, raise rulesVersion and say why in CHANGELOG.md' : '';
  throw new Error(`golden ${name}: ${difference ?? 'only the version moved'} (${versions})${hint}`);
}

function write(path: string, golden: Golden): void {
  mkdirSync(dirname(path), { recursive: true });
  const { marks, ...about } = golden;
  const lines = marks.map((mark) => `    ${JSON.stringify(mark)}`);
  const head = JSON.stringify(about, null, 2).slice(0, -2);
  writeFileSync(path, `${head},\n  "marks": [\n${lines.join(',\n')}\n  ]\n}\n`);
}

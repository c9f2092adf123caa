import { existsSync, readFileSync } from 'node:fs';
import { catalog } from '@lockstep/catalog';
import { type AnyEntry, type Course, type CourseState, type CourseVerdict, InputError } from '@lockstep/kernel';
import { checkWritable, readFile, reasonOf, writeAtomically } from './files.ts';
import { findWorld, oneOf } from './names.ts';
import { remark } from './output.ts';

/** Who asks for a written run to be played. */
export interface Request {
  readonly world: string;
  /** A map file, the name of one of the world's maps, or - for stdin. */
  readonly map: string;
  /** A file, or - for stdin. */
  readonly run: string;
  readonly rules: string | undefined;
  readonly svg: string | undefined;
}

/** The course of a world that has one. */
export function findCourse(name: string): { entry: AnyEntry; course: Course<unknown> } {
  const entry = findWorld(name);
  if (entry.course !== undefined) return { entry, course: entry.course };
  const names = catalog.filter(({ course }) => course !== undefined).map(({ world }) => world.name);
  throw new InputError('world', `a world with maps: ${oneOf(name, names)}`, name);
}

/** Plays a written run on a map; `tell` hears of the state after every tick. */
export function playRun({ world: name, map, run, rules, svg }: Request, tell: (state: CourseState) => void): CourseVerdict {
  const { entry, course } = findCourse(name);
  if (map === '-' && run === '-') throw new InputError('instructions', 'a file, for stdin is the map', run);
  if (svg !== undefined) checkWritable(svg);
  const config = configOn(entry, map, rules);
  const way: CourseState[] = [];
  const verdict = course.judge(config, textOf(run), labelOf(run), (state) => {
    if (svg !== undefined) way.push(state);
    tell(state);
  });
  if (verdict.remark !== null) remark(verdict.remark);
  if (svg !== undefined) writeText(svg, course.picture(config, way));
  return verdict;
}

function configOn({ world }: AnyEntry, map: string, rules: string | undefined): unknown {
  const raw = rawConfig(world, map, rules);
  return naming(map, () => world.readConfig(raw));
}

/** A config for the world's door: a preset on a map file, on one of the world's maps, or on what comes from stdin. */
export function rawConfig({ presets }: AnyEntry['world'], map: string, rules: string | undefined): { preset: string; map: string } {
  const names = Object.keys(presets);
  const preset = rules ?? names[0]!;
  if (!names.includes(preset)) throw new InputError('rules', oneOf(preset, names), preset);
  return { preset, map: isName(map) ? map : `${textOf(map)}\n` }; // without a line break it would be taken for a name
}

const isName = (map: string): boolean => /^[\w-]+$/.test(map) && map !== '-' && !existsSync(map);

/** Complaints about the map name the user's file instead of its place in the config. */
export function naming<T>(map: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    const label = isName(map) ? 'map' : labelOf(map);
    if (error instanceof InputError) error.message = error.message.replace(/^config\.map(?=:)/, label);
    throw error;
  }
}

const labelOf = (path: string): string => (path === '-' ? 'stdin' : path);

export function textOf(path: string): string {
  return new TextDecoder().decode(path === '-' ? stdin() : readFile(path));
}

function stdin(): Uint8Array {
  try {
    return readFileSync(0);
  } catch (error) {
    throw new InputError('stdin', 'something to read', reasonOf(error));
  }
}

export function writeText(path: string, text: string): void {
  writeAtomically(path, new TextEncoder().encode(text));
}

import { boolAt, choiceAt, InputError, intAt, objectAt, readSeed, type Seed } from '@lockstep/kernel';
import { listAt, textAt } from '../result.ts';
import type { Entry } from './play.ts';
import type { Participant, RaicPlan, Submission } from './raic/plan.ts';
import { readRaic } from './raic/read.ts';
import { readName, readTime, type WorldFacts } from './values.ts';

export const FORMATS = ['round-robin', 'gauntlet', 'swiss', 'knockout', 'raic'] as const;

interface Common {
  readonly name: string;
  readonly world: string;
  readonly seed: Seed;
  /** The length of a game; the world's own where null. */
  readonly ticks: number | null;
  /** The name of what programs may use. */
  readonly budget: string;
}

interface TableFormat {
  readonly entries: readonly Entry[];
  readonly rules: string;
  readonly seats: number;
  readonly rounds: number;
}

export type CupPlan = Common &
  (
    | (TableFormat & { readonly format: 'round-robin' })
    | (TableFormat & { readonly format: 'gauntlet'; readonly heroes: number })
    | (TableFormat & { readonly format: 'swiss'; readonly turns: number })
    | (TableFormat & { readonly format: 'knockout'; readonly extra: number; readonly third: boolean })
    | { readonly format: 'raic'; readonly raic: RaicPlan }
  );

const COMMON = ['name', 'world', 'format', 'seed', 'ticks', 'budget', 'bots'] as const;
const TABLE = [...COMMON, 'rules', 'rounds'] as const;
const FIELDS = {
  'round-robin': TABLE,
  gauntlet: [...TABLE, 'heroes'],
  swiss: [...TABLE, 'turns'],
  knockout: [...TABLE, 'extra', 'third'],
  raic: [...COMMON, 'sandbox', 'points', 'prizes', 'stages', 'closes_after'],
} as const;

/** The world that a cup's file names; everything else is read by `readCup` with what is known of it. */
export function worldOf(raw: unknown, path: string): string {
  if (typeof raw !== 'object' || raw === null) throw new InputError(path, 'a cup', raw);
  return textAt((raw as Record<string, unknown>)['world'], `${path}: world`);
}

/** The door for a cup's file. `path` is its name, for messages. */
export function readCup(raw: unknown, path: string, facts: WorldFacts): CupPlan {
  const at = (key: string): string => `${path}: ${key}`;
  const world = worldOf(raw, path);
  if ((raw as Record<string, unknown>)['format'] === undefined) objectAt(raw, path, [...new Set(Object.values(FIELDS).flat())]); // a slip of the finger in the word itself
  const format = choiceAt((raw as Record<string, unknown>)['format'], at('format'), FORMATS);
  const cup = objectAt(raw, path, FIELDS[format]);
  const participants = readParticipants(cup['bots'], at('bots'), format === 'raic');
  const common: Common = {
    name: textAt(cup['name'] ?? 'cup', at('name')),
    world,
    seed: readSeed(cup['seed'] ?? 1, at('seed')),
    ticks: cup['ticks'] === undefined ? null : intAt(cup['ticks'], at('ticks'), 1, 1e9),
    budget: textAt(cup['budget'] ?? 'bank', at('budget')),
  };
  if (format === 'raic') {
    const raic = readRaic(cup, path, participants, common.seed, facts);
    return { ...common, format, raic };
  }
  const rules = choiceAt(cup['rules'] ?? facts.presets[0], at('rules'), facts.presets);
  const seats = facts.seats(rules);
  const entries = participants.map(({ name, submissions }) => ({ name, bot: submissions[0]!.bot }));
  const least = format === 'swiss' || format === 'knockout' ? Math.max(2, seats) : Math.max(1, seats);
  if (entries.length < least)
    throw new InputError(at('bots'), `at least ${least} for a ${format} with ${seats} seats a game`, entries.length);
  const table = { ...common, entries, rules, seats, rounds: intAt(cup['rounds'] ?? 1, at('rounds'), 1, 100_000) };
  if (format === 'round-robin') return { ...table, format };
  if (format === 'gauntlet') return { ...table, format, heroes: intAt(cup['heroes'] ?? 1, at('heroes'), 1, entries.length - 1) };
  if (seats !== 2) throw new InputError(at('format'), `round-robin or gauntlet, for a game has ${seats} seats`, format);
  if (format === 'swiss') return { ...table, format, turns: intAt(cup['turns'] ?? 5, at('turns'), 1, 1000) };
  return { ...table, format, extra: intAt(cup['extra'] ?? 3, at('extra'), 0, 1000), third: boolAt(cup['third'] ?? true, at('third')) };
}

function readParticipants(raw: unknown, path: string, many: boolean): Participant[] {
  const seen = new Map<string, number>();
  const all = listAt(raw, path).map((one, i) => {
    const at = `${path}[${i}]`;
    const bot = objectAt(one, at, many ? ['name', 'bot', 'at', 'sent'] : ['name', 'bot']);
    const name = readName(bot['name'], `${at}.name`);
    const before = seen.get(name);
    if (before !== undefined) throw new InputError(`${at}.name`, `another than that of ${path}[${before}]`, name);
    seen.set(name, i);
    const first: Submission = { at: readTime(bot['at'] ?? 0, `${at}.at`), bot: textAt(bot['bot'], `${at}.bot`), reset: false };
    const later = listAt(bot['sent'] ?? [], `${at}.sent`).map((sent, k) => readSubmission(sent, `${at}.sent[${k}]`));
    const submissions = [first, ...later];
    submissions.forEach(({ at: time }, k) => {
      if (k > 0 && time <= submissions[k - 1]!.at) throw new InputError(`${at}.sent[${k - 1}].at`, 'later than the one before', time);
    });
    return { name, submissions };
  });
  if (all.length === 0) throw new InputError(path, 'at least one bot', raw);
  return all;
}

function readSubmission(raw: unknown, path: string): Submission {
  const { at, bot, reset } = objectAt(raw, path, ['at', 'bot', 'reset']);
  return { at: readTime(at, `${path}.at`), bot: textAt(bot, `${path}.bot`), reset: boolAt(reset ?? false, `${path}.reset`) };
}

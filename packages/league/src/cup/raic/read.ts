import { choiceAt, InputError, intAt, numberAt, objectAt, type Seed } from '@lockstep/kernel';
import { listAt } from '../../result.ts';
import { readName, readTime, type WorldFacts } from '../values.ts';
import type { Participant, RaicPlan, RoundPlan, SandboxPlan } from './plan.ts';

const DAY = 24 * 60;

/** The rule book's numbers, and ours where it has none; the presets of the stages are the world's first ones in their order. */
const ROUNDS = [
  { name: 'round1', at: 7 * DAY, qualified: 1080, wild_cards: 0, waves: 10, parts: 2 },
  { name: 'round2', at: 14 * DAY, qualified: 300, wild_cards: 60, waves: 10, parts: 2 },
  { name: 'final', at: 21 * DAY, qualified: 50, wild_cards: 10, waves: 'all', parts: 2 },
] as const;

export function readRaic(
  cup: Record<string, unknown>,
  path: string,
  participants: readonly Participant[],
  seed: Seed,
  facts: WorldFacts,
): RaicPlan {
  const at = (key: string): string => `${path}: ${key}`;
  for (const preset of facts.presets)
    if (facts.seats(preset) !== 2)
      throw new InputError(at('format'), `another than raic, for a game has ${facts.seats(preset)} seats`, 'raic');
  const rounds = listAt(cup['stages'] ?? ROUNDS, at('stages')).map((raw, i) => readRound(raw, `${at('stages')}[${i}]`, i, facts));
  if (rounds.length === 0) throw new InputError(at('stages'), 'at least one', []);
  checkRounds(rounds, participants.length, at('stages'));
  return {
    seed,
    participants,
    rounds,
    sandbox: readSandbox(cup['sandbox'] ?? {}, at('sandbox')),
    closesAfter: readTime(cup['closes_after'] ?? 3 * DAY, at('closes_after')),
    points: listAt(cup['points'] ?? [2, 0], at('points')).map((one, i) => intAt(one, `${at('points')}[${i}]`, 0, 1e6)),
    prizes: intAt(cup['prizes'] ?? 6, at('prizes'), 0, 1e6),
  };
}

function readSandbox(raw: unknown, path: string): SandboxPlan {
  const box = objectAt(raw, path, ['interval', 'longest_interval', 'crash_penalty', 'start', 'deviation', 'least_deviation', 'caution', 'nearness']); // prettier-ignore
  const number = (key: string, orElse: number, min: number, max: number): number =>
    numberAt(box[key] ?? orElse, `${path}.${key}`, min, max);
  const interval = readTime(box['interval'] ?? 60, `${path}.interval`);
  if (interval < 1) throw new InputError(`${path}.interval`, 'at least a minute', box['interval']);
  const deviation = number('deviation', 350, 1, 1e4);
  return {
    interval,
    longestInterval: Math.max(interval, readTime(box['longest_interval'] ?? DAY, `${path}.longest_interval`)),
    crashPenalty: number('crash_penalty', 0.2, 0, 100),
    nearness: number('nearness', 150, 1, 1e6),
    rating: {
      start: number('start', 1200, -1e6, 1e6),
      deviation,
      leastDeviation: number('least_deviation', Math.min(40, deviation), 0.1, deviation),
      caution: number('caution', 2, 0, 10),
    },
  };
}

function readRound(raw: unknown, path: string, index: number, facts: WorldFacts): RoundPlan {
  const round = objectAt(raw, path, ['name', 'rules', 'at', 'pause', 'lasts', 'parts', 'waves', 'repeats', 'qualified', 'wild_cards']);
  const int = (key: string, orElse: number, min: number): number => intAt(round[key] ?? orElse, `${path}.${key}`, min, 1e6);
  const usual = ROUNDS[Math.min(index, ROUNDS.length - 1)]!;
  return {
    name: readName(round['name'] ?? usual.name, `${path}.name`),
    rules: choiceAt(round['rules'] ?? facts.presets[Math.min(index, facts.presets.length - 1)], `${path}.rules`, facts.presets),
    startsAt: readTime(round['at'] ?? usual.at, `${path}.at`),
    pause: readTime(round['pause'] ?? DAY, `${path}.pause`),
    partLasts: readTime(round['lasts'] ?? DAY / 2, `${path}.lasts`),
    parts: int('parts', usual.parts, 1),
    waves: (round['waves'] ?? usual.waves) === 'all' ? 'all' : int('waves', 10, 1),
    repeats: int('repeats', 1, 1),
    qualified: int('qualified', usual.qualified, 0),
    wildCards: int('wild_cards', usual.wild_cards, 0),
  };
}

/** What can be wrong with the sizes is said before the first game. */
function checkRounds(rounds: readonly RoundPlan[], participants: number, path: string): void {
  let before = participants;
  let free: number = 0;
  rounds.forEach((round, i) => {
    const at = `${path}[${i}]`;
    if (rounds.findIndex(({ name }) => name === round.name) !== i) throw new InputError(`${at}.name`, 'a name of its own', round.name);
    if (round.name === 'sandbox') throw new InputError(`${at}.name`, 'another name than the Sandbox has', round.name);
    if (round.startsAt < free) throw new InputError(`${at}.at`, `at least ${free} minutes, when the stage before is over`, round.startsAt);
    free = round.startsAt + (round.parts - 1) * round.pause + round.parts * round.partLasts;
    const through = Math.min(before, round.qualified);
    const players = Math.min(participants, through + round.wildCards);
    if (players < 2) throw new InputError(at, 'at least two players', players);
    if (round.waves !== 'all' && players % 2 === 1)
      throw new InputError(at, 'an even number of players, for each plays one game a wave (see qualified and wild_cards)', players);
    before = players;
  });
}

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { InputError } from '@lockstep/kernel';
import { bradleyTerry, compare, eloRatings, type GameLine, glicko2Ratings, readJournal } from '@lockstep/league';
import { type Command, Option } from 'commander';
import { readFile } from '../files.ts';
import { numberFlag } from '../flags.ts';
import { say, sayJson, table } from '../output.ts';

interface Options {
  readonly system: 'bt' | 'elo' | 'glicko2';
  readonly anchor?: readonly string[];
  readonly average: string;
  readonly json?: boolean;
}

export function addRate(program: Command): void {
  program
    .command('rate')
    .summary('ratings from results')
    .description('Computes ratings from all results, anew every time.')
    .argument('<files...>', 'folders of runs, their journals, or files of such lines')
    .addOption(new Option('--system <name>', 'Bradley-Terry with error bars, Elo, Glicko-2').choices(['bt', 'elo', 'glicko2']).default('bt'))
    .option('--anchor <name=rating>', 'a rating that is known and stays; for bt (may be repeated)', (one: string, all: string[] | undefined) => [...(all ?? []), one])
    .option('--average <n>', 'the average rating', '1500')
    .option('--json', 'one JSON object a bot on stdout')
    .addHelpText(
      'after',
      `
A line of a file is a JSON object as \`lockstep test\` and \`lockstep cup\` write them (docs/league.md).

Examples:
  $ lockstep rate runs/cup
  $ lockstep rate runs/*/journal.ndjson --anchor captain=2000
  $ lockstep rate results.ndjson --system glicko2 --json`,
    )
    .action(rate);
} // prettier-ignore

function rate(files: readonly string[], options: Options): void {
  const games = files.map(journalOf).flatMap((file) => readJournal(wholeText(new TextDecoder().decode(readFile(file))), file).games);
  const versions = new Set(games.map(({ world, rulesVersion }) => `${world}, rulesVersion ${rulesVersion}`));
  if (versions.size > 1) throw new InputError('files', 'results of one world and one rulesVersion', [...versions].join(' and '));
  if (games.length === 0) throw new InputError('files', 'at least one result', files.join(', '));
  if (games.some(({ bots }) => bots.length < 2)) throw new InputError('files', 'games of two or more bots', `a game that ${games.find(({ bots }) => bots.length < 2)!.bots[0]!.name} played alone`); // prettier-ignore
  const rows = ratingsOf(games, options);
  if (options.json) return rows.forEach((row) => sayJson({ kind: 'rating', ...row }));
  const cells = rows.map(({ name, rating, error, games: count }, i) => [i + 1, name, Math.round(rating), error === null ? '' : `± ${Math.round(error)}`, count]); // prettier-ignore
  say(table(['', 'name', 'rating', 'error', 'games'], cells));
}

/** Of a run's folder, its journal. */
function journalOf(path: string): string {
  const journal = join(path, 'journal.ndjson');
  return existsSync(journal) ? journal : path;
}

/** A file of another program may end without the end of a line; half a line of a run that is going on is left out. */
function wholeText(text: string): string {
  try {
    JSON.parse(text.slice(text.lastIndexOf('\n') + 1));
    return `${text}\n`;
  } catch {
    return text;
  }
}

function ratingsOf(games: readonly GameLine[], { system, anchor = [], average }: Options) {
  const start = numberFlag(average, 'average', -1e6, 1e6);
  if (system === 'bt') return bradleyTerry(compare(games), { average: start, anchors: anchorsOf(anchor, games) });
  if (anchor.length > 0) throw new InputError('anchor', 'none, for only bt knows anchors', anchor.join(' '));
  const counts = new Map<string, number>();
  for (const { bots } of games) for (const { name } of bots) counts.set(name, (counts.get(name) ?? 0) + 1);
  const found: [string, number, number | null][] =
    system === 'elo'
      ? [...eloRatings(games, { start })].map(([name, rating]) => [name, rating, null])
      : [...glicko2Ratings(games, { start: { rating: start, deviation: 350, volatility: 0.06 } })].map(([name, { rating, deviation }]) => [name, rating, 1.96 * deviation]); // prettier-ignore
  return found.map(([name, rating, error]) => ({ name, rating, error, games: counts.get(name)! })).sort((a, b) => b.rating - a.rating);
}

function anchorsOf(texts: readonly string[], games: readonly GameLine[]): Record<string, number> {
  const names = new Set(games.flatMap(({ bots }) => bots.map(({ name }) => name)));
  return Object.fromEntries(
    texts.map((text) => {
      const [, name, value] = /^(.+)=([^=]+)$/.exec(text) ?? [];
      if (name === undefined || !names.has(name)) throw new InputError('anchor', `name=rating with one of ${[...names].join(', ')}`, text);
      return [name, numberFlag(value!, 'anchor', -1e6, 1e6)];
    }),
  );
}

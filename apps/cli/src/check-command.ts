import { findBot } from '@lockstep/bots';
import { type AnyEntry, hash, InputError, shown } from '@lockstep/kernel';
import { BUDGETS, createMatch, type Fault, type Seat, type SeatBot, type Spent, withAct } from '@lockstep/match';
import type { Command } from 'commander';
import { type Care, chooseSandbox, findSeat, isProgram } from './bots.ts';
import { EXIT, leaveWith } from './exit.ts';
import { wholeFlag } from './flags.ts';
import { findWorld } from './names.ts';
import { grouped, oneLine, remark, say, sayJson, table } from './output.ts';

interface Options {
  readonly world?: string;
  readonly ticks: string;
  readonly json?: boolean;
}

interface Finding {
  readonly what: string;
  readonly ok: boolean;
  readonly says: string;
}

export function addCheck(program: Command): void {
  program
    .command('check')
    .summary('does a bot keep the rules?')
    .description('Plays a bot on every seat, twice, and tells what it does: start, actions, speed, the same twice, memory, the end.')
    .argument('<bot>', 'as in match')
    .option('--world <world>', 'which world (default: the first that its bot.json names)')
    .option('--ticks <n>', 'length of the games', '300')
    .option('--json', 'one JSON object on stdout')
    .addHelpText(
      'after',
      '\nExit code 1 when something is wrong.\n\nExamples:\n  $ lockstep check ./mine\n  $ lockstep check script:./bot.js --world asteracer',
    )
    .action(check);
}

/** What came of one game. */
interface Played {
  readonly seat: number;
  /** What the bot answered, tick by tick. */
  readonly answers: readonly string[];
  readonly faults: readonly Fault[];
  readonly spent: Spent | null;
  /** How long we waited for each answer. */
  readonly waits: readonly number[];
  readonly hash: string;
}

async function check(text: string, options: Options): Promise<void> {
  const entry = findWorld(options.world ?? findBot(text)?.manifest?.worlds?.[0] ?? noWorld(text));
  const ticks = wholeFlag(options.ticks, 'ticks', 1, 100_000);
  const kept = isProgram(entry, text) ? chooseSandbox('auto') : { kind: null, line: null };
  if (kept.line !== null) remark(kept.line);
  const care: Care = { timeout: 20, budget: BUDGETS.bank, sandbox: kept.kind };
  const config = entry.world.readConfig({ preset: Object.keys(entry.world.presets)[0], ticks });
  const played: Played[] = [];
  for (let seat = 0; seat < entry.world.seats(config); seat++) {
    for (let time = 0; time < 2; time++) played.push(await play(entry, config, await findSeat(entry, text, care), seat));
  }
  const findings = report(played, ticks);
  if (options.json) sayJson({ kind: 'check', world: entry.world.name, bot: text, findings });
  else say(`${oneLine(text)} in ${entry.world.name}\n${table(['', 'ok', ''], findings.map(({ what, ok, says }) => [what, ok ? 'yes' : 'NO', oneLine(says)]))}`); // prettier-ignore
  if (findings.some(({ ok }) => !ok)) leaveWith(EXIT.failed);
}

function noWorld(text: string): never {
  throw new InputError('world', 'one to play, for this bot does not name any', text);
}

/** Against the world's own bots. */
async function play(entry: AnyEntry, config: unknown, bot: Seat, seat: number): Promise<Played> {
  const { world, bots } = entry;
  const answers: string[] = [];
  const waits: number[] = [];
  const noted: Seat = { ...bot, make: async (...args) => noting(await bot.make(...args), answers, waits) };
  const others = Object.entries(bots).map(([name, make]): Seat => ({ name, kind: 'builtin', sha256: null, make }));
  const seats = Array.from({ length: world.seats(config) }, (_, i) => (i === seat ? noted : others[i % others.length]!));
  const match = createMatch({ world, config, seed: 1n, seats });
  try {
    while (match.result === null) await match.stepAsync();
  } finally {
    await match.close();
  }
  return {
    seat,
    answers,
    faults: match.faults.filter((fault) => fault.seat === seat),
    spent: match.spent[seat]!,
    waits,
    hash: hash(world, match.state),
  };
}

function noting(bot: SeatBot, answers: string[], waits: number[]): SeatBot {
  return withAct(bot, async (view) => {
    const started = performance.now();
    const answer: unknown = await bot.act(view);
    waits.push(performance.now() - started);
    answers.push(typeof answer === 'symbol' ? 'late' : (JSON.stringify(answer) ?? 'nothing'));
    return answer;
  });
}

function report(played: readonly Played[], ticks: number): Finding[] {
  const faults = played.flatMap((game) => game.faults);
  const start = faults.find(({ tick, kind }) => kind === 'no-start' || (tick === 0 && kind === 'protocol'));
  if (start !== undefined) return [{ what: 'starts', ok: false, says: faultText(start) }];
  const [first] = faults;
  const acts = played.reduce((sum, game) => sum + game.answers.length, 0);
  const findings: Finding[] = [
    { what: 'starts', ok: true, says: `on ${played.length / 2} of ${played.length / 2} seats` },
    {
      what: 'plays by the rules',
      ok: first === undefined,
      says: first === undefined ? `${grouped(acts)} legal actions` : faultText(first),
    },
    twice(played),
  ];
  if (acts > 0) findings.push(quick(played, acts));
  const spent = played.flatMap((game) => game.spent ?? []);
  return [...findings, modest(spent, ticks), leaving(spent)];
}

/** Time, and where instructions are counted, these: they are the same on every machine. */
function quick(played: readonly Played[], acts: number): Finding {
  const waits = played.flatMap((game) => game.waits);
  const mean = waits.reduce((sum, ms) => sum + ms, 0) / acts;
  const slowest = waits.reduce((most, ms) => Math.max(most, ms), 0);
  const allowedMs = BUDGETS.bank.bank.perTickMs;
  const gas = played.reduce((sum, { spent }) => sum + (spent?.gas ?? 0), 0) / acts;
  const allowedGas = BUDGETS.bank.gas.perTick;
  const counted = gas === 0 ? '' : `; ${grouped(gas)} of ${grouped(allowedGas)} gas`;
  return {
    what: 'is quick',
    ok: mean <= allowedMs && gas <= allowedGas,
    says: `${mean.toFixed(2)} ms an answer on average (${allowedMs} are allowed in a long game), slowest ${slowest.toFixed(1)} ms${counted}`,
  };
}

/** More than it may have would have been a fault. */
function modest(spent: readonly Spent[], ticks: number): Finding {
  const what = 'is modest';
  const peaks = spent.flatMap(({ peakBytes }) => peakBytes ?? []);
  if (peaks.length === 0) return { what, ok: true, says: 'its memory cannot be told from ours, or is far away' };
  const megabytes = (bytes: number): string => grouped(Math.max(1, bytes / 1024 / 1024));
  return { what, ok: true, says: `at most ${megabytes(Math.max(...peaks))} of ${megabytes(BUDGETS.bank.memoryBytes)} MB, ${ticks} ticks` };
}

function leaving(spent: readonly Spent[]): Finding {
  const ways = [...new Set(spent.flatMap((one) => one.leaving ?? []))];
  const says = ways.length === 0 ? 'it has no process that could stay' : ways.join('; ');
  return { what: 'leaves at the end', ok: ways.every((one) => one.endsWith('exit code 0')), says };
}

const faultText = ({ seat, tick, kind, reason }: Fault): string => `seat ${seat}, tick ${tick}, ${kind}: ${reason}`;

/** The same seed and seat: the same answers? */
function twice(played: readonly Played[]): Finding {
  const what = 'does the same twice';
  for (let i = 0; i + 1 < played.length; i += 2) {
    const [one, two] = [played[i]!, played[i + 1]!];
    const tick = one.answers.findIndex((answer, index) => answer !== two.answers[index]);
    if (tick >= 0)
      return { what, ok: false, says: `seat ${one.seat}, tick ${tick}: ${shown(one.answers[tick])}, then ${shown(two.answers[tick])}` };
    if (one.hash !== two.hash) return { what, ok: false, says: `seat ${one.seat}: the same answers, but it was out at different ticks` };
  }
  return { what, ok: true, says: 'its games can be checked by running it again' };
}

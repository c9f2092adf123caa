import type { Seed } from '@lockstep/kernel';
import type { Spent } from '@lockstep/match';
import { EXIT, leaveWith } from './exit.ts';
import type { GameReport, Table } from './game.ts';
import { counted, grouped, oneLine, Progress, say, sayJson } from './output.ts';

/** Plays one game and tells all about it. */
export async function playOne(table: Table, seed: Seed, json: boolean): Promise<GameReport> {
  const progress = new Progress('playing');
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(EXIT.interrupted)); // bots go with us
  const report = await table.play(seed, (tick) => progress.show(`${grouped(tick)} ticks`));
  progress.clear();
  if (json) sayJson(gameLine(table.entry.world.name, namesOf(table), report));
  else tellGame(table, report);
  return report;
}

function tellGame(table: Table, report: GameReport): void {
  const { seed, scores, ranks, reason, ticks, played, seconds, faults, record, bytes, honesty, left } = report;
  say(`${table.entry.world.name}, seed ${seed}`);
  table.seats.forEach(({ name }, seat) =>
    say(`  ${String(scores[seat]).padStart(5)}  ${oneLine(name)}${winner(ranks) === seat ? '  *' : ''}`),
  );
  say(`${reason} after ${counted(ticks, 'tick')}; final state ${report.hash}, ${honesty}; ${grouped(played / seconds)} ticks/s`);
  for (const doubt of report.doubts) say(`not as asked for: ${doubt}`);
  if (left === null) say('the same game as the recorded one, as long as that lasted');
  else if (left !== undefined)
    say(`leaves the recorded game at tick ${left.tick}, where another action comes from seat ${left.seats.join(' and ')}`);
  report.times.forEach((spent, seat) => {
    if (spent !== null) say(`time of seat ${seat} (${oneLine(table.seats[seat]!.name)}): ${timeText(spent)}`);
  });
  for (const { seat, tick, kind, reason, stderr = [], input } of faults) {
    say(`fault: seat ${seat} (${oneLine(table.seats[seat]!.name)}), tick ${tick}, ${kind}: ${reason}`);
    for (const line of stderr) say(`  stderr: ${oneLine(line)}`);
    if (input !== undefined && input !== '') say(`  it was given: ${oneLine(input.length > 120 ? `${input.slice(0, 120)}…` : input)}`);
  }
  if (record !== null) say(`replay: ${oneLine(record)} (${grouped(bytes)} bytes)`);
}

export function tellAll(bots: readonly string[], reports: readonly GameReport[], seconds: number, threads: number, json: boolean): void {
  const wins = bots.map((_, seat) => reports.filter(({ ranks }) => winner(ranks) === seat).length);
  const draws = reports.length - wins.reduce((sum, won) => sum + won, 0);
  const ticks = reports.reduce((sum, report) => sum + report.played, 0);
  const faults = reports.reduce((sum, report) => sum + report.faults.length, 0);
  const scores = bots.map((_, seat) => reports.reduce((sum, report) => sum + report.scores[seat]!, 0));
  const gamesPerSecond = reports.length / seconds;
  const ticksPerSecond = ticks / seconds;
  if (json)
    return sayJson({
      kind: 'summary',
      games: reports.length,
      wins,
      draws,
      scores,
      ticks,
      faults,
      seconds,
      gamesPerSecond,
      ticksPerSecond,
      threads,
    });
  say(
    `${bots.map((name, seat) => `${oneLine(name)} won ${wins[seat]} (score ${scores[seat]})`).join(', ')}, drawn ${draws}${faults > 0 ? `, ${counted(faults, 'fault')}` : ''}`,
  );
  say(
    `${counted(reports.length, 'game')} in ${seconds.toFixed(1)} s on ${counted(threads, 'thread')}: ${gamesPerSecond.toFixed(1)} games/s, ${grouped(ticksPerSecond)} ticks/s`,
  );
}

export function gameLine(world: string, bots: readonly string[], report: GameReport): object {
  const { seed, seconds, bytes, record, ticks, played, ...rest } = report;
  return {
    kind: 'game',
    world,
    seed,
    bots,
    ...rest,
    ticks,
    seconds,
    ticksPerSecond: played / seconds,
    record,
    ...(record === null ? {} : { bytes }),
  };
}

const namesOf = ({ seats }: Table): string[] => seats.map(({ name }) => name);
export const faultsOf = ({ faults }: GameReport): string =>
  faults.map(({ seat, tick, kind, reason }) => `; fault: seat ${seat}, tick ${tick}, ${kind}: ${reason}`).join('');

function timeText({ wallMs, cpuMs, chargedMs, slowestMs, peakBytes, gas }: Spent): string {
  const seconds = (ms: number): string => `${(ms / 1000).toFixed(2)} s`;
  const work = cpuMs === null ? (gas === undefined ? 'processor time unknown' : `${grouped(gas)} gas`) : `${seconds(cpuMs)} of processor`;
  const memory = peakBytes === null ? '' : `, at most ${grouped(peakBytes / 1024 / 1024)} MB`;
  return `waited for ${seconds(wallMs)}, ${work}, charged ${seconds(chargedMs)}, slowest answer ${slowestMs.toFixed(1)} ms${memory}`;
}

/** The seat that is first alone, or -1. */
function winner(ranks: readonly number[]): number {
  return ranks.filter((rank) => rank === 1).length === 1 ? ranks.indexOf(1) : -1;
}

/** What a shell sees: a bot that misbehaved, or a result that is not as honest as was asked for. */
export function leaveAsPlayed(reports: readonly GameReport[]): void {
  if (reports.some(({ faults }) => faults.length > 0)) leaveWith(EXIT.fault);
  else if (reports.some(({ doubts }) => doubts.length > 0)) leaveWith(EXIT.failed);
}

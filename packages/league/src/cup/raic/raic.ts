import type { Play } from '../play.ts';
import { type Minutes, type Participant, type RaicPlan, type RoundPlan, submissionAt } from './plan.ts';
import { playAllPairs, playWaves, RoundTable } from './round.ts';
import { Sandbox } from './sandbox.ts';

export interface RankedName {
  readonly name: string;
  readonly rating: number;
}

/** What is known of the cup so far, for whoever watches; filled as it goes on. */
export interface RaicView {
  sandbox: readonly RankedName[];
  now: Minutes;
  readonly rounds: RoundView[];
}

export interface RoundView {
  readonly name: string;
  /** Who is in, and who of them by the Sandbox. */
  readonly players: readonly string[];
  readonly wildCards: readonly string[];
  part: number;
  wave: number;
  standings: readonly RankedName[];
}

export interface RaicOutcome {
  /** All of the Final, the winner first. */
  readonly final: readonly RankedName[];
  /** The Sandbox's order for its prizes: without those who have one of the Final. */
  readonly sandbox: readonly RankedName[];
}

/** The rule book's whole tournament: the Sandbox all the time, the rounds in between. */
export function* raic(plan: RaicPlan, view: RaicView = newView()): Play<RaicOutcome> {
  const sandbox = new Sandbox(plan);
  let before: readonly RankedName[] | null = null;
  let last: readonly RankedName[] = [];
  for (const [index, round] of plan.rounds.entries()) {
    // "those of a random past stage or of the current/next one"
    const rules = plan.rounds.slice(0, index + 1).map((one) => one.rules);
    yield* openSandbox(round.startsAt, rules);
    const { players, wildCards } = qualify(round, before, sandbox, plan.participants);
    const table = new RoundTable(players.map(({ name }) => name), plan.points); // prettier-ignore
    const shown: RoundView = { name: round.name, players: [...table.points.keys()], wildCards, part: 0, wave: 0, standings: [] };
    view.rounds.push(shown);
    let sentAt: Minutes = round.startsAt;
    for (let part = 1; part <= round.parts; part++) {
      if (part > 1) yield* openSandbox(sandbox.now + round.pause, rules);
      sentAt = sandbox.now;
      Object.assign(shown, { part, wave: 0 });
      yield* playPart(round, part, players, table, shown, sentAt);
      sandbox.freeze(sandbox.now + round.partLasts);
    }
    last = ordered(table, players, sentAt);
    shown.standings = last;
    before = last;
  }
  yield* openSandbox(sandbox.now + plan.closesAfter, [...new Set(plan.rounds.map(({ rules }) => rules))]);
  const winners = new Set(last.slice(0, plan.prizes).map(({ name }) => name));
  return { final: last, sandbox: shownOrder(sandbox).filter(({ name }) => !winners.has(name)) };

  function* openSandbox(end: Minutes, rules: readonly string[]): Play<void> {
    const games = sandbox.playUntil(end, rules);
    for (let step = games.next(); step.done !== true;) {
      const results = yield step.value;
      step = games.next(results);
      Object.assign(view, { sandbox: shownOrder(sandbox), now: sandbox.now });
    }
    view.now = sandbox.now;
  }

  /** "A part uses the last accepted strategy sent before it." */
  function* playPart(
    round: RoundPlan,
    part: number,
    players: readonly Participant[],
    table: RoundTable,
    shown: RoundView,
    sentAt: Minutes,
  ): Play<void> {
    const entries = players.map((player) => ({ name: player.name, bot: submissionAt(player, sentAt).bot }));
    const partPlan = { id: `${round.name}/part${part}`, seed: plan.seed, rules: round.rules, entries };
    const onWave = (wave: number): void => void Object.assign(shown, { wave, standings: ordered(table, players, sentAt) });
    if (round.waves === 'all') yield* playAllPairs(partPlan, round.repeats, table);
    else yield* playWaves(partPlan, round.waves, table, onWave);
    onWave(round.waves === 'all' ? 0 : round.waves);
  }
}

export function newView(): RaicView {
  return { sandbox: [], now: 0, rounds: [] };
}

/** The best of the stage before, and the best of the Sandbox among the rest. Where latecomers make the number odd, the last one stays out. */
function qualify(round: RoundPlan, before: readonly RankedName[] | null, sandbox: Sandbox, participants: readonly Participant[]) {
  const byRating = sandbox.order().map(({ participant }) => participant);
  const even = (list: readonly Participant[]) => (round.waves !== 'all' && list.length % 2 === 1 ? list.slice(0, -1) : list);
  if (before === null) return { players: even(byRating.slice(0, round.qualified + round.wildCards)), wildCards: [] };
  const through = before.slice(0, round.qualified).map(({ name }) => participants.find((one) => one.name === name)!);
  const more = byRating.filter((one) => !through.includes(one)).slice(0, round.wildCards);
  const players = even([...through, ...more]);
  return { players, wildCards: players.slice(through.length).map(({ name }) => name) };
}

/** "Order by rating, tie: earlier submitted." */
function ordered({ points }: RoundTable, players: readonly Participant[], sentAt: Minutes): RankedName[] {
  const rows = players.map((player) => ({ name: player.name, rating: points.get(player.name)!, sent: submissionAt(player, sentAt).at }));
  rows.sort((a, b) => b.rating - a.rating || a.sent - b.sent);
  return rows.map(({ name, rating }) => ({ name, rating }));
}

function shownOrder(sandbox: Sandbox): RankedName[] {
  return sandbox.order().map(({ participant, shown }) => ({ name: participant.name, rating: shown }));
}

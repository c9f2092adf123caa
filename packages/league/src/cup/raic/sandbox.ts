import { nextInt, type Rng, uniform } from '@lockstep/kernel';
import { crashed, type GameLine, pointsAgainst } from '../../result.ts';
import { diceFor, drawNear, type Entry, type Play, type PlannedGame, seedFor } from '../play.ts';
import { type Minutes, type Participant, type RaicPlan, type SandboxPlan, submissionAt } from './plan.ts';
import { afterGame, newRating, type SandboxRating, shownRating } from './rating.ts';

const WEEK: Minutes = 7 * 24 * 60;
/** Those who are due within so much of the interval are paired together. */
const SLOTS_A_INTERVAL = 6;
const CRASHES_AMONG = 10;

export interface SandboxPlayer {
  readonly participant: Participant;
  rating: SandboxRating;
  shown: number;
  games: number;
  /** The time of the next game. */
  due: Minutes;
  /** The last games, true where the strategy crashed. */
  readonly crashes: boolean[];
  /** Submissions up to here have been taken note of. */
  submitted: number;
}

/** The Sandbox: open all the time, but for the parts of the rounds. */
export class Sandbox {
  readonly players: readonly SandboxPlayer[];
  now: Minutes = 0;
  private readonly plan: RaicPlan;
  private slot = 0;

  constructor(plan: RaicPlan) {
    this.plan = plan;
    const dice = diceFor(plan.seed, 'sandbox');
    this.players = plan.participants.map((participant) => ({
      participant,
      rating: newRating(plan.sandbox.rating),
      shown: plan.sandbox.rating.start,
      games: 0,
      due: participant.submissions[0]!.at + uniform(dice, 0, plan.sandbox.interval), // nobody's clock ticks with another's
      crashes: [],
      submitted: 1,
    }));
  }

  /** Games up to this time, by the rules of a random one of these stages. */
  *playUntil(end: Minutes, rules: readonly string[]): Play<void> {
    const step = this.plan.sandbox.interval / SLOTS_A_INTERVAL;
    for (; this.now < end; this.now = Math.min(end, this.now + step)) {
      const dice = diceFor(this.plan.seed, `sandbox/${this.slot}`);
      const pairs = this.pairTheDue(dice);
      if (pairs.length > 0) {
        const games = pairs.map((pair, i) => this.gameOf(pair, `sandbox/${this.slot}/${i + 1}`, rules[nextInt(dice, rules.length)]!));
        const results: readonly GameLine[] = yield games;
        pairs.forEach((pair, i) => this.take(pair, results[i]!));
      }
      this.slot++;
    }
  }

  /** Those who have sent a strategy, best first; "at equal ratings who sent the last version earlier". */
  order(time: Minutes = this.now): SandboxPlayer[] {
    const here = this.players.filter(({ participant }) => participant.submissions[0]!.at <= time);
    return here.sort(
      (a, b) =>
        b.shown - a.shown ||
        submissionAt(a.participant, time).at - submissionAt(b.participant, time).at ||
        this.players.indexOf(a) - this.players.indexOf(b),
    );
  }

  /** Frozen: everybody's next game waits for so long. */
  freeze(end: Minutes): void {
    for (const player of this.players) player.due += Math.max(0, end - this.now);
    this.now = Math.max(this.now, end);
  }

  private pairTheDue(dice: Rng): [SandboxPlayer, SandboxPlayer][] {
    const due = this.players.filter((player) => player.due <= this.now).sort((a, b) => a.due - b.due);
    const pairs: [SandboxPlayer, SandboxPlayer][] = [];
    while (due.length >= 2) {
      const first = due.shift()!;
      const distances = due.map((other) => first.shown - other.shown);
      const [other] = due.splice(drawNear(distances, this.plan.sandbox.nearness, dice), 1);
      pairs.push(nextInt(dice, 2) === 0 ? [first, other!] : [other!, first]);
    }
    return pairs;
  }

  private gameOf(pair: readonly SandboxPlayer[], id: string, rules: string): PlannedGame {
    const seats: Entry[] = pair.map(({ participant }) => ({ name: participant.name, bot: submissionAt(participant, this.now).bot }));
    return { id, seed: seedFor(this.plan.seed, id), seats, rules };
  }

  private take(pair: readonly [SandboxPlayer, SandboxPlayer], game: GameLine): void {
    for (const player of pair) this.noteSubmissions(player);
    const before = pair.map(({ rating }) => rating);
    pair.forEach((player, i) => {
      const own = game.bots.findIndex(({ name }) => name === player.participant.name);
      player.rating = afterGame(before[i]!, before[1 - i]!, pointsAgainst(game, own, 1 - own), this.plan.sandbox.rating);
      player.shown = shownRating(player.rating, this.plan.sandbox.rating);
      player.games++;
      player.crashes.push(crashed(game, own));
      if (player.crashes.length > CRASHES_AMONG) player.crashes.shift();
      player.due = this.now + intervalOf(this.plan.sandbox, this.now - submissionAt(player.participant, this.now).at, player.crashes);
    });
  }

  /** "The rating falls after the next game": a reset shows with that game. */
  private noteSubmissions(player: SandboxPlayer): void {
    const { submissions } = player.participant;
    for (; submissions[player.submitted] !== undefined && submissions[player.submitted]!.at <= this.now; player.submitted++)
      if (submissions[player.submitted]!.reset) player.rating = { ...player.rating, deviation: this.plan.sandbox.rating.deviation };
  }
}

/** "For each N-th full week since the last accepted submission + N base intervals; + 20 % for each crash among the last 10; never over 24 h." */
export function intervalOf(plan: SandboxPlan, sinceSubmission: Minutes, crashes: readonly boolean[]): Minutes {
  const weeks = Math.floor(sinceSubmission / WEEK);
  const factor = 1 + (weeks * (weeks + 1)) / 2 + plan.crashPenalty * crashes.filter(Boolean).length;
  return Math.min(plan.longestInterval, plan.interval * factor);
}

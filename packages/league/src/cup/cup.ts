import type { GameLine } from '../result.ts';
import { knockout, type Tie } from './knockout.ts';
import { type Play, type PlannedGame } from './play.ts';
import { newView, raic, type RaicView } from './raic/raic.ts';
import type { CupPlan } from './read.ts';
import { gauntlet, roundRobin } from './round-robin.ts';
import { type Standing, standingsOf } from './standings.ts';
import { swiss, type SwissTurn } from './swiss.ts';

export interface Row {
  readonly name: string;
  /** Points or rating, by which the rows are ordered. */
  readonly value: number;
}

/** One stage as it is shown: a table, with what else there is to see of it. */
export interface StageView {
  readonly name: string;
  /** Where it stands, in data: the part, wave or turn that is being played. */
  readonly at: Readonly<Record<string, number>>;
  readonly rows: readonly Row[];
  readonly standings?: readonly Standing[];
  readonly ties?: readonly Tie[];
  readonly turns?: readonly SwissTurn[];
  /** Those who came in by their rating in the Sandbox. */
  readonly wildCards?: readonly string[];
}

/** The last word of a cup: one list a prize. */
export interface CupOutcome {
  readonly places: readonly { readonly of: string; readonly rows: readonly Row[] }[];
}

/** A cup that is going on: ask `next` with all results so far. */
export class Cup {
  readonly plan: CupPlan;
  outcome: CupOutcome | null = null;
  private readonly play: Play<CupOutcome>;
  private readonly raicView: RaicView = newView();
  private readonly ties: Tie[] = [];
  private readonly turns: SwissTurn[] = [];
  private readonly finished: GameLine[] = [];
  private batch: readonly PlannedGame[] = [];

  constructor(plan: CupPlan) {
    this.plan = plan;
    this.play = this.start();
    this.follow(this.play.next());
  }

  /** The games that can be played now: empty when all is done. Those whose results are known are passed by. */
  next(known: ReadonlyMap<string, GameLine>): readonly PlannedGame[] {
    while (this.outcome === null) {
      const open = this.batch.filter(({ id }) => !known.has(id));
      if (open.length > 0) return open;
      const results = this.batch.map(({ id }) => known.get(id)!);
      this.finished.push(...results);
      this.follow(this.play.next(results));
    }
    return [];
  }

  /** Every stage that has begun; `known` also counts games of a batch that is not done. */
  stages(known: ReadonlyMap<string, GameLine>): StageView[] {
    const { plan } = this;
    if (plan.format === 'raic') return this.raicStages();
    const going = this.outcome === null ? this.batch.flatMap(({ id }) => known.get(id) ?? []) : [];
    const names = plan.entries.map(({ name }) => name);
    const byes = this.turns.flatMap(({ bye }) => (bye === null ? [] : Array.from({ length: 2 * plan.rounds }, () => bye)));
    const standings = standingsOf(names, [...this.finished, ...going], byes);
    const alone = plan.seats === 1;
    const rows = standings.map(({ name, points, scored, games }) => ({ name, value: alone ? scored / Math.max(1, games) : points }));
    if (alone) rows.sort((a, b) => b.value - a.value);
    const at: Record<string, number> = plan.format === 'swiss' ? { turn: this.turns.length, of: plan.turns } : {};
    const more = plan.format === 'knockout' ? { ties: this.ties } : plan.format === 'swiss' ? { turns: this.turns } : {};
    return [{ name: plan.format, at, rows, standings, ...more }];
  }

  private follow(step: IteratorResult<readonly PlannedGame[], CupOutcome>): void {
    if (step.done === true) this.outcome = step.value;
    else this.batch = step.value;
  }

  private *start(): Play<CupOutcome> {
    const { plan } = this;
    if (plan.format === 'raic') {
      const { final, sandbox } = yield* raic(plan.raic, this.raicView);
      return { places: [{ of: plan.raic.rounds.at(-1)!.name, rows: ranked(final) }, { of: 'sandbox', rows: ranked(sandbox) }] }; // prettier-ignore
    }
    if (plan.format === 'knockout') {
      const order = yield* knockout(plan, (ties) => this.ties.push(...ties));
      return { places: [{ of: plan.name, rows: order.map((name, i) => ({ name, value: i + 1 })) }] };
    }
    if (plan.format === 'swiss') yield* swiss(plan, (turn) => this.turns.push(turn));
    else if (plan.format === 'gauntlet') yield* gauntlet(plan);
    else yield* roundRobin(plan);
    return { places: [{ of: plan.name, rows: this.stages(new Map())[0]!.rows }] };
  }

  private raicStages(): StageView[] {
    const { sandbox, now, rounds } = this.raicView;
    const stages = rounds.map(({ name, part, wave, standings, wildCards, players }): StageView => {
      const rows = standings.length > 0 ? ranked(standings) : players.map((one) => ({ name: one, value: 0 }));
      return { name, at: { part, ...(wave > 0 ? { wave } : {}) }, rows, wildCards };
    });
    return [{ name: 'sandbox', at: { minutes: now }, rows: ranked(sandbox) }, ...stages];
  }
}

function ranked(rows: readonly { readonly name: string; readonly rating: number }[]): Row[] {
  return rows.map(({ name, rating }) => ({ name, value: rating }));
}

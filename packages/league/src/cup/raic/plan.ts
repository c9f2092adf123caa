import type { Seed } from '@lockstep/kernel';

/** Minutes of the cup's own clock, which starts with the Sandbox. */
export type Minutes = number;

/** A strategy sent in: from `at` on it plays for whoever sent it. */
export interface Submission {
  readonly at: Minutes;
  readonly bot: string;
  /** "Reset the volatility": the rating is as unsure as on the first day. */
  readonly reset: boolean;
}

export interface Participant {
  readonly name: string;
  /** By time; at least one. */
  readonly submissions: readonly Submission[];
}

/** The rule book leaves the mathematics open; these are ours, and they are data. */
export interface SandboxPlan {
  /** "About one game an hour." */
  readonly interval: Minutes;
  readonly longestInterval: Minutes;
  /** Of the interval, for each crash among the last ten games. */
  readonly crashPenalty: number;
  readonly rating: RatingPlan;
  /** Ratings so far apart meet half as often as equal ones. */
  readonly nearness: number;
}

export interface RatingPlan {
  readonly start: number;
  /** How unsure a new rating is, and the least that a long row of games leaves. */
  readonly deviation: number;
  readonly leastDeviation: number;
  /** The shown rating is the estimate less so many deviations: it rises as games are played and falls at a reset, as the rule book tells. */
  readonly caution: number;
}

export interface RoundPlan {
  readonly name: string;
  /** The world's preset. */
  readonly rules: string;
  readonly startsAt: Minutes;
  /** Between its two parts the Sandbox is open. */
  readonly pause: Minutes;
  /** How long the Sandbox is frozen for one part. */
  readonly partLasts: Minutes;
  readonly parts: number;
  /** Games of each in a part: in waves with drawn opponents, or everybody against everybody. */
  readonly waves: number | 'all';
  /** How often all pairs meet in a part; for 'all' only. */
  readonly repeats: number;
  /** How many of the stage before take part, and how many more by their rating in the Sandbox. */
  readonly qualified: number;
  readonly wildCards: number;
}

export interface RaicPlan {
  readonly seed: Seed;
  readonly participants: readonly Participant[];
  readonly sandbox: SandboxPlan;
  readonly rounds: readonly RoundPlan[];
  /** The Sandbox is open so long after the last part. */
  readonly closesAfter: Minutes;
  /** Points for the first place, the second, … */
  readonly points: readonly number[];
  /** So many of the Final are left out of the Sandbox's prizes. */
  readonly prizes: number;
}

/** The last one sent before `time`. */
export function submissionAt({ submissions }: Participant, time: Minutes): Submission {
  let last = submissions[0]!;
  for (const one of submissions) if (one.at <= time) last = one;
  return last;
}

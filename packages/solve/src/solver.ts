import type { Json } from '@lockstep/kernel';
import type { Campaign, Outcome } from './campaign.ts';

/** What is to be solved, as plain data that can be sent to another thread. Whoever opens it first finds everything that is wrong with it. */
export interface Question {
  /** For the world's door. */
  readonly config: unknown;
  readonly seed: bigint;
  /** Only runs that touch nothing. */
  readonly noTouch: boolean;
  /** A run to begin with, in the world's own form. */
  readonly from: string | null;
}

/** A run that answers the question. */
export interface Answer {
  /** Fewer are better. */
  readonly ticks: number;
  readonly collisions: number;
  /** In the world's own form. */
  readonly text: string;
  /** What the world's doors take: the game, and one action a tick. */
  readonly config: Json;
  readonly actions: readonly Json[];
}

/** The course of a search. */
export interface Quest extends Campaign<unknown, Outcome> {
  readonly best: Answer | null;
}

/** The solver of a world, in its folder; the jobs are its own. */
export interface WorldSolver {
  readonly world: string;
  open(question: Question): Quest;
  /** Whoever does jobs; `tell` hears of nodes as they are used up. */
  worker(question: Question): (job: unknown, tell: (nodes: number) => void) => Outcome;
  /** Checks an answer by a model that shares no code with the search. What is wrong with it, in one line; null if nothing is. */
  disproof(question: Question, answer: Answer): string | null;
}

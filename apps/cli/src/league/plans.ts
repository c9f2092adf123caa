import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { GameLine } from '@lockstep/league';
import { readFile } from '../files.ts';

/** Who plays by which bot, in any plan that a journal begins with: `bots` of { name, bot }, with later ones in `sent`. */
interface Named {
  readonly name: string;
  readonly bot: string;
  readonly sent?: readonly { readonly bot: string }[];
}

/** What any plan of a run may say of its bots. */
interface AnyPlan {
  readonly kind?: string;
  readonly bots?: readonly Named[];
  readonly budget?: string;
  readonly cup?: { readonly budget?: string };
}

/** The file in which a league keeps who is in it. */
export const LADDER = 'ladder.json';

/** The bots that each name of a run plays by, all versions of them. */
export function botsByName(plan: unknown, path: string): Map<string, string[]> {
  const { kind, bots = [] } = (plan ?? {}) as AnyPlan;
  const named = kind === 'ladder' ? ladderBots(join(path, LADDER)) : bots;
  return new Map(named.map(({ name, bot, sent = [] }) => [name, [bot, ...sent.map((one) => one.bot)]]));
}

export function budgetOf(plan: unknown): string {
  const { budget, cup } = (plan ?? {}) as AnyPlan;
  return budget ?? cup?.budget ?? 'bank';
}

/** A game's columns are in the order of its bots; these are in the order of its seats. */
export function inSeatOrder({ bots, seats, ranks, scores }: GameLine) {
  const order = seats.map((_, seat) => seats.indexOf(seat));
  return {
    ranks: order.map((i) => ranks[i]!),
    scores: order.map((i) => scores[i]!),
    names: order.map((i) => bots[i]!.name),
    sha256: order.map((i) => bots[i]!.sha256),
  };
}

function ladderBots(file: string): readonly Named[] {
  if (!existsSync(file)) return [];
  return (JSON.parse(new TextDecoder().decode(readFile(file))) as { readonly bots: readonly Named[] }).bots;
}

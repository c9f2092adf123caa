import type { GameLine } from '@lockstep/league';

/** Who plays by which bot, in any plan that a journal begins with: `bots` of { name, bot }, with later ones in `sent`. */
interface Named {
  readonly name: string;
  readonly bot: string;
  readonly sent?: readonly { readonly bot: string }[];
}

/** The bots of a game by seat; null where the plan does not tell which of several versions it was. */
export function entriesOf(plan: unknown, { bots, seats }: GameLine): string[] | null {
  const all = (plan as { readonly bots?: readonly Named[] } | null)?.bots ?? [];
  const found = seats.map((_, seat) => {
    const { name } = bots[seats.indexOf(seat)]!;
    const entry = all.find((one) => one.name === name);
    return entry === undefined || (entry.sent?.length ?? 0) > 0 ? null : entry.bot;
  });
  return found.every((bot) => bot !== null) ? found : null;
}

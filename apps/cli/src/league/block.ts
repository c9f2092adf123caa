import type { Estimate, Versus } from '@lockstep/league';

/** "12.34 +/- 5.67". */
export function estimateText({ value, error }: Estimate, digits = 2): string {
  return `${number(value, digits)} +/- ${number(error, digits)}`;
}

/** The block that chess people know. */
export function blockOf(found: Versus, names: readonly [string, string], test: { elo0: number; elo1: number } | null): string[] {
  const { games, wins, losses, draws, points, counts, sprt } = found;
  const share = (part: number, whole: number): string => (whole === 0 ? '0.00' : ((100 * part) / whole).toFixed(2));
  return [
    `Results of ${names[0]} vs ${names[1]}`,
    `Elo: ${estimateText(found.elo)}, nElo: ${estimateText(found.nElo)}`,
    `LOS: ${(found.los * 100).toFixed(2)} %, DrawRatio: ${share(counts[(counts.length - 1) / 2]!, found.pairs)} %, PairsRatio: ${number(found.pairsRatio, 2)}`,
    `Games: ${games}, Wins: ${wins}, Losses: ${losses}, Draws: ${draws}, Points: ${points.toFixed(1)} (${share(points, wins + losses + draws)} %)`,
    `${counts.length === 5 ? 'Ptnml(0-2)' : 'Lost, drawn, won'}: [${counts.join(', ')}]`,
    ...(sprt === null || test === null
      ? []
      : [
          `LLR: ${sprt.llr.toFixed(2)} (${sprt.lower.toFixed(2)}, ${sprt.upper.toFixed(2)}) [${test.elo0.toFixed(2)}, ${test.elo1.toFixed(2)}] ${verdictText(sprt.verdict)}`,
        ]),
    `Score difference a game: ${estimateText(found.difference, 3)}`,
    `Faults: ${found.faults[0]} of ${names[0]}, ${found.faults[1]} of ${names[1]}`,
  ];
}

export function verdictText(verdict: 'H0' | 'H1' | null): string {
  return verdict === null ? 'not decided yet' : verdict === 'H1' ? 'H1 accepted: it is better' : 'H0 accepted: it is not better';
}

function number(value: number, digits: number): string {
  return Number.isFinite(value) ? value.toFixed(digits) : Number.isNaN(value) ? '-' : value > 0 ? 'inf' : '-inf';
}

import type { Param, Values } from '../spsa.ts';

/** The way of every parameter through its range, round after round, as SVG. */
export function tunePlot(params: readonly Param[], history: readonly Values[]): string {
  const height = 90;
  const rows = params.map(({ name, min, max }, i) => {
    const top = i * height + 10;
    const x = (round: number): string => (120 + (round / Math.max(1, history.length - 1)) * 560).toFixed(1);
    const y = (value: number): string => (top + 70 - ((value - min) / (max - min)) * 70).toFixed(1);
    const points = history.map((values, round) => `${x(round)},${y(values[name]!)}`).join(' ');
    const last = history.at(-1)![name]!;
    return [
      `<rect x="120" y="${top}" width="560" height="70" fill="none" stroke="#8888"/>`,
      `<polyline fill="none" stroke="#e0912f" stroke-width="2" points="${points}"/>`,
      `<text x="4" y="${top + 40}">${name}</text><text x="84" y="${top + 8}">${max}</text><text x="84" y="${top + 72}">${min}</text>`,
      `<text x="688" y="${Number(y(last)) + 4}">${last.toFixed(3)}</text>`,
    ].join('');
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 760 ${params.length * height + 20}" font-family="system-ui,sans-serif" font-size="12" fill="#888">${rows.join('')}</svg>\n`;
}

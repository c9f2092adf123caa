import type { Measurement } from './measurement.ts';

const ROW = 14;
const LEFT = 300;
const WIDTH = 560;
const COLORS = ['#1f6feb', '#8957e5', '#2da44e', '#bf8700', '#cf222e', '#57606a'];

const escape = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/**
 * What was measured as bars on a scale of powers of ten, a picture as SVG: for every bench a group, in it a bar a subject, the longer the faster. One
 * unit a panel. Bars of subjects from which something escaped are hatched in outline: their speed means nothing.
 */
export function plot(title: string, measurements: readonly Measurement[]): string {
  const bars = measurements.filter(({ ratio, against, value }) => value > 0 && (ratio === null || against === 'real time'));
  const units = [...new Set(bars.map(({ unit }) => unit))];
  const subjects = [...new Set(bars.map(({ subject }) => subject))];
  const out: string[] = [];
  let y = 34;
  for (const unit of units) y = panel(out, y, unit, bars.filter((bar) => bar.unit === unit), subjects); // prettier-ignore
  const width = LEFT + WIDTH + 140;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${y}" width="${width}" height="${y}" font-family="sans-serif" font-size="11">
<rect width="100%" height="100%" fill="#fff"/>
<text x="10" y="20" font-size="14">${escape(title)}</text>
${out.join('\n')}
</svg>
`;
}

function panel(out: string[], top: number, unit: string, bars: readonly Measurement[], subjects: readonly string[]): number {
  const low = Math.floor(Math.log10(Math.min(...bars.map(({ value }) => value))));
  const high = Math.max(low + 1, Math.ceil(Math.log10(Math.max(...bars.map(({ value }) => value)))));
  const across = (value: number): number => ((Math.log10(value) - low) / (high - low)) * WIDTH;
  let y = top + 24;
  const rows: string[] = [];
  for (const bench of new Set(bars.map((bar) => bar.bench))) {
    rows.push(`<text x="${LEFT - 8}" y="${y + 10}" text-anchor="end">${escape(bench)}</text>`);
    for (const { subject, value, escapes = 0 } of bars.filter((bar) => bar.bench === bench)) {
      const color = COLORS[subjects.indexOf(subject) % COLORS.length]!;
      const fill = escapes > 0 ? `fill="none" stroke="${color}" stroke-dasharray="3 2"` : `fill="${color}"`;
      const note = `${subject} ${Number(value.toPrecision(3)).toLocaleString('en-US')}${escapes > 0 ? `, ${escapes} escaped` : ''}`;
      const width = Math.max(1, across(value));
      rows.push(`<rect x="${LEFT}" y="${y}" width="${width.toFixed(1)}" height="${ROW - 4}" ${fill}/>`);
      rows.push(`<text x="${(LEFT + width + 4).toFixed(1)}" y="${y + 9}" font-size="9" fill="#444">${escape(note)}</text>`);
      y += ROW;
    }
    y += 8;
  }
  out.push(`<text x="${LEFT}" y="${top + 10}" fill="#444">${escape(unit)}, powers of ten</text>`);
  for (let power = low; power <= high; power++) {
    const x = LEFT + across(10 ** power);
    out.push(`<path d="M${x.toFixed(1)} ${top + 16}V${y - 6}" stroke="#ddd"/>`);
  }
  out.push(...rows);
  return y + 10;
}

import { type GameLine, ratingCurves, spreadLabels } from '@lockstep/league';
import { games } from './data.ts';
import { words } from './words.ts';

const COLOURS = ['var(--team-0)', 'var(--team-1)', '#7fae4a', '#c274b8', '#a08b63', '#e0655b', '#7a8be8', '#46b8a0'];
const [WIDTH, HEIGHT, LEFT, RIGHT, BOTTOM] = [860, 380, 48, 130, 28];

/** Ratings computed anew at moments of the run; marks where a bot came with a new version, or a stage began. */
export function Graph() {
  const w = words.value;
  const curves = ratingCurves(games.value);
  const points = curves.flatMap((curve) => curve.points);
  if (points.length === 0) return null;
  const most = Math.max(...points.map((point) => point.games));
  const ends = curves.map((curve) => curve.points.at(-1)!);
  const low = Math.min(...points.map(({ rating }) => rating), ...ends.map(({ rating, error }) => rating - error)) - 15;
  const high = Math.max(...points.map(({ rating }) => rating), ...ends.map(({ rating, error }) => rating + error)) + 15;
  const x = (count: number): number => LEFT + (count / most) * (WIDTH - LEFT - RIGHT);
  const y = (rating: number): number => 8 + ((high - rating) / (high - low)) * (HEIGHT - BOTTOM - 8);
  const labels = spreadLabels(ends.map(({ rating }) => y(rating)), Math.min(14, (HEIGHT - BOTTOM) / curves.length), HEIGHT - BOTTOM); // prettier-ignore
  const lines = [0, 1, 2, 3, 4].map((i) => low + ((high - low) * i) / 4);
  return (
    <svg class="graph" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={w.graph} data-testid="graph">
      {lines.map((value) => (
        <g key={value}>
          <line x1={LEFT} x2={WIDTH - RIGHT} y1={y(value)} y2={y(value)} stroke="var(--edge)" />
          <text x={4} y={y(value) + 4}>
            {value.toFixed(0)}
          </text>
        </g>
      ))}
      {marksOf(games.value).map(({ at, text }) => (
        <g key={`${at} ${text}`} class="mark">
          <line x1={x(at)} x2={x(at)} y1={8} y2={HEIGHT - BOTTOM} stroke="var(--accent)" stroke-dasharray="3 4" />
          <title>{text}</title>
          <text x={x(at) + 3} y={18} transform={`rotate(90 ${x(at) + 3} 14)`}>
            {text}
          </text>
        </g>
      ))}
      {curves.map(({ name, points: way }, i) => {
        const colour = COLOURS[i % COLOURS.length]!;
        const last = way.at(-1)!;
        return (
          <g key={name}>
            <polyline
              fill="none"
              stroke={colour}
              stroke-width="2"
              points={way.map((one) => `${x(one.games)},${y(one.rating)}`).join(' ')}
            />
            <line x1={x(last.games)} x2={x(last.games)} y1={y(last.rating - last.error)} y2={y(last.rating + last.error)} stroke={colour} />
            <circle cx={x(last.games)} cy={y(last.rating)} r="3.5" fill={colour} />
            <text x={x(last.games) + 8} y={labels[i]! + 4} fill={colour}>
              {name}
            </text>
          </g>
        );
      })}
      <text x={(LEFT + WIDTH - RIGHT) / 2} y={HEIGHT - 6}>
        {w.games}: {most}
      </text>
    </svg>
  );
}

const MOST_MARKS = 12;

function marksOf(list: readonly GameLine[]): { at: number; text: string }[] {
  const marks: { at: number; text: string }[] = [];
  const sums = new Map<string, string | null>();
  const seen = new Set<string>();
  let stage = '';
  list.forEach(({ id, bots }, i) => {
    for (const { name, sha256 } of bots) {
      if (sums.has(name) && sums.get(name) !== sha256) marks.push({ at: i, text: `${name}: ${words.peek().newVersion}` });
      sums.set(name, sha256);
    }
    const now = id.includes('/') ? id.split('/')[0]! : '';
    if (now !== stage && now !== '' && !now.includes('~') && !seen.has(now)) marks.push({ at: i, text: now });
    seen.add(now);
    stage = now;
  });
  return marks.slice(0, MOST_MARKS);
}

import { bradleyTerry, type Rating } from '../ratings/bradley-terry.ts';
import { compare } from '../ratings/comparisons.ts';
import type { GameLine } from '../result.ts';
import { type Crosstable, crosstable, type RatingCurve, ratingCurves, soloTable, spreadLabels, worstLosses } from './tables.ts';

/** A run as one page that needs nothing else: no script, no font, no network. Links to replays are from the run's folder. */
export function reportHtml(title: string, games: readonly GameLine[]): string {
  const alone = games.every(({ bots }) => bots.length === 1);
  const ratings = alone ? [] : bradleyTerry(compare(games));
  const faults = games.reduce((sum, game) => sum + game.faults.length, 0);
  const worlds = [...new Set(games.map(({ world, rulesVersion }) => `${world}, rulesVersion ${rulesVersion}`))].join('; ');
  const body = alone
    ? [section('Scores', soloRows(games))]
    : [
        section('Standings', standings(ratings)),
        section('Crosstable', crossRows(crosstable(games, ratings.map(({ name }) => name)))),
        section('Ratings as the games came in', curves(ratingCurves(games))),
        section('Clearest losses', losses(games)),
      ]; // prettier-ignore
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${text(title)}</title>
<style>${STYLE}</style></head><body><main>
<h1>${text(title)}</h1>
<p>${games.length} games of ${text(worlds)}; ${faults} faults. Ratings are recomputed from all games (Bradley-Terry); bars are 95 % intervals.
Check every game: <code>lockstep verify FOLDER</code>.</p>
${body.join('\n')}
</main></body></html>
`;
}

const STYLE = `
:root{color-scheme:light dark;--ink:#1d2330;--paper:#fbfaf7;--line:#d8d5cc;--accent:#b4690e;--good:#2e7d4f;--bad:#b3372f}
@media(prefers-color-scheme:dark){:root{--ink:#dfe5ee;--paper:#10141c;--line:#2a3240;--accent:#f0a63c;--good:#5fc28a;--bad:#ef7a70}}
body{margin:0;background:var(--paper);color:var(--ink);font:15px/1.5 system-ui,sans-serif}main{max-width:1000px;margin:0 auto;padding:24px 16px}
section{overflow-x:auto}table{border-collapse:collapse;font-variant-numeric:tabular-nums}th,td{padding:4px 10px;border-bottom:1px solid var(--line);text-align:right}
th:first-child,td:first-child,td.name,th.name{text-align:left}a{color:var(--accent)}svg{max-width:100%;height:auto}h1{font-size:24px}h2{font-size:18px;margin-top:32px}
.win{color:var(--good)}.loss{color:var(--bad)}text{fill:var(--ink);font:11px system-ui,sans-serif}`;

function section(title: string, content: string): string {
  return `<section><h2>${title}</h2>${content}</section>`;
}

function standings(ratings: readonly Rating[]): string {
  const low = Math.min(...ratings.map(({ rating, error }) => rating - error));
  const high = Math.max(...ratings.map(({ rating, error }) => rating + error));
  const x = (value: number): string => (((value - low) / Math.max(1e-9, high - low)) * 240 + 5).toFixed(1);
  const rows = ratings.map(({ name, rating, error, games, share }, i) => {
    const bar = `<svg viewBox="0 0 250 16" width="250" height="16" role="img" aria-label="${rating.toFixed(0)} plus or minus ${error.toFixed(0)}"><line x1="${x(rating - error)}" x2="${x(rating + error)}" y1="8" y2="8" stroke="var(--accent)" stroke-width="2"/><circle cx="${x(rating)}" cy="8" r="4" fill="var(--accent)"/></svg>`;
    return row([i + 1, name, rating.toFixed(0), `± ${error.toFixed(0)}`, games, `${(100 * share).toFixed(1)} %`], bar);
  });
  return table(['', 'name', 'rating', 'error', 'games', 'points', ''], rows);
}

function crossRows({ names, cells }: Crosstable): string {
  const rows = names.map((name, i) => {
    const texts = cells[i]!.map((cell) => {
      if (cell === null) return '<td></td>';
      const share = cell.points / cell.games;
      return `<td class="${share > 0.5 ? 'win' : share < 0.5 ? 'loss' : ''}">${cell.points}/${cell.games}</td>`;
    });
    return `<tr><td>${i + 1}</td><td class="name">${text(name)}</td>${texts.join('')}</tr>`;
  });
  return table(['', 'name', ...names.map((_, i) => String(i + 1))], rows);
}

/** Team colours first, then ones that are told apart by all common kinds of sight. */
const COLOURS = ['#e0912f', '#2f9fc4', '#6a9a3b', '#b05fa8', '#8a7a5c', '#d0584e', '#5b6fd0', '#3aa58f'];

function curves(all: readonly RatingCurve[]): string {
  const points = all.flatMap((curve) => curve.points);
  if (points.length === 0) return '<p>No games yet.</p>';
  const most = Math.max(...points.map(({ games }) => games));
  const low = Math.min(...points.map(({ rating }) => rating)) - 20;
  const high = Math.max(...points.map(({ rating }) => rating)) + 20;
  const x = (games: number): string => (50 + (games / most) * 640).toFixed(1);
  const y = (rating: number): string => (280 - ((rating - low) / (high - low)) * 260).toFixed(1);
  const labels = spreadLabels(all.map((curve) => Number(y(curve.points.at(-1)!.rating))), Math.min(13, 270 / all.length), 284); // prettier-ignore
  const lines = all.map((curve, i) => {
    const path = curve.points.map(({ games, rating }) => `${x(games)},${y(rating)}`).join(' ');
    const last = curve.points.at(-1)!;
    const colour = COLOURS[i % COLOURS.length];
    return `<polyline fill="none" stroke="${colour}" stroke-width="2" points="${path}"/><circle cx="${x(last.games)}" cy="${y(last.rating)}" r="3" fill="${colour}"/><text x="${Number(x(last.games)) + 6}" y="${(labels[i]! + 4).toFixed(1)}">${text(curve.name)}</text>`;
  });
  const axis = [low, (low + high) / 2, high].map((value) => `<text x="4" y="${Number(y(value)) + 4}">${value.toFixed(0)}</text>`);
  return `<svg viewBox="0 0 820 310" width="820" height="310" role="img" aria-label="ratings over games">${axis.join('')}${lines.join('')}<text x="330" y="304">games (${most})</text></svg>`;
}

function losses(games: readonly GameLine[]): string {
  const worst = worstLosses(games, 20);
  if (worst.length === 0) return '<p>None.</p>';
  const rows = worst.map(({ game, name, margin }) => {
    const who = game.bots.map((bot, i) => `${bot.name} ${game.scores[i]}`).join(' : ');
    const link = game.replay === null ? 'no replay' : `<a href="${text(encodeURI(game.replay))}">${text(game.id)}</a>`;
    return row([name, who, margin, String(game.seed)], link);
  });
  return table(['name', 'game', 'by', 'seed', 'replay'], rows);
}

function soloRows(games: readonly GameLine[]): string {
  const rows = soloTable(games).map(({ name, games: count, score, best, ticks }, i) => row([i + 1, name, count, score.toFixed(2), best, ticks.toFixed(0)])); // prettier-ignore
  return table(['', 'name', 'games', 'mean score', 'best', 'mean ticks'], rows);
}

function table(head: readonly string[], rows: readonly string[]): string {
  return `<table><thead><tr>${head.map((title) => `<th${title === 'name' ? ' class="name"' : ''}>${text(title)}</th>`).join('')}</tr></thead><tbody>${rows.join('')}</tbody></table>`;
}

function row(cells: readonly (string | number)[], html = ''): string {
  const texts = cells.map(
    (cell) => `<td${typeof cell === 'string' && !/^[±\d.-]/.test(cell) ? ' class="name"' : ''}>${text(String(cell))}</td>`,
  );
  return `<tr>${texts.join('')}${html === '' ? '' : `<td class="name">${html}</td>`}</tr>`;
}

/** Names are somebody's words. */
function text(raw: string): string {
  return raw.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}

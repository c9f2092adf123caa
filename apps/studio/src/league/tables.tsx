import { botPage, crashed, crosstable, type GameLine, type Rating, soloTable } from '@lockstep/league';
import { useSignal } from '@preact/signals';
import { chosen, games, isSolo, ratings, watchLink } from './data.ts';
import { gamesText, words } from './words.ts';

const goTo = (name: string): string => `#run=${encodeURIComponent(chosen.value ?? '')}&bot=${encodeURIComponent(name)}`;

export function Standings() {
  const w = words.value;
  if (isSolo.value) return <Solo />;
  const rows = ratings.value;
  const low = Math.min(...rows.map(({ rating, error }) => rating - error));
  const high = Math.max(...rows.map(({ rating, error }) => rating + error));
  const fallen = new Map(rows.map(({ name }) => [name, crashesOf(name)]));
  return (
    <table data-testid="standings">
      <thead>
        <tr>
          <th>#</th>
          <th class="name">{w.name}</th>
          <th>{w.rating}</th>
          <th>{w.error}</th>
          <th>{w.games}</th>
          <th>{w.points}</th>
          <th>{w.crashes}</th>
          <th />
        </tr>
      </thead>
      <tbody>
        {rows.map(({ name, rating, error, games: count, share }, i) => (
          <tr key={name}>
            <td>{i + 1}</td>
            <td class="name">
              <a href={goTo(name)}>{name}</a>
            </td>
            <td>{rating.toFixed(0)}</td>
            <td>{error.toFixed(0)}</td>
            <td>{count}</td>
            <td>{(100 * share).toFixed(1)} %</td>
            <td class={fallen.get(name)! > 0 ? 'loss' : ''}>{fallen.get(name)}</td>
            <td>
              <Bar rating={rating} error={error} low={low} high={high} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function crashesOf(name: string): number {
  return games.value.filter((game) => game.bots.some((bot, i) => bot.name === name && crashed(game, i))).length;
}

function Bar({ rating, error, low, high }: Pick<Rating, 'rating' | 'error'> & { readonly low: number; readonly high: number }) {
  const x = (value: number): number => 4 + ((value - low) / Math.max(1e-9, high - low)) * 192;
  return (
    <svg viewBox="0 0 200 16" width="200" height="16" role="img" aria-label={`${rating.toFixed(0)} ± ${error.toFixed(0)}`}>
      <line x1={x(rating - error)} x2={x(rating + error)} y1="8" y2="8" stroke="var(--dim)" stroke-width="2" />
      <circle cx={x(rating)} cy="8" r="4" fill="var(--accent)" />
    </svg>
  );
}

function Solo() {
  const w = words.value;
  return (
    <table data-testid="standings">
      <thead>
        <tr>
          <th>#</th>
          <th class="name">{w.name}</th>
          <th>{w.games}</th>
          <th>{w.score}</th>
          <th>{w.best}</th>
          <th>{w.ticks}</th>
        </tr>
      </thead>
      <tbody>
        {soloTable(games.value).map(({ name, games: count, score, best, ticks }, i) => (
          <tr key={name}>
            <td>{i + 1}</td>
            <td class="name">
              <a href={goTo(name)}>{name}</a>
            </td>
            <td>{count}</td>
            <td>{score.toFixed(2)}</td>
            <td>{best}</td>
            <td>{ticks.toFixed(0)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** Warm where the row's bot wins, cool where it loses. */
export function Matrix() {
  const { names, cells } = crosstable(games.value, ratings.value.map(({ name }) => name)); // prettier-ignore
  return (
    <table class="matrix" data-testid="matrix">
      <thead>
        <tr>
          <th />
          <th class="name" />
          {names.map((name, i) => (
            <th key={name} title={name}>
              {i + 1}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {names.map((name, row) => (
          <tr key={name}>
            <td>{row + 1}</td>
            <td class="name">
              <a href={goTo(name)}>{name}</a>
            </td>
            {cells[row]!.map((cell, column) => {
              if (cell === null) return <td key={names[column]} class="none" />;
              const share = cell.points / cell.games;
              const warmth = `color-mix(in srgb, var(${share >= 0.5 ? '--team-0' : '--team-1'}) ${Math.round(Math.abs(share - 0.5) * 120)}%, transparent)`;
              return (
                <td key={names[column]} style={{ background: warmth }} title={`${name} – ${names[column]}`}>
                  {cell.points}/{cell.games}
                </td>
              );
            })}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

export function BotPage({ name }: { readonly name: string }) {
  const w = words.value;
  const page = botPage(games.value, ratings.value, name);
  const sums = [...new Set(page.games.map((game) => game.bots.find((bot) => bot.name === name)!.sha256 ?? '–'))];
  return (
    <section data-testid="bot-page">
      <h2>{name}</h2>
      <p>
        {page.rating !== null && `${w.rating} ${page.rating.rating.toFixed(0)} ± ${page.rating.error.toFixed(0)} · `}
        {gamesText(page.games.length)} · {w.crashes}: {page.crashes}
      </p>
      <h3>{w.versions}</h3>
      <ul class="mono">
        {sums.map((sum) => (
          <li key={sum}>{sum.slice(0, 16)}</li>
        ))}
      </ul>
      {page.losses.length > 0 && (
        <>
          <h3>{w.losses}</h3>
          <GameTable list={page.losses.map(({ game }) => game)} />
        </>
      )}
      <h3>{w.replays}</h3>
      <GameTable list={page.games.slice(-MOST_SHOWN).reverse()} />
    </section>
  );
}

const MOST_SHOWN = 100;

export function Replays() {
  const w = words.value;
  const filter = useSignal('');
  const wanted = filter.value.trim().toLowerCase();
  const fits = ({ id, bots }: GameLine): boolean => id.toLowerCase().includes(wanted) || bots.some(({ name }) => name.toLowerCase().includes(wanted));
  const list = games.value.filter(fits).reverse();
  return (
    <section>
      <input class="filter" type="search" placeholder={w.filter} aria-label={w.filter} value={filter.value} onInput={(event) => (filter.value = event.currentTarget.value)} />
      <p class="dim">
        {Math.min(list.length, MOST_SHOWN)} {w.shownOf} {list.length}
      </p>
      <GameTable list={list.slice(0, MOST_SHOWN)} />
    </section>
  );
} // prettier-ignore

function GameTable({ list }: { readonly list: readonly GameLine[] }) {
  const w = words.value;
  return (
    <table data-testid="games">
      <thead>
        <tr>
          <th class="name">id</th>
          <th class="name">{w.result}</th>
          <th>{w.length}</th>
          <th>{w.seed}</th>
          <th />
        </tr>
      </thead>
      <tbody>
        {list.map((game) => {
          const link = watchLink(chosen.value!, game);
          return (
            <tr key={game.id}>
              <td class="name mono">{game.id}</td>
              <td class="name">
                {game.bots.map(({ name }, i) => (
                  <span key={i} class={game.ranks[i] === 1 && game.ranks.some((rank) => rank > 1) ? 'win' : ''}>
                    {i > 0 && ' : '}
                    {name} {game.scores[i]}
                    {crashed(game, i) && ' ✕'}
                  </span>
                ))}
              </td>
              <td>{game.ticks}</td>
              <td class="mono">{String(game.seed)}</td>
              <td>{link === null ? <span class="dim">{w.noReplay}</span> : <a href={link}>{w.watch}</a>}</td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

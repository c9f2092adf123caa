import { effect, signal } from '@preact/signals';
import { render } from 'preact';
import { remember, remembered } from '../memory.ts';
import type { ThemeName } from '../theme.ts';
import { language } from '../words.ts';
import { CupPage } from './cup-page.tsx';
import { choose, chosen, cup, games, isSolo, refresh, runs, unreachable, wrong } from './data.ts';
import { Graph } from './graph.tsx';
import { BotPage, Matrix, Replays, Standings } from './tables.tsx';
import { gamesText, words } from './words.ts';

/** How often the server is asked what is new. */
const EVERY_MS = 1500;

const VIEWS = ['standings', 'matrix', 'graph', 'cup', 'replays'] as const;
type View = (typeof VIEWS)[number];

const view = signal<View>('standings');
const bot = signal<string | null>(null);
const theme = signal<ThemeName>(
  remembered('theme', ['dark', 'light']) ?? (matchMedia('(prefers-color-scheme: light)').matches ? 'light' : 'dark'),
);

effect(() => {
  document.documentElement.dataset['theme'] = theme.value;
  document.documentElement.lang = language.value;
  document.title = `${words.value.title} · Lockstep`;
});

/** `#run=NAME&view=graph` or `#run=NAME&bot=NAME`. */
function readHash(): void {
  const said = new URLSearchParams(location.hash.slice(1));
  const run = said.get('run');
  if (run !== null && run !== '') choose(run);
  bot.value = said.get('bot');
  view.value = VIEWS.find((one) => one === said.get('view')) ?? (bot.value === null ? view.value : 'standings');
}

function go(to: View): void {
  location.hash = `#run=${encodeURIComponent(chosen.value ?? '')}&view=${to}`;
}

function App() {
  const w = words.value;
  return (
    <div class="league">
      <header class="header">
        <a class="brand" href="/">
          Lockstep
        </a>
        <span class="crumbs">
          <span>{w.title}</span>
          {chosen.value !== null && <span>{chosen.value}</span>}
        </span>
        <span class="grow" />
        <button type="button" class="tool" aria-label="theme" onClick={toggleTheme}>
          <svg viewBox="0 0 20 20" width="18" height="18" aria-hidden="true">
            <circle cx="10" cy="10" r="7" fill="none" stroke="currentColor" stroke-width="1.6" />
            <path d="M10 3a7 7 0 0 1 0 14z" fill="currentColor" />
          </svg>
        </button>
        <button type="button" class="tool" onClick={toggleLanguage}>
          {language.value === 'en' ? 'RU' : 'EN'}
        </button>
      </header>
      <div class="league-body">
        <RunList />
        <main>
          {wrong.value !== null && (
            <p class="wrong" role="alert">
              {wrong.value}
            </p>
          )}
          {chosen.value === null ? <Nothing /> : <RunPage />}
        </main>
      </div>
    </div>
  );
}

function Nothing() {
  const w = words.value;
  if (unreachable.value) return <p role="alert">{w.noServer}</p>;
  return (
    <>
      <p>{w.noRuns}</p>
      <pre class="mono">npx lockstep cup run cup.toml</pre>
    </>
  );
}

function RunList() {
  const w = words.value;
  return (
    <nav aria-label={w.runs}>
      <h2>{w.runs}</h2>
      <ul>
        {(runs.value ?? []).map(({ name, going }) => (
          <li key={name}>
            <a href={`#run=${encodeURIComponent(name)}`} aria-current={name === chosen.value ? 'page' : undefined}>
              {name}
              {going && <span class="going"> {w.going}</span>}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

function RunPage() {
  const w = words.value;
  const views = viewsOf();
  return (
    <>
      <div class="tabs" role="tablist">
        {views.map((one) => (
          <button key={one} type="button" role="tab" aria-selected={bot.value === null && shownView() === one} onClick={() => go(one)}>
            {w[one]}
          </button>
        ))}
        <span class="dim figures" data-testid="count">
          {gamesText(games.value.length)}
        </span>
      </div>
      <div class="league-view">{bot.value === null ? <Chosen /> : <BotPage name={bot.value} />}</div>
    </>
  );
}

/** Those that the run has. */
function viewsOf(): readonly View[] {
  return VIEWS.filter((one) => (one === 'cup' ? cup.value !== null : isSolo.value ? one === 'standings' || one === 'replays' : true));
}

/** What was looked at in another run may not be there in this one. */
function shownView(): View {
  return viewsOf().includes(view.value) ? view.value : 'standings';
}

function Chosen() {
  const shown = shownView();
  if (shown === 'matrix') return <Matrix />;
  if (shown === 'graph') return <Graph />;
  if (shown === 'cup') return <CupPage />;
  if (shown === 'replays') return <Replays />;
  return <Standings />;
}

function toggleTheme(): void {
  theme.value = theme.value === 'dark' ? 'light' : 'dark';
  remember('theme', theme.value);
}

function toggleLanguage(): void {
  language.value = language.value === 'en' ? 'ru' : 'en';
  remember('language', language.value);
}

readHash();
addEventListener('hashchange', readHash);
render(<App />, document.getElementById('league')!);
void refresh();
setTimeout(again, EVERY_MS);

function again(): void {
  void refresh().then(() => setTimeout(again, EVERY_MS));
}

import {
  canvasNumber,
  closeEditor,
  editor,
  helpOpen,
  player,
  sheetOpen,
  stageTrouble,
  theme,
  toggleLanguage,
  toggleTheme,
} from '../shell.ts';
import { language, words } from '../words.ts';
import { Help } from './help.tsx';
import { Hud } from './hud.tsx';
import { Panels } from './panels.tsx';
import { StageView } from './stage-view.tsx';
import { Transport } from './transport.tsx';

export function App() {
  return (
    <div class="app">
      <Header />
      <main class="middle">
        <section class="stage" aria-label={words.value.match}>
          <StageView />
          {editor.value === null ? (
            <>
              <Hud />
              <Notice />
            </>
          ) : (
            <editor.value.View />
          )}
        </section>
        <Panels />
      </main>
      {editor.value?.timeless !== true && <Transport />}
      {helpOpen.value && <Help />}
    </div>
  );
}

function Header() {
  const w = words.value;
  const setup = player.setup.value;
  return (
    <header class="header">
      <span class="brand">Lockstep</span>
      {editor.value !== null && (
        <span class="crumbs">
          <span>{editor.value.title}</span>
        </span>
      )}
      {editor.value === null && setup !== null && (
        <span class="crumbs">
          <span>{setup.world}</span>
          <span>
            {setup.preset === '' ? '' : `${setup.preset}, `}
            {w.seed.toLowerCase()} <span class="figures">{setup.seed}</span>
          </span>
        </span>
      )}
      <span class="grow" />
      <a class="tool link" href="/league.html">
        {w.league}
      </a>
      {editor.value !== null && (
        <button type="button" class="tool" onClick={closeEditor} aria-label={w.leaveEditor} title={w.leaveEditor}>
          <svg viewBox="0 0 20 20" width="18" height="18" aria-hidden="true">
            <path
              d="M9 4l-6 6 6 6M3 10h14"
              fill="none"
              stroke="currentColor"
              stroke-width="1.8"
              stroke-linejoin="round"
              stroke-linecap="round"
            />
          </svg>
        </button>
      )}
      <button
        type="button"
        class="tool"
        onClick={toggleTheme}
        aria-label={theme.value === 'dark' ? w.themeDark : w.themeLight}
        title={w.theme}
      >
        <svg viewBox="0 0 20 20" width="18" height="18" aria-hidden="true">
          <circle cx="10" cy="10" r="7" fill="none" stroke="currentColor" stroke-width="1.6" />
          <path d="M10 3a7 7 0 0 1 0 14z" fill="currentColor" />
        </svg>
      </button>
      <button type="button" class="tool" onClick={toggleLanguage} aria-label={w.language} title={w.language}>
        {language.value === 'en' ? 'RU' : 'EN'}
      </button>
      <button type="button" class="tool" onClick={() => (helpOpen.value = true)} aria-label={w.help} title={w.help}>
        ?
      </button>
      <button
        type="button"
        class="tool only-narrow"
        onClick={() => (sheetOpen.value = !sheetOpen.value)}
        aria-label={w.panels}
        aria-expanded={sheetOpen.value}
        title={w.panels}
      >
        <svg viewBox="0 0 20 20" width="18" height="18" aria-hidden="true">
          <path d="M3 5h14M3 10h14M3 15h14" stroke="currentColor" stroke-width="1.8" stroke-linecap="round" />
        </svg>
      </button>
    </header>
  );
}

/** Errors stand where the picture would be, and say what to do next. */
function Notice() {
  const w = words.value;
  const trouble = player.trouble.value;
  if (trouble !== null) {
    const crashed = trouble.kind === 'crashed';
    return (
      <div class="notice" role="alert">
        <h2>{crashed ? w.crashedTitle : w.refusedTitle}</h2>
        <p class="mono">{trouble.message}</p>
        <p>{crashed ? (player.byHand.value ? w.crashedByHand : w.crashedNext) : w.refusedNext}</p>
        {crashed && (
          <button type="button" class="main-button" onClick={() => player.restart()}>
            {w.crashedButton}
          </button>
        )}
      </div>
    );
  }
  if (stageTrouble.value !== null) {
    const lost = stageTrouble.value === 'lost';
    return (
      <div class="notice" role="alert">
        <p>{lost ? w.lostWebgl : w.noWebgl}</p>
        {lost && (
          <button type="button" class="main-button" onClick={() => canvasNumber.value++}>
            {w.drawAgain}
          </button>
        )}
      </div>
    );
  }
  return player.shown.value === null ? <div class="notice quiet">{w.loading}</div> : null;
}

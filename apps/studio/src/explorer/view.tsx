import { sparse } from '@lockstep/sparse';
import { useEffect } from 'preact/hooks';
import { clock } from '../format.ts';
import { repaint, stage } from '../shell.ts';
import { filled, words } from '../words.ts';
import { CanvasView } from './canvas-view.tsx';
import type { Explorer, ViewName } from './explorer.ts';
import { COLOURS } from './paint-top.ts';
import { explorerWords } from './words.ts';
import './explorer.css';

const VIEWS: readonly ViewName[] = ['stage', 'top', 'particles'];
const TICKS_PER_SECOND = sparse.world.ticksPerSecond;
/** So many hit points are shown as a danger. */
const FEW_POINTS = 3;
/** The check runs so many ticks behind at most. */
const NEARLY = 15;
/** As on the stage of a match. */
const A_WHEEL = 0.001;
const TAKEN_BACK = 5 * TICKS_PER_SECOND;

/** Over the stage: the dungeon is drawn there; the other views lie on top of it. */
export function ExplorerView({ explorer }: { explorer: Explorer }) {
  const w = explorerWords.value;
  const view = explorer.view.value;
  return (
    <div class="explorer" data-view={view} data-testid="explorer">
      {view === 'stage' ? <Ground explorer={explorer} /> : <CanvasView key={view} explorer={explorer} />}
      <div class="explorer-upper">
        <Hero explorer={explorer} />
        {view === 'top' && <Legend />}
      </div>
      {explorer.keeping.dropping.value && <div class="explorer-drop">{w.import}</div>}
      <div class="explorer-lower">
        <Said explorer={explorer} />
        {view !== 'particles' && <Past explorer={explorer} />}
        {view === 'stage' && <Hint explorer={explorer} />}
        <div class="explorer-bar">
          <div class="cameras" role="group" aria-label={w.views}>
            {VIEWS.map((name) => (
              <button type="button" key={name} class="chip" aria-pressed={view === name} onClick={() => explorer.choose(name)}>
                {w[name]}
              </button>
            ))}
          </div>
          {view === 'particles' ? (
            <button type="button" class="chip" onClick={() => explorer.toggle()} data-testid="explorer-play">
              {explorer.playing.value ? words.value.pause : words.value.play}
            </button>
          ) : (
            <Sword explorer={explorer} />
          )}
        </div>
      </div>
    </div>
  );
}

/** Where a pointer on the dungeon asks the hero to go. */
function Ground({ explorer }: { explorer: Explorer }) {
  const point = (event: PointerEvent): void => {
    const way = stage.value?.towards(0, { x: event.clientX, y: event.clientY }) ?? null;
    explorer.hands.pointed = way === null ? null : [way.x, -way.z];
  };
  const letGo = (): void => {
    explorer.hands.pointed = null;
  };
  useEffect(() => letGo, []);
  return (
    <div
      class="explorer-ground"
      data-testid="explorer-stage"
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        point(event);
      }}
      onPointerMove={(event) => {
        if (explorer.hands.pointed !== null) point(event);
      }}
      onPointerUp={letGo}
      onPointerCancel={letGo}
      onWheel={(event) => {
        event.preventDefault();
        stage.value?.rig.scale(Math.exp(event.deltaY * A_WHEEL));
        repaint.value++;
      }}
    />
  );
}

function Hero({ explorer }: { explorer: Explorer }) {
  const w = explorerWords.value;
  const scene = explorer.shown.value?.scene;
  if (explorer.view.value === 'particles') return <Alive explorer={explorer} />;
  const points = scene?.metrics['hit points'] ?? 0;
  return (
    <div class="explorer-hud figures">
      <div class="explorer-stats">
        <span class={points <= FEW_POINTS ? 'explorer-low' : ''}>
          <svg class="explorer-heart" viewBox="0 0 20 20" width="14" height="14" aria-hidden="true">
            <path d="M10 17C3 12 2 9 2 7a4 4 0 0 1 8-1 4 4 0 0 1 8 1c0 2-1 5-8 10z" fill="currentColor" />
          </svg>{' '}
          <span data-testid="hit-points">{points}</span> <span class="dim">{w.hitPoints}</span>
        </span>
        {(['gold', 'slain', 'depth'] as const).map((name) => (
          <span key={name}>
            <span data-testid={name}>{scene?.metrics[name]}</span> <span class="dim">{w[name]}</span>
          </span>
        ))}
        <span>
          <span data-testid="score">{scene?.scores[0]}</span> <span class="dim">{w.score}</span>
        </span>
        <Badge explorer={explorer} />
      </div>
      <div class="dim explorer-chunk">
        {w.chunk} <span data-testid="chunk">{explorer.chunk.value.join(', ')}</span>
      </div>
    </div>
  );
}

/** What is played is always a little ahead of its check. */
function Badge({ explorer }: { explorer: Explorer }) {
  const w = words.value;
  const badge =
    explorer.diverged.value !== null ? 'diverged' : explorer.verified.value >= explorer.tick.value - NEARLY ? 'verified' : 'checking';
  const why = { verified: explorerWords.value.verifiedWhy, checking: w.checkingWhy, diverged: w.divergedWhy }[badge];
  return (
    <span class={`badge ${badge}`} title={why} data-testid="badge">
      {w[badge]}
      {badge === 'diverged' && ` ${explorer.diverged.value}`}
    </span>
  );
}

/** What to do, until it has been done for a while. */
function Hint({ explorer }: { explorer: Explorer }) {
  const w = explorerWords.value;
  if (explorer.hasLearned.value || explorer.isInThePast || explorer.hasFallen) return null;
  return (
    <div class="line explorer-hint" data-testid="hint">
      <span>{w.aim}</span>
      <span class="for-keys">
        <span>
          <kbd>W</kbd>
          <kbd>A</kbd>
          <kbd>S</kbd>
          <kbd>D</kbd> {w.walk}
        </span>
        <span>
          <kbd>J</kbd> {w.sword.toLowerCase()}
        </span>
      </span>
      <span class="for-touch">{w.touch}</span>
    </div>
  );
}

/** What is seen has been: play on from there, or come back. */
function Past({ explorer }: { explorer: Explorer }) {
  const w = explorerWords.value;
  if (!explorer.isInThePast) return null;
  return (
    <div class="line" data-testid="past">
      <span>{filled(w.ago, { time: clock(explorer.head.value - explorer.tick.value, TICKS_PER_SECOND) })}</span>
      <button type="button" class="main-button" onClick={() => void explorer.playOnFromHere()}>
        {w.playOn} <kbd class="for-keys">T</kbd>
      </button>
      <button type="button" class="chip" onClick={() => explorer.seek(explorer.head.value)}>
        {w.now}
      </button>
    </div>
  );
}

function Alive({ explorer }: { explorer: Explorer }) {
  const w = explorerWords.value;
  const frame = explorer.fountain.frame.value;
  const { alive, densest } = explorer.fountain.facts();
  return (
    <div class="explorer-hud figures" data-frame={frame}>
      <div class="explorer-stats">
        <span data-testid="alive">
          {alive} {w.alive}
        </span>
        <span class="dim" data-testid="densest">
          {densest.toFixed(1)} {w.densest}
        </span>
      </div>
    </div>
  );
}

function Legend() {
  const w = explorerWords.value;
  return (
    <ul class="explorer-legend" aria-label={w.legend}>
      {(Object.keys(COLOURS) as (keyof typeof COLOURS)[]).map((name) => (
        <li key={name}>
          <span class="swatch" style={{ background: COLOURS[name] }} data-testid={`colour-${name}`} />
          {w[name]}
        </li>
      ))}
    </ul>
  );
}

function Sword({ explorer }: { explorer: Explorer }) {
  const letGo = (): void => explorer.hands.hold('sword', false);
  useEffect(() => letGo, []);
  return (
    <button
      type="button"
      class="chip explorer-sword"
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        explorer.hands.hold('sword', true);
      }}
      onPointerUp={letGo}
      onPointerCancel={letGo}
      onLostPointerCapture={letGo}
      onContextMenu={(event) => event.preventDefault()}
    >
      {explorerWords.value.sword}
    </button>
  );
}

function Said({ explorer }: { explorer: Explorer }) {
  const w = explorerWords.value;
  const said = explorer.keeping.notice.value;
  const { tick, head } = explorer;
  const hasFallen = tick.value === head.value && explorer.hasFallen;
  return (
    <>
      {said !== null && (
        <div class={said.wrong ? 'line wrong' : 'line'} role={said.wrong ? 'alert' : 'status'} data-testid="explorer-said">
          <span>{said.text}</span>
          <button type="button" class="chip" aria-label={words.value.close} onClick={() => (explorer.keeping.notice.value = null)}>
            ×
          </button>
        </div>
      )}
      {hasFallen && (
        <div class="line" role="status" data-testid="fallen">
          <span>{w.fallen}</span>
          {explorer.first.value < head.value && (
            <button type="button" class="main-button" onClick={() => explorer.seek(head.value - TAKEN_BACK)}>
              {w.takeBack}
            </button>
          )}
        </div>
      )}
    </>
  );
}

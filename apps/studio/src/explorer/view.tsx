import { useEffect } from 'preact/hooks';
import { stage } from '../shell.ts';
import { words } from '../words.ts';
import { CanvasView } from './canvas-view.tsx';
import type { Explorer, ViewName } from './explorer.ts';
import { COLOURS } from './paint-top.ts';
import { explorerWords } from './words.ts';
import './explorer.css';

const VIEWS: readonly ViewName[] = ['stage', 'top', 'particles'];

/** Over the stage: the dungeon is drawn there; the other views lie on top of it. */
export function ExplorerView({ explorer }: { explorer: Explorer }) {
  const w = explorerWords.value;
  const view = explorer.view.value;
  return (
    <div class={view === 'stage' ? 'explorer clear' : 'explorer'}>
      {view === 'stage' ? <Ground explorer={explorer} /> : <CanvasView key={view} explorer={explorer} />}
      <div class="explorer-upper">
        <Hero explorer={explorer} />
        {view === 'top' && <Legend />}
      </div>
      {explorer.dropping.value && <div class="explorer-drop">{w.import}</div>}
      <div class="explorer-lower">
        <Said explorer={explorer} />
        <div class="explorer-bar">
          <div class="cameras" role="group" aria-label={w.views}>
            {VIEWS.map((name) => (
              <button type="button" key={name} class="chip" aria-pressed={view === name} onClick={() => explorer.choose(name)}>
                {w[name]}
              </button>
            ))}
          </div>
          <button type="button" class="chip" onClick={() => explorer.toggle()} data-testid="explorer-play">
            {explorer.playing.value ? w.pause : w.play}
          </button>
          {view !== 'particles' && <Sword explorer={explorer} />}
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
    />
  );
}

function Hero({ explorer }: { explorer: Explorer }) {
  const w = explorerWords.value;
  const metrics = explorer.shown.value?.scene.metrics ?? {};
  if (explorer.view.value === 'particles') return <Alive explorer={explorer} />;
  return (
    <div class="explorer-hud figures">
      {(['hit points', 'gold', 'slain', 'depth'] as const).map((name, i) => (
        <span key={name}>
          <span data-testid={name.replace(' ', '-')}>{metrics[name]}</span>{' '}
          <span class="dim">{[w.hitPoints, w.gold, w.slain, w.depth][i]}</span>
        </span>
      ))}
      <span class="dim">
        {w.chunk} <span data-testid="chunk">{explorer.chunk.value.join(', ')}</span>
      </span>
    </div>
  );
}

function Alive({ explorer }: { explorer: Explorer }) {
  const w = explorerWords.value;
  const frame = explorer.fountain.frame.value;
  const { alive, densest } = explorer.fountain.facts();
  return (
    <div class="explorer-hud figures" data-frame={frame}>
      <span data-testid="alive">
        {alive} {w.alive}
      </span>
      <span class="dim" data-testid="densest">
        {densest.toFixed(1)} {w.densest}
      </span>
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
  const said = explorer.notice.value;
  const fallen = explorer.tick.value >= 0 && explorer.hasFallen;
  if (said === null && !fallen) return null;
  return (
    <div class={said?.wrong === true ? 'line wrong' : 'line'} role={said?.wrong === true ? 'alert' : 'status'} data-testid="explorer-said">
      <span>{said?.text ?? explorerWords.value.fallen}</span>
      {said !== null && (
        <button type="button" class="chip" aria-label={words.value.close} onClick={() => (explorer.notice.value = null)}>
          ×
        </button>
      )}
    </div>
  );
}

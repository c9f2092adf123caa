import type { Editor } from './editor.ts';
import { MapView } from './map-view.tsx';
import { RollView } from './roll-view.tsx';
import { Key, Tools } from './tools.tsx';
import { tasWords } from './words.ts';
import { words } from '../words.ts';
import './tas.css';

/** The editor in the stage's place: map, tools, roll. */
export function TasView({ editor }: { editor: Editor }) {
  const w = tasWords.value;
  return (
    <div class="tas">
      <div class="tas-stage">
        <MapView editor={editor} />
        <Hud editor={editor} />
        <Looks editor={editor} />
        <Said editor={editor} />
        {editor.dropping.value && <div class="tas-drop">{w.dropHere}</div>}
      </div>
      <Tools editor={editor} />
      <RollView editor={editor} />
    </div>
  );
}

function Hud({ editor }: { editor: Editor }) {
  const w = tasWords.value;
  const { desk } = editor;
  const { course } = desk.flown.value;
  const tick = Math.min(desk.tick.value, course.length);
  const [x, y, vx, vy] = [course.x[tick]!, course.y[tick]!, course.vx[tick]!, course.vy[tick]!];
  const checked = desk.diverged.value !== null ? 'diverged' : desk.verified.value >= tick ? 'verified' : 'checking';
  const checkedWhy = { verified: words.value.verifiedWhy, checking: words.value.checkingWhy, diverged: words.value.divergedWhy }[checked];
  return (
    <div class="tas-hud figures">
      <span class="tas-big" data-testid="tas-goals">
        {course.reached[tick]!}/{course.goalTicks.length}
      </span>
      <span data-testid="tas-state">
        {x} {y} <span class="dim">·</span> {vx} {vy}
      </span>
      <span class="dim">
        {w.speed} {Math.sqrt(vx * vx + vy * vy).toFixed(0)}
      </span>
      <span class={`badge ${checked}`} title={checkedWhy} data-testid="badge">
        {words.value[checked]}
      </span>
    </div>
  );
}

function Looks({ editor }: { editor: Editor }) {
  const w = tasWords.value;
  return (
    <div class="tas-looks">
      <Key name={w.nearer} draw="M10 4v12M4 10h12" press={() => editor.zoom(1.6)} />
      <Key name={w.further} draw="M4 10h12" press={() => editor.zoom(1 / 1.6)} />
      <Key name={w.whole} draw="M4 8V4h4M12 4h4v4M16 12v4h-4M8 16H4v-4" press={() => editor.showWhole()} />
      <Key
        name={w.follow}
        draw="M10 3v3M10 14v3M3 10h3M14 10h3M10 6a4 4 0 1 0 0 8a4 4 0 1 0 0-8"
        on={editor.following.value}
        press={() => editor.toggleFollow()}
      />
    </div>
  );
}

function Said({ editor }: { editor: Editor }) {
  const said = editor.notice.value;
  if (said === null) return null;
  return (
    <div class={said.wrong ? 'tas-said wrong' : 'tas-said'} role={said.wrong ? 'alert' : 'status'}>
      <span>{said.text}</span>
      <button type="button" class="tas-key" aria-label={words.value.close} onClick={() => (editor.notice.value = null)}>
        ×
      </button>
    </div>
  );
}

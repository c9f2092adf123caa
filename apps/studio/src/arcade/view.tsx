import { pinball } from '@lockstep/pinball';
import { useComputed } from '@preact/signals';
import { clock } from '../format.ts';
import { calm } from '../shell.ts';
import { type KeyLines, KeyList } from '../ui/keycap.tsx';
import { counted, filled, words } from '../words.ts';
import type { Arcade } from './arcade.ts';
import { ballNumber, grouped, isWaiting, statusOf } from './board.ts';
import { FieldView } from './field-view.tsx';
import { CONTROLS } from './hands.ts';
import { Icon } from './icon.tsx';
import { arcadeWords } from './words.ts';
import './arcade.css';

const TPS = pinball.world.ticksPerSecond;

/** The machine in the stage's place: display, table, and what is under the thumbs. */
export function ArcadeView({ arcade }: { arcade: Arcade }) {
  const { desk } = arcade;
  return (
    <div class="arcade" data-mode={arcade.mode.value} data-live={desk.seat.value === 'person' && desk.playing.value}>
      <Display arcade={arcade} />
      <div class="arcade-field">
        <FieldView arcade={arcade} />
        <Invitation arcade={arcade} />
        <TheEnd arcade={arcade} />
        <Wrong arcade={arcade} />
        <Notice arcade={arcade} />
        {arcade.dropping.value && <div class="arcade-drop">{arcadeWords.value.drop}</div>}
      </div>
      <Tools arcade={arcade} />
    </div>
  );
}

/** The backbox: a display of dots. */
function Display({ arcade }: { arcade: Arcade }) {
  const w = arcadeWords.value;
  const { desk } = arcade;
  const look = <T,>(read: () => T) => useComputed(read).value;
  const state = () => desk.current.state;
  const score = look(() => state().score);
  const ball = look(() => ballNumber(state()));
  const left = look(() => state().ballsLeft);
  const multiplier = look(() => state().multiplier);
  const text = look(() => statusOf(desk.current, TPS, arcadeWords.value).text);
  const tone = look(() => statusOf(desk.current, TPS, arcadeWords.value).tone);
  const { balls } = desk.game.value.config;
  const attract = desk.attract.value;
  return (
    <div class="arcade-back">
      <div class="arcade-display" data-tone={tone}>
        <div class="arcade-dots" aria-hidden="true" />
        <output class="arcade-score figures" data-testid="score" aria-label={`${w.score} ${score}`}>
          {grouped(score)}
        </output>
        <div class="arcade-line">
          <span data-testid="ball">{attract ? w.attract : filled(w.ball, { n: ball, of: balls })}</span>
          <span>{multiplier > 1 ? filled(w.multiplier, { n: multiplier }) : ''}</span>
        </div>
        <div class="arcade-status" role="status" data-testid="status">
          {text}
        </div>
      </div>
      <div class="arcade-balls" title={counted(w.ballsLeft, left)} aria-label={counted(w.ballsLeft, left)}>
        {Array.from({ length: Math.min(left, 8) }, (_, i) => (
          <i key={i} />
        ))}
      </div>
      <Badge arcade={arcade} />
      <Keys />
    </div>
  );
}

function Badge({ arcade: { desk } }: { arcade: Arcade }) {
  const w = words.value;
  if (desk.tinkering.value) return null;
  const badge = desk.diverged.value !== null ? 'diverged' : desk.verified.value >= desk.tick.value ? 'verified' : 'checking';
  const why = { verified: w.verifiedWhy, checking: w.checkingWhy, diverged: w.divergedWhy }[badge];
  // A game that is being played is always a little ahead of its check: it says how far that has come.
  const upTo = badge === 'checking' && desk.verified.value >= 0 ? `${w.verified} ${clock(desk.verified.value, TPS)}` : null;
  return (
    <span class={`badge ${badge}`} title={why} data-testid="badge">
      {upTo ?? w[badge]}
    </span>
  );
}

function Keys() {
  const w = arcadeWords.value;
  const keys: KeyLines = [
    [['Z', '/', '←', '→', 'shift'], w.keyFlippers],
    [['space', '↓'], w.keyPlunger],
    [['X', '.', '↑'], w.keyNudge],
    [['R'], w.keyRewind],
    [['F'], w.keyWhatIf],
    [['T'], w.keyTake],
    [['P'], w.keyPause],
    [['N'], w.keySound],
    [['O'], w.keyColliders],
  ];
  return (
    <>
      <KeyList keys={keys} class="arcade-keys for-keys" />
      <p class="arcade-pad for-keys">{w.gamepad}</p>
    </>
  );
}

/** What to do next, over the table, while nobody plays or a ball waits. */
function Invitation({ arcade: { desk, mode } }: { arcade: Arcade }) {
  const w = arcadeWords.value;
  const waits = useComputed(() => {
    const { state, config } = desk.current;
    return desk.seat.value === 'person' && state.tick < 20 * TPS && isWaiting(state, config.machine.layout);
  }).value;
  // By the machine's own time: nothing on the page moves while that stands still.
  const dim = useComputed(() => !calm.value && Math.floor((desk.tick.value / TPS) * 1.5) % 2 === 1).value;
  if (mode.value === 'edit' || desk.over.value) return null;
  if (desk.attract.value)
    return (
      <div class="arcade-invitation" data-testid="attract" data-dim={dim}>
        <strong class="for-keys">{w.pressAnyKey}</strong>
        <strong class="for-touch">{w.touchToPlay}</strong>
      </div>
    );
  if (desk.seat.value === 'nobody' && !desk.playing.value) return <div class="arcade-hint">{w.taken}</div>;
  if (!waits || !desk.playing.value) return null;
  return (
    <>
      <TouchZones />
      <div class="arcade-hint arcade-pull">{w.pull}</div>
    </>
  );
}

/** Where fingers find the controls. */
function TouchZones() {
  const w = arcadeWords.value;
  const named: Readonly<Record<string, string>> = {
    left: w.touchLeft,
    right: w.touchRight,
    plunger: w.touchPlunger,
    'nudge up': w.keyNudge,
  };
  return (
    <div class="arcade-zones" data-testid="zones">
      {CONTROLS.filter(({ name }) => named[name] !== undefined).map(({ name, touch: [x0, y0, x1, y1] }) => (
        <span key={name} style={{ left: `${x0 * 100}%`, top: `${y0 * 100}%`, width: `${(x1 - x0) * 100}%`, height: `${(y1 - y0) * 100}%` }}>
          {named[name]}
        </span>
      ))}
    </div>
  );
}

function TheEnd({ arcade }: { arcade: Arcade }) {
  const w = arcadeWords.value;
  const { desk } = arcade;
  if (!desk.over.value || desk.attract.value || desk.tick.value < desk.head.value || arcade.mode.value === 'edit') return null;
  const { score } = desk.game.value.state;
  return (
    <div class="arcade-end" role="status" data-testid="end">
      <h2>{w.over}</h2>
      <p class="figures">{grouped(score)}</p>
      <button type="button" class="main-button" onClick={() => arcade.start()}>
        {w.again}
      </button>
    </div>
  );
}

/** What the reader says of the table that is being made, at the part it is about. */
function Wrong({ arcade: { mode, workshop } }: { arcade: Arcade }) {
  const w = arcadeWords.value;
  const { value: wrong } = workshop.wrong;
  if (mode.value !== 'edit' || wrong === null) return null;
  return (
    <div class="arcade-wrong" role="alert" data-testid="wrong" data-part={workshop.wrongPart.value ?? ''}>
      <strong>{w.invalid}</strong>
      <span class="mono">{wrong.replace(/^config\./, '')}</span>
      {workshop.wrongPart.value !== null && (
        <button type="button" class="chip" onClick={() => (workshop.selected.value = workshop.wrongPart.value)}>
          {workshop.wrongPart.value}
        </button>
      )}
    </div>
  );
}

function Notice({ arcade }: { arcade: Arcade }) {
  const said = arcade.notice.value;
  if (said === null) return null;
  return (
    <div class={said.wrong ? 'arcade-said wrong' : 'arcade-said'} role={said.wrong ? 'alert' : 'status'} data-testid="said">
      <span>{said.text}</span>
      <button type="button" class="arcade-key" aria-label={words.value.close} onClick={() => (arcade.notice.value = null)}>
        ×
      </button>
    </div>
  );
}

/** Under the thumbs: what one does with time, and the sound. */
function Tools({ arcade }: { arcade: Arcade }) {
  const w = arcadeWords.value;
  const { desk } = arcade;
  const slow = desk.speed.value < 1;
  const letGo = () => desk.stopRewind();
  return (
    <div class="arcade-tools" role="group" aria-label={w.title}>
      {desk.seat.value === 'person' && !desk.over.value ? (
        <button type="button" class="arcade-key wide" onClick={() => desk.toggle()}>
          <Icon draw={desk.playing.value ? 'M7 4v12M13 4v12' : 'M6 4l10 6-10 6z'} />
          <span>{desk.playing.value ? w.pause : w.goOn}</span>
        </button>
      ) : (
        <button type="button" class="arcade-key wide" onClick={() => arcade.start()}>
          <Icon draw="M10 4v12M4 10h12" />
          <span>{w.newGame}</span>
        </button>
      )}
      <button
        type="button"
        class="arcade-key wide"
        title={w.rewindWhy}
        aria-pressed={desk.rewinding.value}
        onPointerDown={(event) => {
          event.currentTarget.setPointerCapture(event.pointerId);
          desk.rewind();
        }}
        onPointerUp={letGo}
        onPointerCancel={letGo}
        onContextMenu={(event) => event.preventDefault()}
      >
        <Icon draw="M10 5 4 10l6 5zM17 5l-6 5 6 5z" />
        <span>{w.rewind}</span>
      </button>
      <button type="button" class="arcade-key wide" aria-pressed={slow} onClick={() => (desk.speed.value = slow ? 1 : 0.25)}>
        <Icon draw="M10 3a7 7 0 1 0 7 7M10 6v4l3 2" />
        <span>{w.slow}</span>
      </button>
      <button type="button" class="arcade-key wide" title={w.whatIfWhy} onClick={() => desk.takeOver(true)}>
        <Icon draw="M6 17V3M6 12c0-4 8-2 8-7M11 7l3-3 3 3" />
        <span>{w.whatIf}</span>
      </button>
      <button
        type="button"
        class="arcade-key"
        aria-label={desk.sound.on.value ? w.sound : w.soundOff}
        title={w.sound}
        aria-pressed={desk.sound.on.value}
        onClick={() => desk.sound.toggle()}
      >
        <Icon draw={desk.sound.on.value ? 'M4 8h3l4-4v12l-4-4H4zM14 7q2.500 3 0 6' : 'M4 8h3l4-4v12l-4-4H4zM14 8l4 4M18 8l-4 4'} />
      </button>
    </div>
  );
}

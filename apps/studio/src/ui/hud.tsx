import { useEffect } from 'preact/hooks';
import { clock } from '../format.ts';
import { hold } from '../hands.ts';
import { camera, cameras, chooseCamera, playAgain, player, takeSeat } from '../shell.ts';
import { filled, words, worldly } from '../words.ts';
import { outcomeText } from './outcome.ts';

export function Hud() {
  const setup = player.setup.value;
  const shown = player.shown.value;
  const info = player.info.value;
  if (setup === null || shown === null || info === null) return null;
  return (
    <div class="hud">
      <div class="board">
        <Scores
          names={setup.bots.map((name, seat) => (player.taken.value === seat ? words.value.you : name))}
          scores={shown.scene.scores}
        />
        <div class="under">
          <span class="figures" data-testid="clock">
            {clock(shown.scene.tick, info.ticksPerSecond)}
          </span>
          <Badge />
        </div>
      </div>
      <div class="lower">
        <TheEnd />
        <TouchKeys />
        <Hands />
        <Cameras />
      </div>
    </div>
  );
}

/** Names on both sides of the score; a seat alone stands before it. */
function Scores({ names, scores }: { names: readonly string[]; scores: readonly number[] }) {
  const [first, ...others] = names;
  return (
    <div class={others.length === 0 ? 'scores alone' : 'scores'}>
      <span class="name seat-0">{first}</span>
      <output
        class="figures score"
        aria-live="polite"
        aria-label={names.map((name, i) => `${name} ${scores[i]}`).join(', ')}
        data-testid="score"
      >
        {scores.join(' : ')}
      </output>
      {others.length > 0 && <span class="name seat-1">{others.join(', ')}</span>}
    </div>
  );
}

function Badge() {
  const w = words.value;
  const badge = player.badge.value;
  const why = { verified: w.verifiedWhy, checking: w.checkingWhy, diverged: w.divergedWhy }[badge];
  return (
    <span class={`badge ${badge}`} title={why} data-testid="badge">
      {w[badge]}
      {badge === 'diverged' && ` ${player.diverged.value}`}
    </span>
  );
}

/** How it ended, on the stage, when its last tick is shown. */
function TheEnd() {
  const w = words.value;
  const result = player.outcome.value;
  const setup = player.setup.value;
  if (result === null || setup === null || player.tick.value < player.head.value) return null;
  return (
    <div class="line" role="status" data-testid="end">
      <span>{outcomeText(result, setup)}</span>
      <button type="button" class="main-button" onClick={playAgain} title={w.playAgainWhy}>
        {w.playAgain}
      </button>
    </div>
  );
}

/** What a person who plays can do right now. */
function Hands() {
  const w = words.value;
  const seat = player.taken.value;
  const controls = player.info.value?.controls ?? null;
  if (player.behind.value > 0) {
    return (
      <div class="line hands" role="status" data-testid="hands">
        <span class="figures">{filled(w.catchingUp, { n: player.behind.value })}</span>
      </div>
    );
  }
  if (seat === null || controls === null || player.outcome.value !== null) return null;
  const stopped = !player.playing.value && player.tick.value < player.head.value;
  return (
    <div class="line hands" data-testid="hands">
      <span class="for-keys">
        <Key names={['W', 'A', 'S', 'D']} what={handWord('move')} />
        {controls.jump && <Key names={['J']} what={handWord('jump')} />}
        {controls.boost && <Key names={['K']} what={handWord('boost')} />}
        {goesPlaces() && <span class="pointing">{w.handPoint}</span>}
      </span>
      {!stopped && goesPlaces() && <span class="for-touch">{w.handTouch}</span>}
      {stopped && (
        <button type="button" class="chip" onClick={() => takeSeat(seat)} title={w.goOnWhy}>
          {w.goOn}
        </button>
      )}
      <button type="button" class="chip" onClick={() => takeSeat(null)}>
        {w.giveBack}
      </button>
    </div>
  );
}

/** What a world calls it, else what it is called everywhere. */
export function handWord(what: 'move' | 'jump' | 'boost'): string {
  const own = player.info.value?.names[what];
  const { handMove, handJump, handBoost } = words.value;
  return own === undefined ? { move: handMove, jump: handJump, boost: handBoost }[what] : worldly(own);
}

/** Does a seat's thing go where one points? */
export function goesPlaces(): boolean {
  return player.info.value?.names.move === undefined;
}

const ARROW = 'M10 16V4M4.5 9.5 10 4l5.5 5.5';
const BOLT = 'M11 3 5 11.5h4L8.5 17l6-8.5h-4z';

/** Where there is no keyboard: what a person can do besides moving, under the other thumb. */
function TouchKeys() {
  const controls = player.info.value?.controls ?? null;
  if (player.taken.value === null || controls === null || player.behind.value > 0 || player.outcome.value !== null) return null;
  return (
    <div class="touch-keys">
      {controls.jump && <TouchKey what="jump" name={handWord('jump')} draw={ARROW} />}
      {controls.boost && <TouchKey what="boost" name={handWord('boost')} draw={BOLT} />}
    </div>
  );
}

function TouchKey({ what, name, draw }: { what: 'jump' | 'boost'; name: string; draw: string }) {
  const letGo = () => hold(what, false);
  // One that goes while it is held down is not let go by anybody.
  useEffect(() => letGo, []);
  return (
    <button
      type="button"
      class="touch-key"
      aria-label={name}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        hold(what, true);
      }}
      onPointerUp={letGo}
      onPointerCancel={letGo}
      onLostPointerCapture={letGo}
      onContextMenu={(event) => event.preventDefault()}
    >
      <svg viewBox="0 0 20 20" width="28" height="28" aria-hidden="true">
        <path d={draw} fill="none" stroke="currentColor" stroke-width="1.8" stroke-linejoin="round" stroke-linecap="round" />
      </svg>
    </button>
  );
}

function Key({ names, what }: { names: readonly string[]; what: string }) {
  return (
    <span>
      {names.map((name) => (
        <kbd key={name}>{name}</kbd>
      ))}{' '}
      {what}
    </span>
  );
}

function Cameras() {
  const w = words.value;
  return (
    <div class="cameras" role="group" aria-label={w.camera}>
      {cameras.value.map((name) => (
        <button type="button" key={name} class="chip" aria-pressed={camera.value === name} onClick={() => chooseCamera(name)}>
          {w[name]}
        </button>
      ))}
    </div>
  );
}

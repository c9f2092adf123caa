import { clock } from '../format.ts';
import { camera, chooseCamera, player } from '../shell.ts';
import { CAMERAS } from '../stage/cameras.ts';
import { words } from '../words.ts';

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
      <Cameras />
    </div>
  );
}

function Scores({ names, scores }: { names: readonly string[]; scores: readonly number[] }) {
  const [first, ...others] = names;
  const text = scores.join(' : ');
  return (
    <div class="scores">
      <span class="name seat-0">{first}</span>
      <output
        class="figures score"
        aria-live="polite"
        aria-label={names.map((name, i) => `${name} ${scores[i]}`).join(', ')}
        data-testid="score"
      >
        {text}
      </output>
      <span class="name seat-1">{others.join(', ')}</span>
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

function Cameras() {
  const w = words.value;
  return (
    <div class="cameras" role="group" aria-label={w.camera}>
      {CAMERAS.map((name) => (
        <button type="button" key={name} class="chip" aria-pressed={camera.value === name} onClick={() => chooseCamera(name)}>
          {w[name]}
        </button>
      ))}
    </div>
  );
}

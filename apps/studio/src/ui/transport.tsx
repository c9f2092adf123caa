import { useRef } from 'preact/hooks';
import { clock, speedText, timelineSpan } from '../format.ts';
import { SIXTY } from '../player.ts';
import type { TimedEvent } from '../protocol.ts';
import { grabbed, player, tape } from '../shell.ts';
import { eventWord, words } from '../words.ts';

/** Everything under the thumb: buttons, speed and the timeline. */
export function Transport() {
  const w = words.value;
  const playing = tape.value.playing.value;
  return (
    <footer class="transport">
      <div class="buttons">
        <Button name={w.toStart} draw="M5 4v12M16 4 8 10l8 6z" press={() => tape.value.seek(0)} />
        <Button name={w.stepBack} draw="M14 4 6 10l8 6z" press={() => tape.value.step(-1)} />
        <Button
          name={playing ? w.pause : w.play}
          draw={playing ? 'M6 4v12M14 4v12' : 'M6 3.5 16 10 6 16.5z'}
          press={() => tape.value.toggle()}
          main
        />
        <Button name={w.stepForward} draw="M6 4l8 6-8 6z" press={() => tape.value.step(1)} />
        <Speed />
      </div>
      <Timeline />
      <Position />
    </footer>
  );
}

function Button({ name, draw, press, main = false }: { name: string; draw: string; press: () => void; main?: boolean }) {
  return (
    <button type="button" class={main ? 'key main-key' : 'key'} aria-label={name} title={name} onClick={press}>
      <svg viewBox="0 0 20 20" width="18" height="18" aria-hidden="true">
        <path d={draw} fill="currentColor" stroke="currentColor" stroke-width="2.2" stroke-linejoin="round" stroke-linecap="round" />
      </svg>
    </button>
  );
}

function Speed() {
  const w = words.value;
  return (
    <span class="speed" role="group" aria-label={w.speed}>
      <button type="button" class="key slim" aria-label={w.slower} title={w.slower} onClick={() => tape.value.faster(-1)}>
        −
      </button>
      <output class="figures" data-testid="speed">
        {speedText(tape.value.speed.value)}
      </output>
      <button type="button" class="key slim" aria-label={w.faster} title={w.faster} onClick={() => tape.value.faster(1)}>
        +
      </button>
    </span>
  );
}

function Position() {
  const info = tape.value.info.value;
  const tps = info?.ticksPerSecond ?? 60;
  const length = info?.length ?? null;
  const tick = tape.value.tick.value;
  return (
    <div class="position figures">
      <span>{clock(tick, tps)}</span>
      <span class="dim" data-testid="tick">
        {tick}
        {length !== null && ` / ${length}`}
      </span>
    </div>
  );
}

const percent = (tick: number, span: number) => `${(Math.min(tick / span, 1) * 100).toFixed(4)}%`;

/** A pointer that went no further than this has clicked. */
const CLICK = 4;

interface Grip {
  /** The mark that the pointer came down on. */
  readonly mark: number | null;
  readonly x: number;
  /** As it was then: a growing run must not move the track away under the finger. */
  readonly span: number;
  moved: boolean;
}

function Timeline() {
  const w = words.value;
  const track = useRef<HTMLDivElement>(null);
  const grip = useRef<Grip | null>(null);
  const info = tape.value.info.value;
  const tps = info?.ticksPerSecond ?? 60;
  const first = tape.value.first?.value ?? 0;
  const head = tape.value.head.value;
  const tick = tape.value.tick.value;
  const grown = timelineSpan(Math.max(head, tick) - first, info?.length ?? null, tps);
  const span = grabbed.value ? (grip.current?.span ?? grown) : grown;

  const seekTo = (event: PointerEvent) => {
    const { left, width } = track.current!.getBoundingClientRect();
    const share = Math.min(Math.max((event.clientX - left) / width, 0), 1);
    tape.value.seek(Math.min(first + share * span, head));
  };
  const grab = (event: PointerEvent) => {
    (event.currentTarget as Element).setPointerCapture(event.pointerId);
    // The keyboard stays with the match: the next space bar is not for the mark under the pointer, nor for a field of the form.
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
    const mark = (event.target as Element).closest<HTMLElement>('.mark')?.dataset['tick'];
    grip.current = { mark: mark === undefined ? null : Number(mark), x: event.clientX, span, moved: false };
    grabbed.value = true;
    if (mark === undefined) seekTo(event);
    else tape.value.seek(Number(mark));
  };
  const drag = (event: PointerEvent) => {
    const now = grip.current;
    if (now === null) return;
    now.moved ||= Math.abs(event.clientX - now.x) > CLICK;
    if (now.moved || now.mark === null) seekTo(event);
  };
  const letGo = () => {
    grip.current = null;
    grabbed.value = false;
  };
  const keys = (event: KeyboardEvent) => {
    const to = { Home: first, End: (tape.value.watched ?? tape.value.head).value, PageDown: tick - SIXTY, PageUp: tick + SIXTY }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    tape.value.seek(to);
  };
  return (
    <div
      class="timeline"
      onMouseDown={(event) => event.preventDefault()}
      onPointerDown={grab}
      onPointerMove={drag}
      onPointerUp={letGo}
      onPointerCancel={letGo}
      onLostPointerCapture={letGo}
    >
      <div class="track" ref={track}>
        <div class="played" style={{ width: percent(head - first, span) }} />
        <div class="checked" style={{ width: percent(Math.max(tape.value.verified.value - first, 0), span) }} />
        {info !== null && <Keyframes head={head - first} every={info.keyframeEvery} span={span} />}
        <div
          class="slider"
          role="slider"
          tabIndex={0}
          aria-label={w.timeline}
          aria-valuemin={first}
          aria-valuemax={first + span}
          aria-valuenow={tick}
          aria-valuetext={`${clock(tick, tps)}, ${w.tick.toLowerCase()} ${tick}`}
          onKeyDown={keys}
        />
        <Marks first={first} span={span} />
        <div class="thumb" data-testid="thumb" style={{ left: percent(tick - first, span) }} />
      </div>
    </div>
  );
}

function Keyframes({ head, every, span }: { head: number; every: number; span: number }) {
  // Beyond some density they would only be a grey bar.
  const step = Math.max(every, every * Math.ceil(span / every / 60));
  const ticks = Array.from({ length: Math.floor(head / step) + 1 }, (_, i) => i * step);
  return (
    <>
      {ticks.map((tick) => (
        <i key={tick} class="keyframe" style={{ left: percent(tick, span) }} />
      ))}
    </>
  );
}

/** What one goes back to look at. Other events are dots. */
const MAJOR = ['goal', 'marker'];

function Marks({ first, span }: { first: number; span: number }) {
  const w = words.value;
  const name = ({ event, tick }: TimedEvent) => {
    if (typeof event['name'] === 'string') return `${event['name']} (${w.tick.toLowerCase()} ${tick})`;
    const who = event.seat === undefined ? '' : `: ${player.setup.value?.bots[event.seat] ?? event.seat}`;
    return `${eventWord(event)}${who} (${w.tick.toLowerCase()} ${tick})`;
  };
  return (
    <>
      {tape.value.marks.value.map((mark, i) => (
        <button
          type="button"
          key={i}
          class={`mark seat-${mark.event.seat ?? 'none'} ${MAJOR.includes(mark.event.kind) ? '' : 'minor'}`}
          style={{ left: percent(mark.tick - first, span) }}
          data-tick={mark.tick}
          aria-label={name(mark)}
          title={name(mark)}
          // Pointers are the timeline's; this is for the keyboard.
          onClick={({ detail }) => detail === 0 && tape.value.seek(mark.tick)}
        />
      ))}
    </>
  );
}

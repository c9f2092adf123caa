import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { Editor } from './editor.ts';
import { thrustAt } from './script.ts';
import { angleOf, magnitudeOf, type Thrust, thrustOf, typedThrust } from './thrust.ts';
import { tasWords } from './words.ts';

/** The strip between map and roll: what the hand does, and the exact numbers under the playhead. */
export function Tools({ editor }: { editor: Editor }) {
  const w = tasWords.value;
  const { desk } = editor;
  const flying = desk.flying.value;
  return (
    <div class="tas-tools" role="toolbar" aria-label={w.title}>
      <button
        type="button"
        class={flying ? 'tas-key recording' : 'tas-key'}
        aria-pressed={flying}
        onClick={() => desk.fly()}
        title={flying ? w.land : w.fly}
        aria-label={flying ? w.land : w.fly}
      >
        <svg viewBox="0 0 20 20" width="18" height="18" aria-hidden="true">
          {flying ? (
            <rect x="5" y="5" width="10" height="10" rx="2" fill="currentColor" />
          ) : (
            <circle cx="10" cy="10" r="6" fill="currentColor" />
          )}
        </svg>
      </button>
      <span class="tas-group" role="radiogroup">
        {(['draw', 'select'] as const).map((tool) => (
          <Key
            key={tool}
            name={w[`${tool}Why`]}
            draw={tool === 'draw' ? 'M4 16l1-4L13 4l3 3-8 8zM11 6l3 3' : 'M4 4h3M10 4h3M16 4v3M16 10v3M16 16h-3M10 16H7M4 16v-3M4 10V7'}
            on={editor.tool.value === tool}
            press={() => (editor.tool.value = tool)}
          />
        ))}
      </span>
      <span class="tas-group">
        <Key name={w.undo} draw="M8 5L4 9l4 4M4 9h8a4 4 0 0 1 0 8h-2" press={() => desk.undo()} off={!desk.canUndo.value} />
        <Key name={w.redo} draw="M12 5l4 4-4 4M16 9H8a4 4 0 0 0 0 8h2" press={() => desk.redo()} off={!desk.canRedo.value} />
      </span>
      <Numbers editor={editor} />
      <span class="tas-group">
        <Key name={w.markHere} draw="M6 3v14M6 4h9l-3 3 3 3H6" press={() => desk.mark()} />
        <Key name={w.fork} draw="M6 4v12M6 10c0-3 8-2 8-6M14 4l-2.5 2.5M14 4l2.5 2.5" press={() => desk.fork()} />
      </span>
    </div>
  );
}

interface KeyProps {
  readonly name: string;
  readonly draw: string;
  readonly press: () => void;
  readonly on?: boolean;
  readonly off?: boolean;
}

export function Key({ name, draw, press, on, off = false }: KeyProps) {
  return (
    <button
      type="button"
      class="tas-key"
      aria-label={name}
      title={name}
      onClick={press}
      disabled={off}
      {...(on !== undefined && { 'aria-pressed': on })}
    >
      <svg viewBox="0 0 20 20" width="18" height="18" aria-hidden="true">
        <path d={draw} fill="none" stroke="currentColor" stroke-width="1.7" stroke-linejoin="round" stroke-linecap="round" />
      </svg>
    </button>
  );
}

/** The instruction of the tick that is played next, or of the selection's first: as whole numbers, and as angle and magnitude. */
function Numbers({ editor }: { editor: Editor }) {
  const w = tasWords.value;
  const { desk } = editor;
  const { from } = desk.target;
  const { script } = desk.branch.value;
  const thrust: Thrust = from < script.length / 2 ? thrustAt(script, from) : { vx: 0, vy: 0 };
  const typed = useSignal<{ readonly vx: string; readonly vy: string } | null>(null);
  const first = useRef<HTMLInputElement>(null);
  useEffect(() => {
    editor.typeNumbers = () => first.current?.select();
  }, []);
  const shown = typed.value ?? { vx: String(thrust.vx), vy: String(thrust.vy) };
  const legal = typedThrust(shown.vx, shown.vy);
  const wanted = () => (typed.value === null ? null : typedThrust(typed.value.vx, typed.value.vy));
  const set = (asked: Thrust) => void editor.orSay(() => desk.set(asked));
  const commit = () => {
    const legalNow = wanted();
    if (legalNow !== null) set(legalNow);
    typed.value = null;
  };
  const keys = (event: KeyboardEvent) => {
    if (event.key === 'Enter') {
      if (typed.value === null || wanted() !== null) (event.currentTarget as HTMLElement).blur();
    } else if (event.key === 'Escape') {
      typed.value = null;
      (event.currentTarget as HTMLElement).blur();
    }
  };
  const exact = (axis: 'vx' | 'vy') => (
    <label class="tas-number">
      <span>{axis}</span>
      <input
        {...(axis === 'vx' && { ref: first })}
        class="figures"
        inputMode="text"
        autocomplete="off"
        spellcheck={false}
        value={shown[axis]}
        aria-invalid={legal === null}
        title={legal === null ? w.badThrust : undefined}
        data-testid={`tas-${axis}`}
        onInput={(event) => (typed.value = { ...(typed.value ?? shown), [axis]: event.currentTarget.value })}
        onKeyDown={keys}
        onBlur={(event) => {
          // From one of the two numbers to the other nothing is decided yet.
          if ((event.relatedTarget as HTMLElement | null)?.closest('.tas-numbers') === null || event.relatedTarget === null) commit();
        }}
      />
    </label>
  );
  return (
    <span class="tas-numbers">
      {exact('vx')}
      {exact('vy')}
      <Polar
        name={w.angle}
        draw="M16 16H4L13 5M9 10.5a7 7 0 0 1 2.4 5.5"
        unit="°"
        value={angleOf(thrust)}
        set={(angle) => set(thrustOf(angle, magnitudeOf(thrust) || Infinity))}
        id="tas-angle"
      />
      <Polar
        name={w.magnitude}
        draw="M4 6v8M4 10h12M12 6l4 4-4 4"
        unit=""
        value={magnitudeOf(thrust)}
        set={(magnitude) => set(thrustOf(angleOf(thrust), magnitude))}
        id="tas-magnitude"
      />
    </span>
  );
}

interface PolarProps {
  readonly name: string;
  readonly draw: string;
  readonly unit: string;
  readonly value: number;
  readonly set: (value: number) => void;
  readonly id: string;
}

function Polar({ name, draw, unit, value, set, id }: PolarProps) {
  const typed = useSignal<string | null>(null);
  const commit = () => {
    const number = Number(typed.value?.replace(',', '.').replace('°', ''));
    if (typed.value !== null && typed.value.trim() !== '' && Number.isFinite(number)) set(number);
    typed.value = null;
  };
  return (
    <label class="tas-number" title={name}>
      <svg viewBox="0 0 20 20" width="16" height="16" aria-hidden="true">
        <path d={draw} fill="none" stroke="currentColor" stroke-width="1.6" stroke-linejoin="round" stroke-linecap="round" />
      </svg>
      <input
        class="figures"
        aria-label={name}
        inputMode="decimal"
        autocomplete="off"
        spellcheck={false}
        data-testid={id}
        value={typed.value ?? `${value.toFixed(1)}${unit}`}
        onFocus={(event) => event.currentTarget.select()}
        onInput={(event) => (typed.value = event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape') typed.value = null;
          if (event.key === 'Enter' || event.key === 'Escape') event.currentTarget.blur();
        }}
        onBlur={commit}
      />
    </label>
  );
}

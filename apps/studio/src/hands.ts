import type { Held } from '@lockstep/kernel';
import { player, stage } from './shell.ts';

/** By place on the keyboard, whatever its letters: they take nothing from the keys that mean the same in every world. */
const KEYS = { KeyW: 'forward', KeyS: 'back', KeyA: 'left', KeyD: 'right', KeyJ: 'jump', KeyK: 'boost' } as const;

const held = new Set<string>();
let pointed: { readonly x: number; readonly y: number } | null = null;

/** What a person holds down while they play for a seat. */
export function listenToHands(): void {
  const change = (code: string, down: boolean) => {
    const what = KEYS[code as keyof typeof KEYS];
    if (what === undefined || held.has(what) === down) return;
    if (down) held.add(what);
    else held.delete(what);
    tell();
  };
  addEventListener('keydown', ({ code, target, ctrlKey, metaKey, altKey }) => {
    if (!(target instanceof HTMLInputElement) && !ctrlKey && !metaKey && !altKey) change(code, true);
  });
  addEventListener('keyup', ({ code }) => change(code, false));
  addEventListener('blur', () => {
    held.clear();
    pointed = null;
    tell();
  });
  // The camera turns with the game, and with it what forward means and where the pointer points.
  player.shown.subscribe(() => {
    if (held.size > 0 || pointed !== null) tell();
  });
}

/** A pointer is held over a place of the window: there the seat's thing should go. null: it was let go. */
export function pointTo(place: { readonly x: number; readonly y: number } | null): void {
  pointed = place;
  tell();
}

function tell(): void {
  const seat = player.taken.peek();
  const shown = stage.peek();
  if (seat === null || shown === null) return;
  const { forward, right } = shown.heading();
  const pull = (plus: string, minus: string) => Number(held.has(plus)) - Number(held.has(minus));
  const keys = forward.multiplyScalar(pull('forward', 'back')).addScaledVector(right, pull('right', 'left'));
  if (keys.lengthSq() > 0) keys.normalize();
  const move = (pointed === null ? null : shown.towards(seat, pointed)) ?? keys;
  player.hold({ move: [move.x, move.y, move.z], jump: held.has('jump'), boost: held.has('boost') } satisfies Held);
}

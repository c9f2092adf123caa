import type { Held } from '@lockstep/kernel';
import { isForMatch } from './keys.ts';
import { readPad } from './pad.ts';
import { helpOpen, player, stage } from './shell.ts';

/** By place on the keyboard, whatever its letters: they take nothing from the keys that mean the same in every world. */
const KEYS = { KeyW: 'forward', KeyS: 'back', KeyA: 'left', KeyD: 'right', KeyJ: 'jump', KeyK: 'boost' } as const;

type What = (typeof KEYS)[keyof typeof KEYS];

const held = new Set<What>();
/** Something was held on a gamepad when it was last looked at. */
let wasPadded = false;
let pointed: { readonly x: number; readonly y: number } | null = null;

/** What a person holds down while they play for a seat. */
export function listenToHands(): void {
  const whatOf = ({ code }: KeyboardEvent): What | undefined => KEYS[code as keyof typeof KEYS];
  addEventListener('keydown', (event) => {
    if (isForMatch(event)) hold(whatOf(event), true);
  });
  addEventListener('keyup', (event) => hold(whatOf(event), false));
  addEventListener('blur', letGo);
  // What was held when help opened is held no longer.
  helpOpen.subscribe((open) => {
    if (open) letGo();
  });
  // The camera turns with the game, and with it what forward means and where the pointer points.
  player.shown.subscribe(() => {
    const padded = readPad() !== null;
    if (held.size > 0 || pointed !== null || padded || wasPadded) tell();
    wasPadded = padded;
  });
}

/** A key or a button on the screen goes down or up. */
export function hold(what: What | undefined, down: boolean): void {
  if (what === undefined || held.has(what) === down) return;
  if (down) held.add(what);
  else held.delete(what);
  tell();
}

function letGo(): void {
  held.clear();
  pointed = null;
  tell();
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
  const pull = (plus: What, minus: What) => Number(held.has(plus)) - Number(held.has(minus));
  const pad = readPad();
  const ahead = pull('forward', 'back') + (pad?.y ?? 0);
  const keys = forward.multiplyScalar(ahead).addScaledVector(right, pull('right', 'left') + (pad?.x ?? 0));
  if (keys.lengthSq() > 1) keys.normalize();
  const move = (pointed === null ? null : shown.towards(seat, pointed)) ?? keys;
  player.hold({
    move: [move.x, move.y, move.z],
    jump: held.has('jump') || pad?.jump === true,
    boost: held.has('boost') || pad?.boost === true,
  } satisfies Held);
}

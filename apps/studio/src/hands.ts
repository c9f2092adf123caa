import { player, stage } from './shell.ts';

/** By place on the keyboard, whatever its letters: they take nothing from the keys that mean the same in every world. */
const KEYS = { KeyW: 'forward', KeyS: 'back', KeyA: 'left', KeyD: 'right', KeyJ: 'jump', KeyK: 'boost' } as const;

/** What a person holds down while they play for a seat. */
export function listenToHands(): void {
  const held = new Set<string>();
  const change = (code: string, down: boolean) => {
    const what = KEYS[code as keyof typeof KEYS];
    if (what === undefined || held.has(what) === down) return;
    if (down) held.add(what);
    else held.delete(what);
    if (player.taken.value !== null) tell(held);
  };
  addEventListener('keydown', ({ code, target, ctrlKey, metaKey, altKey }) => {
    if (!(target instanceof HTMLInputElement) && !ctrlKey && !metaKey && !altKey) change(code, true);
  });
  addEventListener('keyup', ({ code }) => change(code, false));
  addEventListener('blur', () => {
    held.clear();
    if (player.taken.value !== null) tell(held);
  });
  // The camera turns with the game, and with it what forward means.
  player.shown.subscribe(() => {
    if (player.taken.peek() !== null && held.size > 0) tell(held);
  });
}

function tell(held: ReadonlySet<string>): void {
  const axes = stage.peek()?.heading();
  if (axes === undefined) return;
  const pull = (plus: string, minus: string) => Number(held.has(plus)) - Number(held.has(minus));
  const move = axes.forward.multiplyScalar(pull('forward', 'back')).addScaledVector(axes.right, pull('right', 'left'));
  if (move.lengthSq() > 0) move.normalize();
  player.hold({ move: [move.x, move.y, move.z], jump: held.has('jump'), boost: held.has('boost') });
}

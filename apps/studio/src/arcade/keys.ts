import { isForMatch } from '../keys.ts';
import { helpOpen } from '../shell.ts';
import type { Arcade } from './arcade.ts';
import { CONTROLS } from './hands.ts';

/** They start nothing and play nothing. */
const QUIET = /^(Tab|Escape|F\d+|Meta.*|Alt.*|Control.*|CapsLock|ContextMenu|PrintScreen)$/;
const REWIND = ['Backspace', 'KeyR'];

/**
 * The keyboard at a machine. While a person plays, its own controls come first, also where the studio has a meaning for the key; all others
 * keep what they mean everywhere. The answer stops listening.
 */
export function listenToArcadeKeys(arcade: Arcade): () => void {
  const { desk } = arcade;
  const down = (event: KeyboardEvent) => {
    if (!isForMatch(event)) return;
    if (arcade.mode.peek() === 'edit' && editKey(arcade, event)) return event.preventDefault();
    if (press(arcade, event)) {
      event.preventDefault();
      event.stopImmediatePropagation();
    }
  };
  const up = ({ code, timeStamp }: KeyboardEvent) => {
    for (const { name, keys } of CONTROLS) if (keys.includes(code)) desk.hands.press(name, code, false, timeStamp);
    if (REWIND.includes(code)) desk.stopRewind();
  };
  const letGo = () => {
    desk.hands.letGo();
    desk.stopRewind();
  };
  addEventListener('keydown', down, { capture: true });
  addEventListener('keyup', up);
  addEventListener('blur', letGo);
  const quiet = helpOpen.subscribe((open) => {
    if (open) letGo();
  });
  return () => {
    removeEventListener('keydown', down, { capture: true });
    removeEventListener('keyup', up);
    removeEventListener('blur', letGo);
    quiet();
  };
}

function press(arcade: Arcade, event: KeyboardEvent): boolean {
  const { desk } = arcade;
  const { code, repeat, timeStamp } = event;
  if (QUIET.test(code) || (event.target instanceof Element && event.target.matches('button, summary, a') && /^(Space|Enter)$/.test(code)))
    return false;
  // Any key begins a game, but those that ask for help.
  if (desk.attract.peek()) {
    if (event.key === '?' || repeat) return false;
    arcade.start();
    return true;
  }
  if (desk.isLive) {
    const own = CONTROLS.find(({ keys }) => keys.includes(code));
    if (own !== undefined) {
      if (!repeat) desk.hands.press(own.name, code, true, timeStamp);
      desk.sound.wake();
      return true;
    }
  }
  return act(arcade, code, repeat);
}

/** What else there is to do at a machine. */
function act(arcade: Arcade, code: string, repeat: boolean): boolean {
  const { desk } = arcade;
  if (REWIND.includes(code)) desk.rewind();
  else if (repeat) return false;
  else if (code === 'KeyT') desk.takeOver(false);
  else if (code === 'KeyF') desk.takeOver(true);
  else if (code === 'KeyN') desk.sound.toggle();
  else if (code === 'KeyP') desk.toggle();
  else if (code === 'KeyO') arcade.colliders.value = !arcade.colliders.peek();
  else if (code === 'Enter' && desk.over.peek()) arcade.start();
  else return false;
  return true;
}

const SHIFTS: Readonly<Record<string, readonly [number, number]>> = {
  Numpad4: [-0.5, 0],
  Numpad6: [0.5, 0],
  Numpad8: [0, 0.5],
  Numpad2: [0, -0.5],
};

function editKey({ workshop }: Arcade, { code, key }: KeyboardEvent): boolean {
  if (key === 'Delete') workshop.remove();
  else if (code === 'KeyU') workshop.undo();
  else if (code === 'KeyY') workshop.redo();
  else if (key === 'Escape') {
    workshop.tool.value = null;
    workshop.selected.value = null;
  } else if (SHIFTS[code] !== undefined) workshop.nudge(...SHIFTS[code]);
  else return false;
  return true;
}

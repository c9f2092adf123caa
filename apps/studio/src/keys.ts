import { SIXTY } from './player.ts';
import { camera, chooseCamera, helpOpen, nextCamera, sheetOpen, takeNextSeat, tape } from './shell.ts';

/** The keys that mean the same in every world, by their place on the keyboard: letters differ from layout to layout. */
const KEYS: Readonly<Record<string, (event: KeyboardEvent) => void>> = {
  Space: () => tape.value.toggle(),
  ArrowLeft: ({ shiftKey }) => tape.value.step(shiftKey ? -SIXTY : -1),
  ArrowRight: ({ shiftKey }) => tape.value.step(shiftKey ? SIXTY : 1),
  BracketLeft: () => tape.value.faster(-1),
  BracketRight: () => tape.value.faster(1),
  Comma: () => tape.value.seekMark(-1),
  Period: () => tape.value.seekMark(1),
  KeyC: ({ shiftKey }) => (shiftKey ? chooseCamera(camera.value) : nextCamera()),
  KeyT: () => takeNextSeat(),
  Escape: () => (sheetOpen.value = false),
};

export function listenToKeys(): void {
  addEventListener('keydown', (event) => {
    if (isForMatch(event) && press(event)) event.preventDefault();
  });
  // A button that was clicked gives the keyboard back: the next space bar is for the match.
  addEventListener('click', ({ detail, target }) => {
    if (detail > 0 && target instanceof Element && !helpOpen.value) target.closest('button')?.blur();
  });
}

/** Nobody else has the key: no shortcut of the browser, no field that is typed in, no help that is open. */
export function isForMatch({ defaultPrevented, ctrlKey, metaKey, altKey, target }: KeyboardEvent): boolean {
  return !defaultPrevented && !ctrlKey && !metaKey && !altKey && !isTyping(target) && !helpOpen.value;
}

function press(event: KeyboardEvent): boolean {
  // The question mark is the one sign that is asked for by itself: it has no place that all keyboards share.
  if (event.key === '?' || (event.code === 'Slash' && event.shiftKey)) {
    helpOpen.value = true;
    return true;
  }
  // What was reached by the keyboard and can be pressed takes the space bar itself.
  if (event.code === 'Space' && event.target instanceof Element && event.target.matches(PRESSED)) return false;
  const act = KEYS[event.code];
  act?.(event);
  return act !== undefined;
}

const PRESSED = 'button, summary, input[type=checkbox]';

/** In a field that takes letters or arrows itself; a box that was ticked leaves the keyboard to everybody else. */
export function isTyping(target: EventTarget | null): boolean {
  return target instanceof Element && target.matches('input, select, textarea') && !target.matches(PRESSED);
}

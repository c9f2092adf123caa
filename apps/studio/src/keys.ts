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
    // While help is open it has the keyboard.
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target) || helpOpen.value) return;
    if (press(event)) event.preventDefault();
  });
  // A button that was clicked gives the keyboard back: the next space bar is for the match.
  addEventListener('click', ({ detail, target }) => {
    if (detail > 0 && target instanceof Element && !helpOpen.value) target.closest('button')?.blur();
  });
}

function press(event: KeyboardEvent): boolean {
  // The question mark is the one sign that is asked for by itself: it has no place that all keyboards share.
  if (event.key === '?' || (event.code === 'Slash' && event.shiftKey)) {
    helpOpen.value = true;
    return true;
  }
  // A button that was reached by the keyboard takes the space bar itself.
  if (event.code === 'Space' && event.target instanceof HTMLButtonElement) return false;
  const act = KEYS[event.code];
  act?.(event);
  return act !== undefined;
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLInputElement || target instanceof HTMLSelectElement || target instanceof HTMLTextAreaElement;
}

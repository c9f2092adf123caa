import { camera, chooseCamera, helpOpen, nextCamera, sheetOpen, takeNextSeat, tape } from './shell.ts';

const SIXTY = 60;

/** The keys that mean the same in every world. */
export function listenToKeys(): void {
  addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
    if (press(event)) event.preventDefault();
  });
  // A button that was clicked gives the keyboard back: the next space bar is for the match.
  addEventListener('click', ({ detail, target }) => {
    if (detail > 0 && target instanceof Element) target.closest('button')?.blur();
  });
}

function press({ key, shiftKey, target }: KeyboardEvent): boolean {
  switch (key) {
    case ' ':
      // A button that was reached by the keyboard takes the space bar itself.
      if (target instanceof HTMLButtonElement) return false;
      tape.value.toggle();
      return true;
    case 'ArrowLeft':
      tape.value.step(shiftKey ? -SIXTY : -1);
      return true;
    case 'ArrowRight':
      tape.value.step(shiftKey ? SIXTY : 1);
      return true;
    case '[':
      tape.value.faster(-1);
      return true;
    case ']':
      tape.value.faster(1);
      return true;
    case ',':
      tape.value.seekMark(-1);
      return true;
    case '.':
      tape.value.seekMark(1);
      return true;
    case 'c':
    case 'с': // the same key on a Russian keyboard
      nextCamera();
      return true;
    case 'C':
    case 'С':
      chooseCamera(camera.value);
      return true;
    case 't':
    case 'е': // the same key on a Russian keyboard
      takeNextSeat();
      return true;
    case '?':
      helpOpen.value = !helpOpen.value;
      return true;
    case 'Escape':
      helpOpen.value = false;
      sheetOpen.value = false;
      return true;
    default:
      return false;
  }
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLInputElement || target instanceof HTMLSelectElement || target instanceof HTMLTextAreaElement;
}

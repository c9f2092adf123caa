import { readInstructions } from '@lockstep/asteracer';
import { isTyping } from '../keys.ts';
import { helpOpen } from '../shell.ts';
import type { Editor } from './editor.ts';
import { MOST_TICKS, scriptOf } from './script.ts';

/** The editor's own keys. What it does not take goes to the keys that mean the same in every world. The answer stops listening. */
export function listenToEditorKeys(editor: Editor): () => void {
  const { desk, hands } = editor;
  const down = (event: KeyboardEvent) => {
    if (isTyping(event.target) || helpOpen.value || isPressed(event)) return;
    const plain = !event.ctrlKey && !event.metaKey && !event.altKey;
    const taken = (plain && desk.flying.value && hands.key(event.code, true)) || press(editor, event);
    if (!taken) return;
    event.preventDefault();
    event.stopImmediatePropagation();
  };
  const up = ({ code }: KeyboardEvent) => hands.key(code, false);
  const blur = () => hands.letGo();
  const copy = (event: ClipboardEvent) => {
    // Text that was selected on the page is what is meant.
    if (isTyping(event.target) || getSelection()?.isCollapsed === false) return;
    event.preventDefault();
    event.clipboardData?.setData('text/plain', desk.copy());
    if (event.type === 'cut') desk.removeTarget();
  };
  let pushIn = false;
  const paste = (event: ClipboardEvent) => {
    if (isTyping(event.target)) return;
    event.preventDefault();
    const text = event.clipboardData?.getData('text/plain') ?? '';
    void editor.orSay(() => {
      const { instructions } = readInstructions(text, 'clipboard');
      desk.paste(scriptOf(instructions.slice(0, MOST_TICKS)), pushIn);
    });
  };
  const shift = ({ shiftKey }: KeyboardEvent) => (pushIn = shiftKey);
  addEventListener('keydown', shift, { capture: true });
  addEventListener('keydown', down, { capture: true });
  addEventListener('keyup', up);
  addEventListener('blur', blur);
  document.addEventListener('copy', copy);
  document.addEventListener('cut', copy);
  document.addEventListener('paste', paste);
  return () => {
    removeEventListener('keydown', shift, { capture: true });
    removeEventListener('keydown', down, { capture: true });
    removeEventListener('keyup', up);
    removeEventListener('blur', blur);
    document.removeEventListener('copy', copy);
    document.removeEventListener('cut', copy);
    document.removeEventListener('paste', paste);
  };
}

/** By place on the keyboard, so that every layout has them; true if the key was the editor's. */
function press(editor: Editor, { code, key, ctrlKey, metaKey, altKey, shiftKey }: KeyboardEvent): boolean {
  const { desk } = editor;
  if (ctrlKey || metaKey) {
    if (code === 'KeyZ' && shiftKey) desk.redo();
    else if (code === 'KeyZ') desk.undo();
    else if (code === 'KeyY') desk.redo();
    else if (code === 'KeyA') desk.select({ from: 0, to: desk.head.value });
    else return false;
    return true;
  }
  if (altKey) {
    if (key === 'ArrowUp') desk.push(1);
    else if (key === 'ArrowDown') desk.push(-1);
    else if (key === 'ArrowLeft') desk.shiftSelection(-1);
    else if (key === 'ArrowRight') desk.shiftSelection(1);
    else return false;
    return true;
  }
  switch (key) {
    case 'ArrowUp':
      desk.turn(shiftKey ? -10 : -1);
      return true;
    case 'ArrowDown':
      desk.turn(shiftKey ? 10 : 1);
      return true;
    case 'Home':
      desk.seek(0);
      return true;
    case 'End':
      desk.seek(desk.head.value);
      return true;
    case 'Enter':
      editor.typeNumbers();
      return true;
    case 'Insert':
      void editor.orSay(() => desk.insertHere());
      return true;
    case 'Delete':
    case 'Backspace':
      desk.removeTarget();
      return true;
    case 'Escape':
      if (desk.flying.value) desk.fly();
      desk.select(null);
      editor.notice.value = null;
      return false;
    case '+':
    case '=':
      editor.zoom(1.3);
      return true;
    case '-':
      editor.zoom(1 / 1.3);
      return true;
    default:
      return pressLetter(editor, code);
  }
}

function pressLetter(editor: Editor, code: string): boolean {
  const { desk } = editor;
  const tick = desk.tick.value;
  const chosen = desk.selection.value;
  switch (code) {
    case 'KeyT':
      desk.fly();
      return true;
    case 'KeyM':
      desk.mark();
      return true;
    case 'KeyB':
    case 'KeyF':
      desk.fork();
      return true;
    case 'KeyI':
      desk.select({ from: tick, to: Math.max(chosen?.to ?? 0, tick + 1) });
      return true;
    case 'KeyO':
      desk.select({ from: Math.min(chosen?.from ?? tick, tick), to: tick + 1 });
      return true;
    case 'KeyD':
      editor.tool.value = 'draw';
      return true;
    case 'KeyS':
      editor.tool.value = 'select';
      return true;
    case 'KeyC':
      editor.toggleFollow();
      return true;
    case 'Digit0':
      editor.showWhole();
      return true;
    default:
      return false;
  }
}

/** A button that was reached by the keyboard takes the enter key itself. */
function isPressed({ key, target }: KeyboardEvent): boolean {
  return key === 'Enter' && target instanceof Element && target.closest('button, summary') !== null;
}

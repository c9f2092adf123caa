import { useLayoutEffect, useRef } from 'preact/hooks';
import { editor, helpOpen, player } from '../shell.ts';
import { filled, words } from '../words.ts';
import { goesPlaces, handWord } from './hud.tsx';
import { type KeyLines, KeyList } from './keycap.tsx';

/** A modal: nothing behind it can be reached, Esc and a click beside it close it, and the keyboard goes back to where it was. */
export function Help() {
  const w = words.value;
  const dialog = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    dialog.current!.showModal();
  }, []);
  const close = () => dialog.current!.close();
  const controls = editor.value === null ? (player.info.value?.controls ?? null) : null;
  const keys: KeyLines = [
    [['space'], w.keyPlay],
    [['←', '→'], w.keyStep],
    [['shift ←', 'shift →'], w.keySixty],
    [['home', 'end'], w.keyEnds],
    [['[', ']'], w.keySpeed],
    [[',', '.'], w.keyEvent],
    [['c'], w.keyCamera],
    ...(controls === null
      ? []
      : ([
          [['t'], w.keyTake],
          [['w', 'a', 's', 'd'], goesPlaces() ? w.keyHands : filled(w.keyDoes, { what: handWord('move') })],
          ...(controls.jump ? [[['j'], filled(w.keyDoes, { what: handWord('jump') })] as const] : []),
          ...(controls.boost ? [[['k'], filled(w.keyDoes, { what: handWord('boost') })] as const] : []),
        ] as const)),
    ...(editor.value?.keys ?? []),
    [['?'], w.keyHelp],
  ];
  return (
    <dialog
      ref={dialog}
      class="help"
      aria-labelledby="help-title"
      onClose={() => {
        if (dialog.current !== null) helpOpen.value = false;
      }}
      onClick={(event) => event.target === dialog.current && close()}
      onKeyDown={(event) => {
        // The one thing in it that can have the keyboard keeps it.
        if (event.key === 'Tab') event.preventDefault();
        else if (event.key === '?') close();
      }}
    >
      <div class="help-inside">
        <h2 id="help-title">{w.help}</h2>
        <KeyList keys={keys} />
        <p>{w.helpDrag}</p>
        <button type="button" class="main-button" onClick={close}>
          {w.close}
        </button>
      </div>
    </dialog>
  );
}

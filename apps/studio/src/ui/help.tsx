import { useEffect, useRef } from 'preact/hooks';
import { helpOpen } from '../shell.ts';
import { words } from '../words.ts';

export function Help() {
  const w = words.value;
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const element = dialog.current!;
    if (!element.open) element.showModal();
  }, []);
  const keys: readonly (readonly [readonly string[], string])[] = [
    [['space'], w.keyPlay],
    [['←', '→'], w.keyStep],
    [['shift ←', 'shift →'], w.keySixty],
    [['[', ']'], w.keySpeed],
    [[',', '.'], w.keyEvent],
    [['c'], w.keyCamera],
    [['t'], w.keyTake],
    [['w a s d', 'j', 'k'], w.keyHands],
    [['?'], w.keyHelp],
  ];
  return (
    <dialog ref={dialog} class="help" aria-label={w.help} onClose={() => (helpOpen.value = false)}>
      <h2>{w.keys}</h2>
      <dl>
        {keys.map(([names, what]) => (
          <div key={what}>
            <dt>
              {names.map((name) => (
                <kbd key={name}>{name}</kbd>
              ))}
            </dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
      <p>{w.helpDrag}</p>
      <button type="button" class="main-button" onClick={() => (helpOpen.value = false)}>
        {w.close}
      </button>
    </dialog>
  );
}

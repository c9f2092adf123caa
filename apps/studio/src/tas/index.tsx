import { asteracer } from '@lockstep/asteracer';
import { listenToDrops } from '../drops.ts';
import type { OpenEditor } from '../open-editor.ts';
import { Editor } from './editor.ts';
import { readFound } from './files.ts';
import { listenToEditorKeys } from './keys.ts';
import { TasPanel } from './panel.tsx';
import { readShare, type SharedRun } from './share.ts';
import { TasView } from './view.tsx';
import { tasWords } from './words.ts';

/** Opens a run: a share link's letters, a replay's bytes, or nothing yet. Throws an InputError of one line for what is neither. */
export async function openEditor(what: string | Uint8Array | null): Promise<OpenEditor> {
  const editor = new Editor(await runOf(what));
  const stops = [listenToEditorKeys(editor), listenToDrops(editor)];
  return {
    world: asteracer.world.name,
    tape: editor.desk,
    get title() {
      return tasWords.value.title;
    },
    View: () => <TasView editor={editor} />,
    Panel: () => <TasPanel editor={editor} />,
    refuse: (what) => editor.refuse(what),
    close() {
      for (const stop of stops) stop();
      editor.close();
    },
  };
}

async function runOf(what: string | Uint8Array | null): Promise<SharedRun> {
  if (typeof what === 'string') return readShare(what);
  const found = what === null ? null : await readFound(what, 'replay');
  if (found?.kind === 'run') return { ...found, markers: [] };
  const { map, rules } = asteracer.world.readConfig('v2025');
  return { map, rules, script: new Int8Array(0), markers: [] };
}

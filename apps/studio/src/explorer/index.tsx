import { sparse } from '@lockstep/sparse';
import { listenToDrops } from '../drops.ts';
import type { OpenEditor } from '../open-editor.ts';
import { freshSeed } from '../shell.ts';
import { Explorer } from './explorer.ts';
import { listenToTakeOver } from './keys.ts';
import { Keeper, readExplorerLink } from './keeper.ts';
import { ExplorerPanel } from './panel.tsx';
import { ExplorerView } from './view.tsx';
import { explorerWords } from './words.ts';

/** Opens a dungeon by the words of its link: what is kept under its name, or a new one. Throws an InputError of one line for wrong words. */
export async function openExplorer(link: string): Promise<OpenEditor> {
  const keeper = await Keeper.open(readExplorerLink(link, freshSeed));
  const explorer = new Explorer(keeper);
  const keep = (): void => {
    if (document.visibilityState === 'hidden') void explorer.keeping.saveNow();
  };
  document.addEventListener('visibilitychange', keep);
  const stops = [explorer.hands.listen(), listenToTakeOver(explorer), listenToDrops(explorer.keeping)];
  const { config } = keeper.chronicle.session.state;
  return {
    world: sparse.world.name,
    tape: explorer,
    get timeless() {
      return explorer.view.value === 'particles';
    },
    scenery: { bounds: sparse.stage.bounds(config), meshes: sparse.stage.meshes(config) },
    get title() {
      return explorerWords.value.title;
    },
    get tab() {
      return explorerWords.value.tab;
    },
    get keys() {
      const { walk, sword, playOn } = explorerWords.value;
      return [
        [['w', 'a', 's', 'd'], walk],
        [['j', 'k'], sword.toLowerCase()],
        [['t'], playOn.toLowerCase()],
      ] as const;
    },
    View: () => <ExplorerView explorer={explorer} />,
    Panel: () => <ExplorerPanel explorer={explorer} />,
    sight: () => explorer.sight(),
    screenPosition: (key) => explorer.screenPosition(key),
    refuse: (what) => explorer.keeping.refuse(what),
    close() {
      document.removeEventListener('visibilitychange', keep);
      for (const stop of stops) stop();
      explorer.close();
    },
  };
}

import { pinball } from '@lockstep/pinball';
import { listenToDrops } from '../drops.ts';
import type { OpenEditor } from '../open-editor.ts';
import { Arcade } from './arcade.ts';
import { listenToArcadeKeys } from './keys.ts';
import { ArcadePanel } from './panel.tsx';
import { ArcadeView } from './view.tsx';
import { arcadeWords } from './words.ts';

/** Opens a machine by the name of its table. Throws an InputError of one line where there is none. */
export function openArcade(table: string): OpenEditor {
  const arcade = new Arcade(table);
  const stops = [listenToArcadeKeys(arcade), listenToDrops(arcade)];
  return {
    world: pinball.world.name,
    tape: arcade.desk,
    get title() {
      return arcadeWords.value.title;
    },
    get tab() {
      return arcadeWords.value.tab;
    },
    View: () => <ArcadeView arcade={arcade} />,
    Panel: () => <ArcadePanel arcade={arcade} />,
    refuse: (what) => arcade.refuse(what),
    close() {
      for (const stop of stops) stop();
      arcade.close();
    },
  };
}

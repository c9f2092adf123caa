import { render } from 'preact';
import { signal } from '@preact/signals';
import { openDoor, type StudioDoor } from './door.ts';
import { listenToDrops } from './drops.ts';
import { listenToHands } from './hands.ts';
import { listenToKeys } from './keys.ts';
import { readLink, writeLink } from './link.ts';
import { Loop } from './loop.ts';
import {
  closeEditor,
  editor,
  freshSeed,
  linkWrong,
  openArcade,
  openEditor,
  openFiles,
  openReplayAt,
  openExplorer,
  player,
  sheetOpen,
  startGame,
  tape,
} from './shell.ts';
import { App } from './ui/app.tsx';

declare global {
  interface Window {
    __studio: StudioDoor;
  }
}

const loop = new Loop();
window.__studio = openDoor(player, () => tape.value, loop);
render(<App />, document.getElementById('app')!);
listenToKeys();
listenToHands();
listenToDrops({
  dropping: signal(false),
  async open(files) {
    // an open editor has ears of its own
    if (editor.value === null) await openFiles(files);
  },
});
loop.run();
void open();

async function open(): Promise<void> {
  await player.until(() => player.worlds.value.length > 0);
  startFromLink();
  addEventListener('hashchange', startFromLink);
}

function startFromLink(): void {
  const shared = /^#tas=(.*)$/.exec(location.hash)?.[1];
  if (shared !== undefined) return void openEditor(shared);
  const recorded = /^#replay=(.*)$/.exec(location.hash)?.[1];
  if (recorded !== undefined) return void openReplayAt(decodeURIComponent(recorded));
  const table = /^#table=(.*)$/.exec(location.hash)?.[1];
  if (table !== undefined) return void openArcade(table);
  const dungeon = /^#explore(?:=(.*))?$/.exec(location.hash);
  if (dungeon !== null) return void openExplorer(dungeon[1] ?? '');
  const asked = location.search + location.hash;
  if (editor.value !== null) closeEditor();
  const { setup, wrong } = readLink(asked, player.worlds.value, freshSeed);
  const now = player.setup.value;
  if (wrong.length === 0 && now !== null && writeLink(now) === writeLink(setup)) return;
  startGame(setup);
  linkWrong.value = wrong;
  sheetOpen.value = wrong.length > 0;
}

import { InputError } from '@lockstep/kernel';
import { computed, effect, signal, untracked } from '@preact/signals';
import { readLink, writeLink, type WrongWord } from './link.ts';
import { remember, remembered } from './memory.ts';
import type { OpenEditor } from './open-editor.ts';
import { Player } from './player.ts';
import type { RecordedFile, Setup } from './protocol.ts';
import { camerasFor, isEndless, isFlat, type CameraName } from './stage/cameras.ts';
import type { Stage } from './stage/stage.ts';
import type { Tape } from './tape.ts';
import { complaint } from './tas/complaint.ts';
import { looks, type ThemeName } from './theme.ts';
import { language, words } from './words.ts';

/** What the page's parts share: one player, one stage, and the choices of the person who watches. */
export const player = new Player(() => new Worker(new URL('./worker.ts', import.meta.url), { type: 'module', name: 'lockstep' }));
export const stage = signal<Stage | null>(null);
/** Why there is no picture: the browser has none to give, or took it away. */
export const stageTrouble = signal<'missing' | 'lost' | null>(null);
/** Raised to draw on a new canvas. */
export const canvasNumber = signal(0);
/** What the link named that is not there. */
export const linkWrong = signal<readonly (WrongWord | string)[]>([]);
export const camera = signal<CameraName>('orbit');
export const helpOpen = signal(false);
export const sheetOpen = signal(false);
export type PanelName = 'match' | 'editor' | 'state' | 'chart' | 'bots';
export const panel = signal<PanelName>('match');

const systemTheme: ThemeName = matchMedia('(prefers-color-scheme: light)').matches ? 'light' : 'dark';
export const theme = signal<ThemeName>(remembered('theme', ['dark', 'light']) ?? systemTheme);
export const look = computed(() => looks[theme.value]);
export const calm = signal(matchMedia('(prefers-reduced-motion: reduce)').matches);

/** In the place of the match while it is open. */
export const editor = signal<OpenEditor | null>(null);
/** The run that the timeline, the panels and the keys are about. */
export const tape = computed((): Tape => editor.value?.tape ?? player);
/** A finger is on the timeline: time stands still. */
export const grabbed = signal(false);
export const isEndlessWorld = computed(() =>
  player.worlds.value.some(({ name, endless }) => endless && name === player.setup.value?.world),
);
export const isArcade = computed(() => player.worlds.value.some(({ name, arcade }) => arcade && name === player.setup.value?.world));
export const isEditable = computed(() => player.worlds.value.some(({ name, course }) => course && name === player.setup.value?.world));

const hasBall = computed(() => player.shown.value?.scene.shapes.some(({ material }) => material.role === 'ball') ?? false);
/** The cameras that suit the world, the one to begin with first. */
export const cameras = computed((): readonly CameraName[] => {
  const info = player.info.value;
  if (info === null) return [];
  const hasGoals = info.meshes.some(({ material }) => material.role === 'goal' && material.seat !== undefined);
  return camerasFor({ flat: isFlat(info.bounds), endless: isEndless(info.meshes), hasBall: hasBall.value, hasGoals });
});

/** Raised when something but the run asks for a new picture. */
export const repaint = signal(0);

export function chooseCamera(name: CameraName, nextSubject = true): void {
  const shown = stage.value;
  if (shown === null) return;
  if (name !== camera.value || nextSubject) shown.rig.choose(name, shown.subjectsOf(name));
  camera.value = name;
  repaint.value++;
}

export function nextCamera(): void {
  const names = cameras.value;
  if (names.length > 0) chooseCamera(names[(names.indexOf(camera.value) + 1) % names.length]!);
}

let builtFor: { readonly scenery: object; readonly stage: Stage } | null = null;
// At once, and not with the next rendering of the page: scenes may come before.
effect(() => {
  const scenery = editor.value === null ? player.info.value : (editor.value.scenery ?? null);
  if (scenery === null || stage.value === null) return;
  if (builtFor?.scenery === scenery && builtFor.stage === stage.value) return;
  builtFor = { scenery, stage: stage.value };
  stage.value.build(scenery.bounds, scenery.meshes);
  if (editor.value !== null) stage.value.rig.choose('follow', 1);
  repaint.value = repaint.peek() + 1;
});

/** Another world begins with its own camera; the next game of the same one keeps what was chosen. */
let cameraOf = '';
effect(() => {
  const world = player.info.value?.setup.world;
  if (world === undefined || stage.value === null || world === cameraOf) return;
  cameraOf = world;
  untracked(() => chooseCamera(cameras.value[0]!, false));
});

effect(() => {
  document.documentElement.dataset['theme'] = theme.value;
  stage.value?.paint(look.value);
  repaint.value = repaint.peek() + 1;
});
effect(() => {
  document.documentElement.lang = language.value;
});
effect(() => {
  const setup = player.setup.value;
  if (editor.value !== null) document.title = `${editor.value.title} · Lockstep`;
  else document.title = setup === null ? 'Lockstep' : `${setup.bots.join(' – ')} · ${setup.world} · Lockstep`;
});

effect(() => {
  const bytes = player.replay.value;
  const setup = player.setup.peek();
  if (bytes === null || setup === null) return;
  if (editNext) {
    editNext = false;
    void openEditor(bytes);
    return;
  }
  const address = URL.createObjectURL(new Blob([bytes], { type: 'application/octet-stream' }));
  const anchor = document.createElement('a');
  anchor.href = address;
  anchor.download = `${setup.world}-${setup.bots.join('-')}-${setup.seed}.replay`;
  anchor.click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
});

let editNext = false;

/** The match so far, opened in its world's editor. */
export function editMatch(): void {
  editNext = player.info.value !== null;
  player.save();
}

/** A replay's bytes or a share link's letters. The editor is loaded when it is first asked for. What cannot be read is said in the editor that is open, else in the form, as with any link. */
export async function openEditor(what: Uint8Array | string): Promise<void> {
  await openInPlace(async () => (await import('./tas/index.tsx')).openEditor(what));
}

/** A machine to play at: the name of its table. */
export async function openArcade(table: string): Promise<void> {
  await openInPlace(async () => (await import('./arcade/index.tsx')).openArcade(table));
}

/** A dungeon to explore: the words of its link. */
export async function openExplorer(link: string): Promise<void> {
  await openInPlace(async () => (await import('./explorer/index.tsx')).openExplorer(link));
}

async function openInPlace(open: () => Promise<OpenEditor>): Promise<void> {
  try {
    const opened = await open();
    editor.value?.close();
    editor.value = opened;
    panel.value = 'editor';
    sheetOpen.value = false;
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    if (editor.value !== null) return editor.value.refuse(error);
    // A wrong link is no dead end: some game is there to go on from.
    if (player.setup.value === null) startGame(readLink('', player.worlds.value, freshSeed).setup);
    linkWrong.value = [complaint(error, language.value)];
    sheetOpen.value = true;
  }
}

export function closeEditor(): void {
  const closed = leaveEditor();
  if (closed === null) return;
  const setup = player.setup.value;
  if (setup === null) location.hash = `#world=${closed.world}`;
  else history.replaceState(null, '', writeLink(setup));
}

function leaveEditor(): OpenEditor | null {
  const left = editor.value;
  if (left === null) return null;
  left.close();
  editor.value = null;
  panel.value = 'match';
  if (left.scenery !== undefined) stage.value?.rig.choose(camera.value, 1);
  repaint.value++;
  return left;
}

export function toggleTheme(): void {
  theme.value = theme.value === 'dark' ? 'light' : 'dark';
  remember('theme', theme.value);
}
export function toggleLanguage(): void {
  language.value = language.value === 'en' ? 'ru' : 'en';
  remember('language', language.value);
}

/** Nobody, then each seat in turn. */
export function takeNextSeat(): void {
  const seats = player.setup.value?.bots.length ?? 0;
  const next = player.taken.value === null ? 0 : player.taken.value + 1;
  takeSeat(next < seats ? next : null);
}

export function takeSeat(seat: number | null): void {
  player.take(seat);
  const shown = stage.value;
  if (player.taken.value === null || shown === null) return;
  sheetOpen.value = false;
  if (camera.value !== 'follow') chooseCamera('follow');
  shown.rig.subject = shown.firstOf(player.taken.value);
}

/** A new game: the link follows. */
export function startGame(setup: Setup): void {
  history.replaceState(null, '', location.pathname + writeLink(setup));
  sheetOpen.value = false;
  linkWrong.value = [];
  player.playing.value = true;
  player.start(setup);
}

/** Watches a recorded game, of any world, once it has been read; a file that is refused changes nothing. A file has no address but that of a run's folder. */
export function openReplay(file: RecordedFile, address = ''): void {
  const opened = () => {
    leaveEditor();
    history.replaceState(null, '', location.pathname + address);
    sheetOpen.value = false;
    linkWrong.value = [];
    player.playing.value = true;
  };
  player.open(file, opened, complain);
}

/** In the form, with some game to go on from. */
function complain(message: string): void {
  if (player.setup.value === null) startGame(readLink('', player.worlds.value, freshSeed).setup);
  linkWrong.value = [message];
  if (editor.value === null) panel.value = 'match';
  sheetOpen.value = true;
}

/** The first letter of a replay; whatever else is opened is taken for drawings. */
const REPLAY_START = 0x8c;

/** A replay, with what its bots drew or without; or drawings for the recording that is open. */
export async function openFiles(files: readonly File[]): Promise<void> {
  let opened: RecordedFile | null = null;
  let { drawings }: Partial<RecordedFile> = {};
  for (const file of files) {
    const bytes = new Uint8Array(await file.arrayBuffer());
    const isDrawings = bytes[0] !== REPLAY_START && (files.length > 1 || player.recording.value !== null || bytes[0] === BRACE);
    if (isDrawings) drawings = { name: file.name, text: new TextDecoder().decode(bytes) };
    else opened = { name: file.name, bytes };
  }
  opened ??= player.recording.value;
  if (opened !== null && files.length > 0) return openReplay(drawings === undefined ? opened : { ...opened, drawings });
  if (drawings === undefined) return;
  complain(words.value.noReplay);
}
const BRACE = 0x7b;

/** From a place of the studio's own server, such as a run's folder. */
export async function openReplayAt(address: string): Promise<void> {
  const url = new URL(address, location.href);
  try {
    if (url.origin !== location.origin) throw new InputError('replay', `a place at ${location.origin}`, address);
    const answer = await fetch(url);
    if (!answer.ok) throw new InputError(address, 'a replay', `${answer.status} ${answer.statusText}`);
    openReplay({ name: url.pathname.split('/').at(-1)!, bytes: new Uint8Array(await answer.arrayBuffer()) }, location.hash);
  } catch (error) {
    complain(error instanceof Error ? error.message : String(error));
  }
}

/** Once more: whoever played by hand begins at the same start, on the same seat; whoever watched sees another game. */
export function playAgain(): void {
  const setup = player.setup.value;
  if (player.recording.value !== null) return openReplay(player.recording.value);
  if (setup === null) return;
  const seat = player.taken.value;
  startGame(player.byHand.value ? setup : { ...setup, seed: freshSeed() });
  if (seat !== null) void player.until(() => player.shown.value !== null || player.trouble.value !== null).then(() => takeSeat(seat));
}

export function freshSeed(): string {
  return String(crypto.getRandomValues(new BigUint64Array(1))[0]);
}

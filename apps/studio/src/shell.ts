import { computed, effect, signal } from '@preact/signals';
import { writeLink } from './link.ts';
import { remember, remembered } from './memory.ts';
import { Player } from './player.ts';
import type { Setup } from './protocol.ts';
import { CAMERAS, type CameraName } from './stage/cameras.ts';
import type { Stage } from './stage/stage.ts';
import { looks, type ThemeName } from './theme.ts';
import { language } from './words.ts';

/** What the page's parts share: one player, one stage, and the choices of the person who watches. */
export const player = new Player(() => new Worker(new URL('./worker.ts', import.meta.url), { type: 'module', name: 'lockstep' }));
export const stage = signal<Stage | null>(null);
export const stageMissing = signal(false);
export const camera = signal<CameraName>('orbit');
export const helpOpen = signal(false);
export const sheetOpen = signal(false);
export type PanelName = 'match' | 'state' | 'chart';
export const panel = signal<PanelName>('match');

const systemTheme: ThemeName = matchMedia('(prefers-color-scheme: light)').matches ? 'light' : 'dark';
export const theme = signal<ThemeName>(remembered('theme', ['dark', 'light']) ?? systemTheme);
export const look = computed(() => looks[theme.value]);
export const calm = signal(matchMedia('(prefers-reduced-motion: reduce)').matches);

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
  chooseCamera(CAMERAS[(CAMERAS.indexOf(camera.value) + 1) % CAMERAS.length]!);
}

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
  document.title = setup === null ? 'Lockstep' : `${setup.bots.join(' – ')} · ${setup.world} · Lockstep`;
});

effect(() => {
  const bytes = player.replay.value;
  const setup = player.setup.peek();
  if (bytes === null || setup === null) return;
  const address = URL.createObjectURL(new Blob([bytes], { type: 'application/octet-stream' }));
  const anchor = document.createElement('a');
  anchor.href = address;
  anchor.download = `${setup.world}-${setup.bots.join('-')}-${setup.seed}.replay`;
  anchor.click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
});

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
  player.take(next < seats ? next : null);
  const shown = stage.value;
  if (player.taken.value === null || shown === null) return;
  if (camera.value !== 'follow') chooseCamera('follow');
  shown.rig.subject = shown.firstOf(player.taken.value);
}

/** A new game: the link follows. */
export function startGame(setup: Setup): void {
  history.replaceState(null, '', writeLink(setup));
  sheetOpen.value = false;
  player.playing.value = true;
  player.start(setup);
}

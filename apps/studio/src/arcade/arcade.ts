import { InputError, type Json } from '@lockstep/kernel';
import { pinball, TABLES } from '@lockstep/pinball';
import { signal } from '@preact/signals';
import { remember } from '../memory.ts';
import { sheetOpen } from '../shell.ts';
import { complaint } from '../tas/complaint.ts';
import { filled, language } from '../words.ts';
import { Desk } from './desk.ts';
import type { Draft } from './parts.ts';
import type { Reading, Shot } from './protocol.ts';
import { ScoreStore } from './scores.ts';
import { arcadeWords } from './words.ts';
import { Workshop } from './workshop.ts';

const { world } = pinball;
/** So many games of a table are listed. */
const LISTED = 10;

/** A game of the list, after it was played again: its score, or why it has none. */
export interface Listed {
  readonly id: number;
  readonly when: number;
  readonly reading: Reading | null;
  readonly wrong: string;
}

export interface Fan {
  /** Of the table that was shot at. */
  readonly config: Json;
  readonly flipper: number;
  readonly shots: readonly Shot[];
}

/** The page of a machine: play, best games, viewer and workshop. */
export class Arcade {
  readonly desk: Desk;
  readonly workshop: Workshop;
  readonly mode = signal<'play' | 'edit'>('play');
  /** The name of one of our tables, or `own`. */
  readonly table = signal('classic');
  readonly colliders = signal(false);
  readonly fan = signal<Fan | null>(null);
  readonly fanFor = signal(0);
  readonly fanBusy = signal(false);
  /** Only the shots that hit this first. */
  readonly fanPicked = signal<string | null>(null);
  readonly listed = signal<readonly Listed[]>([]);
  readonly listing = signal(false);
  readonly newest = signal<number | null>(null);
  readonly notice = signal<{ readonly text: string; readonly wrong: boolean } | null>(null);
  readonly dropping = signal(false);
  readonly player = signal(nameKept());
  private readonly store = new ScoreStore();
  private list = 0;

  constructor(table: string) {
    const own = table === 'own';
    if (!own && !Object.hasOwn(TABLES, table)) throw new InputError('table', `one of ${[...Object.keys(TABLES), 'own'].join(', ')}`, table);
    this.table.value = table;
    this.desk = new Desk(normal(own ? 'classic' : table));
    this.workshop = new Workshop(this.desk);
    this.desk.ended = () => void this.keep();
    // What was said to somebody who has gone is not said to the next one.
    this.desk.attract.subscribe((shows) => {
      if (shows) this.notice.value = null;
    });
    if (own) this.edit();
    else void this.refresh();
  }

  /** Another of our tables. */
  choose(table: string): void {
    this.mode.value = 'play';
    this.notice.value = null;
    this.fan.value = null;
    this.table.value = table;
    this.desk.useTable(normal(table));
    history.replaceState(null, '', `#table=${table}`);
    void this.refresh();
  }

  start(): void {
    sheetOpen.value = false;
    this.notice.value = null;
    this.newest.value = null;
    this.desk.start();
  }

  say(text: string, wrong = false): void {
    this.notice.value = { text, wrong };
  }

  refuse(error: InputError): void {
    this.say(complaint(error, language.peek()), true);
    history.replaceState(null, '', `#table=${this.table.peek()}`);
  }

  rename(name: string): void {
    this.player.value = name.slice(0, 20);
    remember('arcade.name', this.player.value);
  }

  // ------------------------------------------------------------ best games

  /** A game that is over is written, read and played again; only then it is on the list. */
  private async keep(): Promise<void> {
    const w = arcadeWords.peek();
    const bytes = await this.desk.replay(this.player.peek());
    const { reading, wrong } = await this.desk.read(bytes, 'game');
    if (reading === null) return this.say(wrong, true);
    if (reading.score === 0) return;
    await this.store.add(bytes);
    await this.refresh(true);
    const place = this.listed.peek().findIndex(({ id }) => id === this.newest.peek());
    if (place >= 0) this.say(filled(w.accepted, { score: reading.score, place: place + 1 }));
  }

  /** Plays all kept games of this table again and sorts what holds. */
  async refresh(markNewest = false): Promise<void> {
    const list = ++this.list;
    this.listing.value = true;
    const kept = await this.store.all();
    const key = JSON.stringify(this.desk.config);
    const found: Listed[] = [];
    for (const { id, bytes, when } of kept) {
      const { reading, wrong } = await this.desk.read(bytes, `game ${id}`);
      if (list !== this.list) return;
      if (reading === null || JSON.stringify(reading.config) === key) found.push({ id, when, reading, wrong });
    }
    if (markNewest) this.newest.value = Math.max(...kept.map(({ id }) => id));
    const good = found.filter(({ reading }) => reading !== null).sort((a, b) => b.reading!.score - a.reading!.score);
    this.listed.value = [...good.slice(0, LISTED), ...found.filter(({ reading }) => reading === null)];
    this.listing.value = false;
  }

  async forget(id: number): Promise<void> {
    await this.store.remove(id);
    await this.refresh();
  }

  watch(reading: Reading): void {
    sheetOpen.value = false;
    this.mode.value = 'play';
    this.notice.value = null;
    this.desk.watch(reading);
  }

  async save(): Promise<void> {
    const bytes = await this.desk.replay(this.player.peek());
    download(bytes, `${world.name}-${this.table.peek()}-${this.desk.game.peek().state.score}.replay`);
  }

  /** Files: a replay that holds is on the list; a table goes to the workshop. */
  async open(files: readonly File[]): Promise<void> {
    for (const file of files) {
      const bytes = new Uint8Array(await file.arrayBuffer());
      const text = new TextDecoder().decode(bytes);
      if (/^\s*\{/.test(text)) this.openTable(text, file.name);
      else await this.openReplay(bytes, file.name);
    }
  }

  private openTable(text: string, name: string): void {
    try {
      const draft = JSON.parse(text) as Draft;
      this.edit();
      this.workshop.change(draft);
    } catch (error) {
      this.say(`${name}: ${error instanceof Error ? error.message : String(error)}`, true);
    }
  }

  private async openReplay(bytes: Uint8Array<ArrayBuffer>, name: string): Promise<void> {
    const w = arcadeWords.peek();
    const { reading, wrong } = await this.desk.read(bytes, name);
    if (reading === null) return this.say(filled(w.refused, { why: wrong }), true);
    if (reading.over) {
      const known = await this.store.all();
      if (!known.some((one) => sameBytes(one.bytes, bytes))) await this.store.add(bytes);
    }
    this.watch(reading);
    await this.refresh();
    this.say(filled(reading.over ? w.imported : w.unfinished, { score: reading.score }));
  }

  // ------------------------------------------------------------ viewer

  async shootFan(): Promise<void> {
    if (this.fanBusy.peek()) return;
    this.fanBusy.value = true;
    this.fanPicked.value = null;
    const flipper = Math.min(this.fanFor.peek(), this.desk.machine.layout.flippers.length - 1);
    const { config } = this.desk;
    const shots = flipper < 0 ? [] : await this.desk.fan(flipper);
    this.fanBusy.value = false;
    this.fan.value = { config, flipper, shots };
    sheetOpen.value = false;
  }

  saveFan(): void {
    const fan = this.fan.peek();
    if (fan === null) return;
    const data = { table: fan.config, flipper: fan.flipper, shots: fan.shots.map((shot) => ({ ...shot, path: [...shot.path] })) };
    download(JSON.stringify(data), 'shot-fan.json');
  }

  // ------------------------------------------------------------ workshop

  edit(): void {
    if (this.mode.peek() === 'edit') return;
    this.fan.value = null;
    this.notice.value = null;
    this.mode.value = 'edit';
    this.workshop.open(this.table.peek() === 'own' ? 'classic' : this.table.peek());
    this.table.value = 'own';
    history.replaceState(null, '', '#table=own');
  }

  /** A real game on the table that was made. */
  playOwn(): void {
    if (this.workshop.wrong.peek() !== null) return;
    this.mode.value = 'play';
    this.desk.useTable(normal({ table: this.workshop.draft.peek() }));
    void this.refresh();
    this.start();
  }

  exportTable(): void {
    const name = this.workshop.draft.peek()['name'];
    download(this.workshop.text(), `${typeof name === 'string' ? name.replaceAll(/[^\w-]+/g, '-') : 'table'}.json`);
  }

  close(): void {
    this.desk.close();
  }
}

const normal = (config: Json): Json => world.writeConfig(world.readConfig(config));

function nameKept(): string {
  try {
    return localStorage.getItem('lockstep.arcade.name') ?? '';
  } catch {
    return '';
  }
}

const sameBytes = (a: Uint8Array, b: Uint8Array): boolean => a.length === b.length && a.every((byte, i) => byte === b[i]);

function download(what: Uint8Array<ArrayBuffer> | string, name: string): void {
  const address = URL.createObjectURL(new Blob([what], { type: 'application/octet-stream' }));
  const anchor = document.createElement('a');
  anchor.href = address;
  anchor.download = name;
  anchor.click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

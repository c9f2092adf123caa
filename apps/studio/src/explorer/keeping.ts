import { InputError } from '@lockstep/kernel';
import { signal } from '@preact/signals';
import { freshSeed, openReplay } from '../shell.ts';
import { complaint } from '../tas/complaint.ts';
import { filled, language } from '../words.ts';
import type { Explorer } from './explorer.ts';
import { Scribe } from './scribe.ts';
import { explorerWords } from './words.ts';

/** What becomes of a dungeon: it is kept, goes to files and comes from them, and what is to be said about that is said here. */
export class Keeping {
  readonly saved = signal<{ readonly tick: number; readonly chunks: number } | null>(null);
  readonly notice = signal<{ readonly text: string; readonly wrong: boolean } | null>(null);
  readonly dropping = signal(false);
  private readonly explorer: Explorer;
  private readonly scribe = new Scribe();

  constructor(explorer: Explorer) {
    this.explorer = explorer;
    this.saved.value = { tick: this.chronicle.head, chunks: 0 };
    if (!explorer.keeper.lasts) this.say(explorerWords.value.notKept, true);
    this.tellDamage();
  }

  private get chronicle() {
    return this.explorer.keeper.chronicle;
  }

  /** The chunk of the first room. */
  get home(): readonly number[] {
    const { originX, originY, originZ } = this.chronicle.session.state.config;
    return [originX, originY, originZ];
  }

  saveNow(): Promise<void> {
    return this.explorer.enqueue(() => this.commit());
  }

  async commit(): Promise<void> {
    const chunks = await this.chronicle.commit();
    this.saved.value = { tick: this.chronicle.head, chunks };
  }

  /** The hero of the present jumps. */
  jump(x: number, y: number, z: number): Promise<void> {
    return this.explorer.enqueue(async () => {
      await this.chronicle.jump(0, x, y, z);
      this.explorer.seek(this.chronicle.head);
    });
  }

  begin(seed: string): Promise<void> {
    return this.explorer.enqueue(async () => {
      await this.explorer.keeper.replace(seed);
      this.changed();
    });
  }

  export(): Promise<void> {
    return this.explorer.enqueue(async () => {
      const bytes = await this.explorer.keeper.file();
      this.saved.value = { tick: this.chronicle.head, chunks: this.saved.value?.chunks ?? 0 };
      download(bytes, `dungeon-${this.explorer.keeper.beginning.name}.world`);
    });
  }

  /** The game from its first tick to the one that is seen, as a file that anybody can verify. */
  async saveReplay(): Promise<void> {
    const bytes = await this.replay();
    if (bytes !== null) download(bytes, this.replayName());
  }

  /** The same, watched as a match: with the timeline, the panels and the verdict of every world. */
  async watchReplay(): Promise<void> {
    const bytes = await this.replay();
    if (bytes !== null) openReplay({ name: this.replayName(), bytes });
  }

  private async replay(): Promise<Uint8Array<ArrayBuffer> | null> {
    const script = this.chronicle.script();
    if (script === null) {
      this.say(explorerWords.value.noReplay, true);
      return null;
    }
    this.explorer.playing.value = false;
    this.say(explorerWords.value.writing);
    const { config, seedLow, seedHigh } = this.chronicle.session.state;
    const seed = (BigInt(seedHigh >>> 0) << 32n) | BigInt(seedLow >>> 0);
    try {
      const bytes = await this.scribe.write(config, String(seed), script.slice(0, this.explorer.tick.value));
      this.notice.value = null;
      return bytes;
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      this.refuse(error);
      return null;
    }
  }

  private replayName(): string {
    return `dungeon-${this.explorer.keeper.beginning.name}.replay`;
  }

  /** The first of the files takes this dungeon's place. */
  open([file]: readonly File[]): Promise<void> {
    if (file === undefined) return Promise.resolve();
    return this.explorer.enqueue(async () => {
      await this.explorer.keeper.replace(freshSeed(), { bytes: new Uint8Array(await file.arrayBuffer()), name: file.name });
      this.changed();
      this.say(filled(explorerWords.value.imported, { name: file.name }));
    });
  }

  private changed(): void {
    this.saved.value = { tick: this.chronicle.head, chunks: 0 };
    this.explorer.begin();
  }

  tellDamage(): void {
    const { damaged } = this.chronicle.session.save;
    if (damaged.length > 0) this.say(filled(explorerWords.value.damaged, { n: damaged.length }), true);
  }

  say(text: string, wrong = false): void {
    this.notice.value = { text, wrong };
  }

  refuse(what: InputError): void {
    this.say(complaint(what, language.value), true);
  }

  close(): void {
    this.scribe.close();
  }
}

function download(bytes: Uint8Array<ArrayBuffer>, name: string): void {
  const address = URL.createObjectURL(new Blob([bytes], { type: 'application/octet-stream' }));
  const anchor = document.createElement('a');
  anchor.href = address;
  anchor.download = name;
  anchor.click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

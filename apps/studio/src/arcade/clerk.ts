import type { Json } from '@lockstep/kernel';
import type { Game } from './game.ts';
import type { Command, Reading, Report, Sheet, Shot } from './protocol.ts';

type Open = Exclude<Report, { type: 'checked' | 'played' }>;

/** The page's side of a worker that plays games a second time, writes and reads them, and lets bots play. */
export class Clerk {
  private readonly worker = new Worker(new URL('./desk-worker.ts', import.meta.url), { type: 'module', name: 'lockstep-arcade' });
  private readonly asked = new Map<number, (report: Open) => void>();
  private id = 0;

  constructor(hear: (report: Extract<Report, { type: 'checked' | 'played' }>) => void) {
    this.worker.addEventListener('message', ({ data }: MessageEvent<Report>) => {
      if (data.type === 'checked' || data.type === 'played') return hear(data);
      this.asked.get(data.id)?.(data);
      this.asked.delete(data.id);
    });
  }

  send(command: Command): void {
    this.worker.postMessage(command, { transfer: [] });
  }

  private async ask<T extends Open['type']>(make: (id: number) => Command, _type: T): Promise<Extract<Open, { type: T }>> {
    const id = ++this.id;
    return new Promise((resolve) => {
      this.asked.set(id, (report) => resolve(report as Extract<Open, { type: T }>));
      this.send(make(id));
    });
  }

  async write(sheet: Sheet, player: string): Promise<Uint8Array<ArrayBuffer>> {
    return (await this.ask((id) => ({ type: 'write', id, sheet, player }), 'written')).bytes;
  }

  /** What the file holds, or one line on why it counts for nothing. */
  async read(bytes: Uint8Array<ArrayBuffer>, name: string): Promise<{ readonly reading: Reading | null; readonly wrong: string }> {
    return this.ask((id) => ({ type: 'read', id, bytes, name }), 'read');
  }

  async fan(config: Json, flipper: number): Promise<readonly Shot[]> {
    return (await this.ask((id) => ({ type: 'fan', id, config, flipper }), 'fan')).shots;
  }

  close(): void {
    this.worker.terminate();
  }
}

/** A game for the post, up to its head. */
export function sheetOf(game: Game, config: Json, ticks = game.head): Sheet {
  return { config, seed: game.seed, rows: game.script.until(ticks).from(0), ticks };
}

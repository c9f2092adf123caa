import { InputError, type Json } from '@lockstep/kernel';
import { type Deed, sparse } from '@lockstep/sparse';

/** A game for the post: where it began, and four numbers a tick and seat. */
export interface Sheet {
  readonly config: Json;
  readonly seed: string;
  readonly rows: Float64Array;
}

/** The page's side of the worker that writes replays: it plays the whole game once more, which may take a while. */
export class Scribe {
  private worker: Worker | null = null;

  write(
    config: Parameters<typeof sparse.world.writeConfig>[0],
    seed: string,
    script: readonly (readonly Deed[])[],
  ): Promise<Uint8Array<ArrayBuffer>> {
    this.close();
    const worker = new Worker(new URL('./scribe-worker.ts', import.meta.url), { type: 'module', name: 'lockstep-scribe' });
    this.worker = worker;
    const rows = Float64Array.from(script.flat().flatMap(({ x, y, sword, gone }) => [x, y, Number(sword), Number(gone)]));
    return new Promise((resolve, reject) => {
      worker.addEventListener('message', ({ data }: MessageEvent<Uint8Array<ArrayBuffer>>) => {
        resolve(data);
        worker.terminate();
      });
      worker.addEventListener('error', ({ message }) => reject(new InputError('replay', 'to be written', message)));
      worker.postMessage({ config: sparse.world.writeConfig(config), seed, rows } satisfies Sheet, { transfer: [] });
    });
  }

  close(): void {
    this.worker?.terminate();
    this.worker = null;
  }
}

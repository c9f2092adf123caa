import { type Config, writeMap } from '@lockstep/asteracer';
import type { CheckCommand, CheckReport } from './check-protocol.ts';
import type { Script } from './script.ts';
import type { Course } from './tick-cache.ts';

/** A second simulation in a thread of its own, from the map's text and the instructions alone. What it comes to is compared tick by tick. */
export class Checker {
  private readonly worker = new Worker(new URL('./check-worker.ts', import.meta.url), { type: 'module', name: 'lockstep-check' });
  private sent: Config | null = null;
  private run = 0;
  private asked = 0;
  private readonly files = new Map<number, (bytes: Uint8Array<ArrayBuffer>) => void>();

  constructor(tell: (verified: number, diverged: number | null) => void) {
    this.worker.addEventListener('message', ({ data }: MessageEvent<CheckReport>) => {
      if (data.type === 'replay') {
        this.files.get(data.run)?.(data.bytes);
        this.files.delete(data.run);
      } else if (data.run === this.run) tell(data.verified, data.diverged);
    });
  }

  check(config: Config, script: Script, { length, x, y, vx, vy }: Course): void {
    this.know(config);
    const end = length + 1;
    const claim = { x: x.slice(0, end), y: y.slice(0, end), vx: vx.slice(0, end), vy: vy.slice(0, end) };
    this.send({ type: 'check', run: ++this.run, script, ...claim });
  }

  /** The run as a replay file. */
  replay(config: Config, script: Script): Promise<Uint8Array<ArrayBuffer>> {
    this.know(config);
    const run = ++this.asked;
    return new Promise((resolve) => {
      this.files.set(run, resolve);
      this.send({ type: 'replay', run, script });
    });
  }

  /** Nothing that is on its way counts any more. */
  forget(): void {
    this.run++;
  }

  close(): void {
    this.worker.terminate();
  }

  private know(config: Config): void {
    if (config === this.sent) return;
    this.sent = config;
    this.send({ type: 'track', map: writeMap(config.map), rules: config.rules });
  }

  private send(command: CheckCommand): void {
    this.worker.postMessage(command, { transfer: [] });
  }
}

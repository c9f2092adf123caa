import { nextInt, type Rng } from '@lockstep/kernel';
import { crc32 } from '@lockstep/sparse';
import type { Disk, DiskFile } from './disk.ts';

/** A file whose bytes are partly only in the machine's memory. */
class Content {
  /** What a reader sees. */
  bytes = new Uint8Array(0);
  /** What is on the disk for sure. */
  durable = new Uint8Array(0);

  write(at: number, bytes: Uint8Array): void {
    if (at + bytes.length > this.bytes.length) this.resize(at + bytes.length);
    this.bytes.set(bytes, at);
  }

  resize(length: number): void {
    const wider = new Uint8Array(length);
    wider.set(this.bytes.subarray(0, length));
    this.bytes = wider;
  }
}

/**
 * A disk that loses power. Files and names are safe only after a sync; of what was not synced, a crash keeps any pages, any length in between, and any of
 * the names. After `stepsLeft` more calls the power goes in the middle of the next one.
 */
export class SimulatedDisk implements Disk {
  readonly path = 'disk';
  readonly crc32 = crc32;
  stepsLeft = Infinity;
  /** From so many bytes in all on, writes fail for lack of room. */
  room = Infinity;
  /** Flushes of files so far; from now on they fail. */
  flushes = 0;
  isFlushBroken = false;
  /** Reads that touch this byte fail. */
  badAt = -1;
  /** Resolves when the power goes. */
  readonly crashed: Promise<void>;
  isCrashed = false;
  private crash: () => void = () => {};
  private names = new Map<string, Content>();
  private durableNames = new Map<string, Content>();
  private readonly rng: Rng;

  constructor(rng: Rng) {
    this.rng = rng;
    this.crashed = new Promise((resolve) => (this.crash = resolve));
  }

  /** A file that is there, all of it on the disk. */
  put(name: string, bytes: Uint8Array): void {
    const content = new Content();
    content.bytes = bytes.slice();
    content.durable = content.bytes.slice();
    this.names.set(name, content);
    this.durableNames.set(name, content);
  }

  list(): Promise<string[]> {
    return this.step(() => [...this.names.keys()]);
  }

  open(name: string, create: boolean): Promise<DiskFile> {
    return this.step(() => {
      if (create) this.names.set(name, new Content());
      return this.fileOf(this.names.get(name)!);
    });
  }

  rename(from: string, to: string): Promise<void> {
    return this.step(() => {
      this.names.set(to, this.names.get(from)!);
      this.names.delete(from);
    });
  }

  remove(name: string): Promise<void> {
    return this.step(() => void this.names.delete(name));
  }

  sync(): Promise<void> {
    return this.step(() => void (this.durableNames = new Map(this.names)));
  }

  lock(): Promise<() => Promise<void>> {
    return Promise.resolve(() => Promise.resolve());
  }

  /** The disk as it is found when the power is back. */
  afterCrash(): SimulatedDisk {
    const next = new SimulatedDisk(this.rng);
    const kept = nextInt(this.rng, 2) === 0 ? this.durableNames : this.names; // folders are journals: all of it or nothing
    for (const [name, content] of kept) next.put(name, this.torn(content));
    return next;
  }

  /** Pages of 64 bytes that were not synced are there or not, each by itself, many of them or few; so is the length. */
  private torn({ bytes, durable }: Content): Uint8Array {
    const [short, long] = [Math.min(bytes.length, durable.length), Math.max(bytes.length, durable.length)];
    // most file systems write the length first: that all of it is there and the bytes are not is what happens
    const length = nextInt(this.rng, 2) === 0 ? long : short + nextInt(this.rng, long - short + 1);
    const found = new Uint8Array(length);
    const written = nextInt(this.rng, 21); // of twenty pages: now and then all but one, or one alone
    for (let at = 0; at < length; at += 64) {
      const source = nextInt(this.rng, 20) < written ? bytes : durable;
      found.set(source.subarray(at, Math.min(at + 64, length)), at);
    }
    return found;
  }

  private fileOf(content: Content): DiskFile {
    return {
      size: () => this.step(() => content.bytes.length),
      read: (at, length) =>
        this.step(() => {
          if (this.badAt >= at && this.badAt < at + length) throw Object.assign(new Error('i/o error'), { code: 'EIO' });
          return content.bytes.slice(at, at + length);
        }),
      write: (at, bytes) =>
        this.step(
          () => {
            const fits = Math.min(bytes.length, Math.max(0, this.room - this.used()));
            content.write(at, bytes.subarray(0, fits));
            if (fits < bytes.length) throw Object.assign(new Error('no space left'), { code: 'ENOSPC' });
          },
          () => content.write(at, bytes.subarray(0, nextInt(this.rng, bytes.length + 1))),
        ),
      truncate: (length) => this.step(() => content.resize(length)),
      sync: () =>
        this.step(() => {
          this.flushes++;
          if (this.isFlushBroken) throw Object.assign(new Error('i/o error'), { code: 'EIO' });
          content.durable = content.bytes.slice();
        }),
      close: () => Promise.resolve(),
    };
  }

  private used(): number {
    return [...new Set(this.names.values())].reduce((sum, { bytes }) => sum + bytes.length, 0);
  }

  private step<T>(work: () => T, half: () => void = () => {}): Promise<T> {
    if (this.stepsLeft-- > 0) {
      try {
        return Promise.resolve(work());
      } catch (error) {
        return Promise.reject(error as Error);
      }
    }
    if (this.stepsLeft === -1) half();
    this.isCrashed = true;
    this.crash();
    return new Promise(() => {}); // nobody hears from this machine again
  }
}

import { nextInt, type Rng, seedRng } from '@lockstep/kernel';
import { DEFAULT_RULES, MOVABLE, positionAt, Save, Store } from '@lockstep/sparse';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LogStore } from './log-store.ts';
import { SimulatedDisk } from './simulated-disk.test-support.ts';

const SPAN = 2;
const BASES = [0, 2_000_000_000, -2_147_483_646];

/** Everything that may happen to a world and its disk. */
type Act =
  | { readonly kind: 'insert' | 'move' | 'remove'; readonly count: number }
  | { readonly kind: 'commit' | 'commitTwice' | 'compact' | 'reopen' | 'forget' }
  | { readonly kind: 'fill'; readonly room: number }
  /** The power goes after so many more calls of the disk. */
  | { readonly kind: 'crash'; readonly after: number };

const acts: fc.Arbitrary<Act> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constantFrom('insert', 'move', 'remove'), count: fc.nat(6) }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constantFrom('commit', 'commitTwice', 'compact', 'reopen', 'forget') }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('fill' as const), room: fc.nat(3000) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('crash' as const), after: fc.nat(40) }) },
);

/** Who lives where: ids with their chunks. */
function census(store: Store): string {
  const lines: string[] = [];
  for (let row = 0; row < store.rowEnd; row++)
    if (store.id[row] !== 0)
      lines.push(`${store.id[row]}@${store.chunkXOf(row)},${store.chunkYOf(row)},${store.chunkZOf(row)}:${store.x[row]}`);
  return lines.sort().join('\n');
}

class World {
  private readonly rng: Rng;
  private disk: SimulatedDisk;
  private log!: LogStore;
  private save!: Save;
  private frame = 0;
  /** What every frame that was begun holds; the last one that was acknowledged. */
  private readonly frames = new Map<number, string>([[0, '']]);
  private acknowledged = 0;

  constructor(seed: bigint) {
    this.rng = seedRng(seed);
    this.disk = new SimulatedDisk(this.rng);
  }

  /** True unless the power went meanwhile. */
  private async survives(work: Promise<unknown>): Promise<boolean> {
    await Promise.race([work, this.disk.crashed]);
    return !this.disk.isCrashed;
  }

  /** Opens what is on the disk and counts everybody. The power may go again while the log is being repaired. */
  private async open(): Promise<void> {
    while (!(await this.survives(this.load()))) this.disk = this.disk.afterCrash();
  }

  private async load(): Promise<void> {
    this.log = await LogStore.open(this.disk, { compactAt: 1.5, compactAbove: 2000 });
    expect(this.log.repairs.lost).toEqual([]);
    this.save = new Save(new Store(DEFAULT_RULES), this.log);
    this.frame = (await this.save.open())?.frame ?? 0;
    await this.loadAll();
    expect(this.save.damaged).toEqual([]);
    expect(this.frame).toBeGreaterThanOrEqual(this.acknowledged);
    expect([this.frame, census(this.save.store)]).toEqual([this.frame, this.frames.get(this.frame)]);
    this.acknowledged = this.frame;
  }

  private async loadAll(): Promise<void> {
    for (const base of BASES)
      await this.save.require({ minX: base, minY: base, minZ: base, maxX: base + SPAN, maxY: base + SPAN, maxZ: base + SPAN });
  }

  private async commit(): Promise<void> {
    const frame = ++this.frame;
    this.frames.set(frame, census(this.save.store));
    await this.save.commit(frame).then(
      () => (this.acknowledged = Math.max(this.acknowledged, frame)),
      (error: Error) => expect(error.message).toMatch(/expected room on the disk/),
    );
  }

  private place(): ReturnType<typeof positionAt> {
    const base = BASES[nextInt(this.rng, BASES.length)]!;
    const [x, y, z] = [0, 1, 2].map(() => base + nextInt(this.rng, SPAN + 1));
    return positionAt(DEFAULT_RULES, x!, y!, z!, nextInt(this.rng, 8));
  }

  private someId(): number | null {
    const { store } = this.save;
    const ids = [...store.id].filter((id) => id !== 0);
    return ids.length === 0 ? null : ids[nextInt(this.rng, ids.length)]!;
  }

  private async perform(act: Act): Promise<void> {
    const { store } = this.save;
    switch (act.kind) {
      case 'insert':
        for (let i = 0; i < act.count; i++) store.insert({ flags: MOVABLE, position: this.place() });
        break;
      case 'move':
      case 'remove':
        for (let i = 0; i < act.count; i++) {
          const id = this.someId();
          if (id === null) break;
          const { chunkX, chunkY, chunkZ, x, y, z } = this.place();
          if (act.kind === 'remove') store.remove(id);
          else store.moveTo(store.rowOf(id), chunkX, chunkY, chunkZ, x, y, z);
        }
        break;
      case 'commit':
        await this.commit();
        break;
      case 'commitTwice':
        await Promise.all([this.commit(), this.commit()]);
        break;
      case 'compact':
        await this.log.compact().catch((error: Error) => expect(error.message).toMatch(/expected room on the disk/));
        break;
      case 'forget':
        await this.commit();
        if (this.acknowledged !== this.frame) break; // without room on the disk nothing may be forgotten
        this.save.keep([]);
        await this.loadAll();
        break;
      case 'reopen':
        this.disk.room = Infinity;
        await this.commit();
        await this.log.close();
        break;
      case 'fill':
        this.disk.room = act.room;
        break;
      case 'crash':
        this.disk.stepsLeft = act.after;
        break;
    }
  }

  async live(story: readonly Act[]): Promise<void> {
    await this.open();
    for (const act of [...story, { kind: 'reopen' } as const]) {
      const isAlive = await this.survives(this.perform(act));
      if (isAlive && act.kind !== 'reopen') continue;
      if (!isAlive) {
        this.disk = this.disk.afterCrash();
        this.disk.stepsLeft = nextInt(this.rng, 3) === 0 ? nextInt(this.rng, 12) : Infinity;
      }
      await this.open();
    }
  }
}

describe('entities are conserved', () => {
  it(
    '[SW-R10] over any sequence of operations, full disks and crashes, each entity stands once, where a frame left it',
    async () => {
      const numRuns = process.env['LOCKSTEP_LONG'] === '1' ? 20_000 : 400;
      await fc.assert(
        fc.asyncProperty(fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }), fc.array(acts, { maxLength: 40 }), (seed, story) =>
          new World(seed).live(story),
        ),
        { numRuns, timeout: 30_000 },
      );
    },
    20 * 60_000,
  );

  it('[SW-R10] power that goes at any single step of a compaction, with frames coming meanwhile', async () => {
    let steps = 0;
    for (let isDone = false; !isDone; steps++) {
      const rng = seedRng(BigInt(steps));
      const disk = new SimulatedDisk(rng);
      const log = await LogStore.open(disk, { compactAt: Infinity });
      for (let frame = 1; frame <= 12; frame++) await log.commit(batchOf(frame));
      disk.stepsLeft = steps;
      let acknowledged = 12;
      const work = Promise.all([
        log.compact(),
        ...[13, 14, 15, 16].map((frame) => log.commit(batchOf(frame)).then(() => (acknowledged = Math.max(acknowledged, frame)))),
      ]);
      await Promise.race([work, disk.crashed]);
      isDone = !disk.isCrashed;
      const again = await LogStore.open(disk.afterCrash());
      const last = (await again.readHead())!.frame;
      const records = await again.readRange({ minX: 0, minY: 0, minZ: 0, maxX: 9, maxY: 0, maxZ: 0 });
      const expected = new Map<number, number>();
      for (let frame = 1; frame <= last; frame++) for (const { x } of batchOf(frame).chunks) expected.set(x, frame);
      expect([steps, last >= acknowledged, again.repairs.lost]).toEqual([steps, true, []]);
      expect([steps, new Map(records.map(({ x, blob, damage }) => [x, damage ?? blob![0]]))]).toEqual([steps, expected]);
    }
    expect(steps).toBeGreaterThan(20);
  });
});

const batchOf = (frame: number) => ({
  frame,
  head: Uint8Array.of(frame),
  chunks: [frame % 5, 5 + (frame % 3)].map((x) => ({ x, y: 0, z: 0, blob: new Uint8Array(200).fill(frame) })),
});

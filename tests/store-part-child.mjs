// A process that tests kill: it leases one half of a world in PostgreSQL, moves entities about, also over the border, and tells which frames are safe.
//   node tests/store-part-child.mjs SOCKET-FOLDER WORLD west|east SEED
import { writeSync } from 'node:fs';
import { InputError, nextInt, seedRng } from '@lockstep/kernel';
import { DEFAULT_RULES, MOVABLE, positionAt, Store } from '@lockstep/sparse';
import { EVERYWHERE } from '@lockstep/store';
import { PostgresWorld, SharedSave } from '@lockstep/store/postgres';

const [, , host, name, part, seed] = process.argv;
const ENTITIES = 50;
const rng = seedRng(BigInt(seed));
const world = await PostgresWorld.open(name, { host, user: 'postgres', database: 'postgres' });
const range = part === 'west' ? { ...EVERYWHERE, maxX: -1 } : { ...EVERYWHERE, minX: 0 };
const leased = await untilFree();
const save = new SharedSave(new Store(DEFAULT_RULES), leased);
const { store } = save;
const opened = await save.open();
let frame = opened?.frame ?? 0;
await save.require({ minX: -3, minY: 0, minZ: 0, maxX: 3, maxY: 1, maxZ: 0 });
if (opened === null) {
  await save.reserveIds(ENTITIES);
  const home = part === 'west' ? -1 : 0;
  for (let i = 0; i < ENTITIES; i++) save.insert({ flags: MOVABLE, position: positionAt(DEFAULT_RULES, home, 0, 0) });
}

try {
  for (;;) {
    await save.take();
    frame++;
    for (let i = 0; i < 5; i++) {
      const row = nextInt(rng, Math.max(store.rowEnd, 1));
      // anywhere, also beyond the border
      if ((store.id[row] ?? 0) !== 0) store.moveTo(row, nextInt(rng, 6) - 3, nextInt(rng, 2), 0, (frame % 1000) / 128, 0, 0);
    }
    await save.commit(frame);
    writeSync(1, `${frame}\n`);
  }
} catch (error) {
  // a machine that is busy elsewhere may sleep through its own lease
  if (error instanceof InputError && error.message.includes('run out or was taken over')) process.exit(3);
  throw error;
}

async function untilFree() {
  for (;;) {
    try {
      return await world.lease({ name: part, range, seconds: 0.5 });
    } catch (error) {
      if (!(error instanceof InputError && error.message.includes('a free part'))) throw error;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
}

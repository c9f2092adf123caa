// A process that tests kill. It moves entities between the chunks of a world, commits as fast as it can, and tells on stdout which frames are safe.
//   node tests/store-child.mjs log FOLDER SEED
import { writeSync } from 'node:fs';
import { nextInt, seedRng } from '@lockstep/kernel';
import { DEFAULT_RULES, MOVABLE, positionAt, Save, Store } from '@lockstep/sparse';
import { openLog } from '@lockstep/store';

const [, , , folder, seed] = process.argv;
const ENTITIES = 200;
const SPAN = 5;
const rng = seedRng(BigInt(seed));
const log = await openLog(folder, { compactAt: 2, compactAbove: 100_000 });
const save = new Save(new Store(DEFAULT_RULES), log);
const { store } = save;
let frame = (await save.open())?.frame ?? 0;
await save.require({ minX: 0, minY: 0, minZ: 0, maxX: SPAN, maxY: SPAN, maxZ: 0 });
while (store.count < ENTITIES) store.insert({ flags: MOVABLE, position: place() });

for (;;) {
  frame++;
  // the frame's number is written into every entity that moves, so that a chunk of an older frame would show
  for (let i = 0; i < 20; i++) {
    const { chunkX, chunkY, chunkZ } = place();
    const row = store.rowOf(1 + nextInt(rng, ENTITIES));
    store.moveTo(row, chunkX, chunkY, chunkZ, (frame % 1000) / 128, 0, 0);
  }
  const sums = sumOf();
  await save.commit(frame, new TextEncoder().encode(sums));
  writeSync(1, `${frame} ${sums}\n`);
}

function place() {
  return positionAt(DEFAULT_RULES, nextInt(rng, SPAN + 1), nextInt(rng, SPAN + 1), 0);
}

/** A number that tells worlds apart. */
function sumOf() {
  let sum = 0;
  for (let row = 0; row < store.rowEnd; row++) {
    if (store.id[row] === 0) continue;
    const part =
      Math.imul(store.id[row], 0x9e3779b1) ^ Math.imul(store.chunkXOf(row) * 64 + store.chunkYOf(row), 0x85ebca77) ^ (store.x[row] * 128);
    sum = (sum + Math.imul(part, 0xc2b2ae3d)) >>> 0;
  }
  return `${store.count}:${sum}`;
}

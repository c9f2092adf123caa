import { InputError } from '@lockstep/kernel';
import type { Disk } from './disk.ts';
import { encodeHeader } from './format.ts';
import { type Head, recover, type Repairs } from './recover.ts';
import type { Volume } from './volume.ts';

/*
 * A world is one file, `world-N.log`. Compaction writes `world-(N+1).log.new`, flushes it, renames it, flushes the folder, and removes the old one: at
 * every moment the file with the highest N is the whole world, and everything else may go.
 */
const NAME = /^world-(\d{8,})\.log$/;
const UNFINISHED = /^world-\d{8,}\.log\.new$/;
/** Of the lock, see `lock.ts`. */
const LOCK = /^lock-/;

export const generationOf = (name: string): number => Number(NAME.exec(name)![1]);
export const nameOf = (generation: number): string => `world-${String(generation).padStart(8, '0')}.log`;

interface Openness {
  readonly isReadOnly?: boolean;
  readonly mustExist?: boolean;
}

/** Opens the world of a folder, a new one in an empty folder. What a crash left half done is cut off or removed, unless it is only to be read. */
export async function openNewest(
  disk: Disk,
  { isReadOnly = false, mustExist = isReadOnly }: Openness,
): Promise<{ volume: Volume; head: Head | null; repairs: Repairs }> {
  const names = await disk.list();
  const logs = names.filter((name) => NAME.test(name)).sort((a, b) => generationOf(b) - generationOf(a));
  if (logs.length === 0) await createIn(disk, names, mustExist);
  const name = logs[0] ?? nameOf(1);
  if (!isReadOnly) await remove(disk, [...logs.slice(1), ...names.filter((one) => UNFINISHED.test(one))]);
  const file = await disk.open(name, false);
  try {
    const { index, head, length, seq, suspectBelow, isMarked, repairs } = await recover(file, name, disk);
    if (!isReadOnly) {
      if (repairs.cut !== null) await file.truncate(length);
      await file.sync(); // from now on frames say that all before them is on the disk
    }
    return { volume: { file, name, index, length, seq, suspectBelow, isMarked }, head, repairs };
  } catch (error) {
    await file.close();
    throw error;
  }
}

/** A file that is new: it gets its name when it is whole. */
async function createIn(disk: Disk, names: readonly string[], mustExist: boolean): Promise<void> {
  const other = names.find((name) => !UNFINISHED.test(name) && !LOCK.test(name));
  if (other !== undefined) throw new InputError(disk.path, "a folder with a world's log, or an empty one", other);
  if (mustExist) throw new InputError(disk.path, "a folder with a world's log", 'an empty folder');
  const file = await disk.open(`${nameOf(1)}.new`, true);
  await file.write(0, encodeHeader(disk.crc32));
  await file.sync();
  await file.close();
  await disk.rename(`${nameOf(1)}.new`, nameOf(1));
  await disk.sync();
}

/** Removes files that are no longer needed. */
export async function remove(disk: Disk, names: readonly string[]): Promise<void> {
  for (const name of names) await disk.remove(name);
  if (names.length > 0) await disk.sync();
}

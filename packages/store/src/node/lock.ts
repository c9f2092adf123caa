import { randomBytes } from 'node:crypto';
import { link, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { InputError } from '@lockstep/kernel';

/** Who holds a lock: enough to know whether that very process is still alive. */
interface Holder {
  readonly pid: number;
  /** When the process began, in ticks since the machine did; '' where there is no /proc. */
  readonly began: string;
  /** Which run of the machine. */
  readonly boot: string;
  /** Which space of pids: every container has its own, and sees no other. */
  readonly space: string;
  readonly host: string;
}

const DRAFT = 'lock-draft-';
const NAME = /^lock-(\d+)$/;
const numberOf = (name: string): number => Number(NAME.exec(name)![1]);

/**
 * One writer a folder. The lock is the file `lock-N` with the highest N; that of a process that is gone, by kill -9 or power, is followed by
 * `lock-(N+1)`. A file gets its name whole and only if the name is free, so that of two that come at once one is refused, and whoever was
 * overtaken between looking and taking sees a higher number and goes.
 */
export async function takeLock(folder: string): Promise<() => Promise<void>> {
  const draft = join(folder, `${DRAFT}${randomBytes(6).toString('hex')}`);
  try {
    await writeFile(draft, JSON.stringify(self()));
  } catch (error) {
    throw new InputError(folder, 'a folder that may be written', (error as NodeJS.ErrnoException).code);
  }
  try {
    for (;;) {
      const held = await highest(folder);
      if (held !== null) await refuseIfAlive(folder, held);
      const name = `lock-${held === null ? 1 : numberOf(held) + 1}`;
      if (!(await linked(draft, join(folder, name)))) continue;
      if ((await highest(folder)) === name) {
        await removeLower(folder, numberOf(name));
        return () => rm(join(folder, name), { force: true });
      }
      await rm(join(folder, name), { force: true });
    }
  } finally {
    await rm(draft, { force: true });
  }
}

async function refuseIfAlive(folder: string, name: string): Promise<void> {
  const file = join(folder, name);
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return; // it has just been given back
    throw error;
  }
  const holder = read(text);
  if (holder === null) throw new InputError(file, 'a lock', text.slice(0, 40));
  if (holder.host !== hostname() && !isInSight(holder))
    throw new InputError(
      folder,
      `a store that nobody writes (if the process is gone, remove ${name})`,
      `process ${holder.pid} on ${holder.host}`,
    );
  if (isAlive(holder)) throw new InputError(folder, 'a store that nobody writes', `process ${holder.pid} that has it open`);
}

async function highest(folder: string): Promise<string | null> {
  const names = (await readdir(folder)).filter((name) => NAME.test(name));
  return names.sort((a, b) => numberOf(b) - numberOf(a))[0] ?? null;
}

/** Those of processes that are gone, and drafts that they left. */
async function removeLower(folder: string, mine: number): Promise<void> {
  for (const name of await readdir(folder)) {
    const file = join(folder, name);
    const isOld = NAME.test(name) ? numberOf(name) < mine : name.startsWith(DRAFT) && isGone(read(textOf(file)));
    if (isOld) await rm(file, { force: true });
  }
}

async function linked(from: string, to: string): Promise<boolean> {
  try {
    await link(from, to);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

function self(): Holder {
  const { pid } = process;
  return { pid, began: beganOf(pid) ?? '', boot: textOf('/proc/sys/kernel/random/boot_id').trim(), space: spaceOfPids(), host: hostname() };
}

function spaceOfPids(): string {
  try {
    return readlinkSync('/proc/self/ns/pid');
  } catch {
    return ''; // another kind of system
  }
}

/** Can it be told from here whether that process lives? Beyond, a machine or container of the same name has been started anew. */
function isInSight({ boot, space }: Holder): boolean {
  const own = self();
  return boot === own.boot && space === own.space;
}

function isAlive(holder: Holder): boolean {
  const { pid, began } = holder;
  if (!isInSight(holder)) return false;
  if (began !== '') return beganOf(pid) === began;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

const isGone = (holder: Holder | null): boolean => holder !== null && !isAlive(holder);

/** When a living process began; null when there is none, or only what its parent has not yet fetched. */
function beganOf(pid: number): string | null {
  const fields = textOf(`/proc/${pid}/stat`)
    .replace(/^.*\) /s, '')
    .split(' '); // its name may hold anything
  return fields.length < 20 || fields[0] === 'Z' || fields[0] === 'X' ? null : fields[19]!;
}

function read(text: string): Holder | null {
  try {
    const { pid, ...words } = JSON.parse(text) as Holder;
    const { began, boot, space, host } = words;
    const isWhole = typeof pid === 'number' && [began, boot, space, host].every((word) => typeof word === 'string');
    return isWhole ? { pid, began, boot, space, host } : null;
  } catch {
    return null;
  }
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

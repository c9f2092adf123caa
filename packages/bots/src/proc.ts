import { existsSync, readdirSync, readFileSync } from 'node:fs';

/** What a process and all that it has started use, as Linux tells it. */
export interface Sample {
  readonly pids: readonly number[];
  /** Of the living and of those whose end was noticed by their parents. */
  readonly cpuMs: number;
  /** How long each of its threads stood in line for a processor so far, by the thread's number. */
  readonly linesMs: ReadonlyMap<string, number>;
  /** How long our own thread, which has to notice an answer, stood in line or did something else than wait. */
  readonly awayMs: number;
  readonly residentBytes: number;
}

/** Can it be told here? */
export const canSample = existsSync('/proc/self/stat');

const TICK_MS = 10; // of /proc/PID/stat: USER_HZ is 100 on every Linux that Node runs on
const PAGE = 4096;

/** null when the process is gone. */
export function sample(root: number): Sample | null {
  const pids = canSample ? treeOf(root) : [];
  let cpuMs = 0;
  const linesMs = new Map<string, number>();
  let residentBytes = 0;
  for (const pid of pids) {
    const stat = statOf(pid);
    if (stat === null) continue;
    cpuMs += stat.cpuTicks * TICK_MS;
    residentBytes += stat.residentBytes;
    for (const task of listOf(`/proc/${pid}/task`)) linesMs.set(task, lineMs(`/proc/${pid}/task/${task}`));
  }
  return pids.length === 0 ? null : { pids, cpuMs, linesMs, awayMs: awayMs(), residentBytes };
}

/** The process and its descendants, the eldest first. */
export function treeOf(root: number): number[] {
  const found = existsSync(`/proc/${root}/stat`) ? [root] : [];
  for (const pid of found) {
    for (const task of listOf(`/proc/${pid}/task`)) {
      for (const child of textOf(`/proc/${pid}/task/${task}/children`).split(' ')) if (child.trim() !== '') found.push(Number(child));
    }
  }
  return found;
}

/** Processes that have the word in their environment: also those that have run away from their parents. */
export function marked(word: string): number[] {
  const own = String(process.pid);
  return listOf('/proc').filter((name) => /^\d+$/.test(name) && name !== own && textOf(`/proc/${name}/environ`).includes(word)).map(Number); // prettier-ignore
}

/** What was started when: the number alone may be somebody else's later. null for one that is gone, or dead and waits for its parent to notice. */
export function birthOf(pid: number): string | null {
  const stat = statOf(pid);
  return stat === null || stat.state === 'Z' || stat.state === 'X' ? null : stat.birth;
}

interface Stat {
  readonly state: string;
  readonly birth: string;
  readonly cpuTicks: number;
  readonly residentBytes: number;
}

function statOf(pid: number): Stat | null {
  const text = textOf(`/proc/${pid}/stat`);
  if (text === '') return null;
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' '); // the name before it may hold anything
  const cpuTicks = Number(fields[11]) + Number(fields[12]) + Number(fields[13]) + Number(fields[14]);
  return { state: fields[0]!, birth: fields[19]!, cpuTicks, residentBytes: Number(fields[21]) * PAGE };
}

const lineMs = (task: string): number => schedule(task)[1];

function awayMs(): number {
  const [worked, waited] = schedule('/proc/thread-self');
  return worked + waited;
}

/** On a processor, and in line for one. */
function schedule(task: string): [workedMs: number, waitedMs: number] {
  const [worked = '0', waited = '0'] = textOf(`${task}/schedstat`).split(' ');
  return [Number(worked) / 1e6, Number(waited) / 1e6];
}

/** Whatever is gone by now is empty. */
function textOf(path: string): string {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return '';
  }
}

function listOf(path: string): string[] {
  try {
    return readdirSync(path);
  } catch {
    return [];
  }
}

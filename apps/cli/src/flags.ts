import { randomBytes } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { intAt, numberAt, type Seed } from '@lockstep/kernel';

/** A number, true, false or other JSON as such, everything else as text: a refusal then shows the user's own word. */
export function valueOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

export function wholeFlag(text: string, path: string, min: number, max: number): number {
  return intAt(valueOf(text), path, min, max);
}

export function numberFlag(text: string, path: string, min: number, max: number): number {
  return numberAt(valueOf(text), path, min, max);
}

/** How many threads: one a core where nobody says otherwise. */
export function threadsOf(jobs: string | undefined): number {
  return jobs === undefined ? availableParallelism() : wholeFlag(jobs, 'jobs', 1, 1024);
}

export function randomSeed(): Seed {
  return randomBytes(8).readBigUInt64LE();
}

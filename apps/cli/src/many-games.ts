import type { Seed } from '@lockstep/kernel';
import type { GamePlan, GameReport } from './game.ts';
import { GamePool } from './pool.ts';

/** Plays many games over threads. Reports come in the order of the seeds, whoever is ready first. */
export async function playMany(
  plan: GamePlan,
  seeds: readonly Seed[],
  threads: number,
  onReport: (report: GameReport) => void,
  signal: AbortSignal,
): Promise<void> {
  const pool = new GamePool(Math.min(threads, seeds.length));
  const ready = new Map<number, GameReport>();
  let next = 0;
  let told = 0;
  const take = (index: number, report: GameReport): void => {
    ready.set(index, report);
    for (let due = ready.get(told); due !== undefined; due = ready.get(told)) {
      ready.delete(told++);
      onReport(due);
    }
  };
  const lane = async (): Promise<void> => {
    while (next < seeds.length && !signal.aborted) {
      const index = next++;
      take(index, await pool.play({ plan, seed: seeds[index]! }));
    }
  };
  const stopped = new Promise((resolve) => signal.addEventListener('abort', resolve));
  try {
    await Promise.race([Promise.all(Array.from({ length: pool.size }, lane)), stopped]);
  } finally {
    await pool.close();
  }
}

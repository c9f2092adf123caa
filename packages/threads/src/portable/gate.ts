/** Numbers that all threads share. */
export const CONTROL = 3;
const ARRIVED = 0;
const ROUND = 1;
const LEFT = 2;
/** How often a thread looks before it falls asleep: the others are seldom far behind. */
const LOOKS = 2000;

/** Waits until all threads are here. Whatever they wrote before is then seen by everybody. */
export function meetAll(control: Int32Array, hands: number): void {
  const round = Atomics.load(control, ROUND);
  if (Atomics.add(control, ARRIVED, 1) === hands - 1) {
    Atomics.store(control, ARRIVED, 0);
    Atomics.add(control, ROUND, 1);
    Atomics.notify(control, ROUND);
    return;
  }
  for (let look = 0; look < LOOKS; look++) if (Atomics.load(control, ROUND) !== round) return;
  while (Atomics.load(control, ROUND) === round) Atomics.wait(control, ROUND, round);
}

/** Bodies that have not moved yet, in all regions together. */
export const setLeft = (control: Int32Array, left: number): number => Atomics.store(control, LEFT, left);
export const leftNow = (control: Int32Array): number => Atomics.load(control, LEFT);
export const takeFromLeft = (control: Int32Array, moved: number): number => Atomics.sub(control, LEFT, moved);

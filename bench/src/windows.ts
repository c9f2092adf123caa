/**
 * Times work on a shared, noisy machine: the work is cut into short windows, every window is run several times, and the least time of
 * each counts. What is left is what the work costs when nobody disturbs it.
 */
export class Windows {
  private readonly least: number[] = [];

  /** Runs window number `index` once. */
  time(index: number, work: () => void): void {
    const start = process.hrtime.bigint();
    work();
    this.note(index, Number(process.hrtime.bigint() - start));
  }

  /** Window number `index` took so many nanoseconds. */
  note(index: number, took: number): void {
    const before = this.least[index];
    if (before === undefined || took < before) this.least[index] = took;
  }

  /** Nanoseconds of all windows together. */
  total(): number {
    return this.least.reduce((sum, took) => sum + took, 0);
  }
}

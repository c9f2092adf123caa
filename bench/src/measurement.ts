/** One line of a benchmark. `ratio` compares `value` with that of `against`, measured in the same run; above 1 the subject is better. */
export interface Measurement {
  readonly bench: string;
  readonly subject: string;
  readonly against: string | null;
  readonly ratio: number | null;
  readonly value: number;
  readonly unit: string;
  /** Where right and wrong can be told: what has left its table, and by which part the energy changed that should not. */
  readonly escapes?: number;
  readonly energyError?: number;
  readonly remark?: string;
}

export interface BenchOptions {
  /** About how long to measure in all. */
  readonly seconds: number;
}

export type Bench = (options: BenchOptions) => AsyncIterable<Measurement>;

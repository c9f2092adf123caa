/** One line of a benchmark. `ratio` compares `value` with that of `against`, measured in the same run; above 1 the subject is better. */
export interface Measurement {
  readonly bench: string;
  readonly subject: string;
  readonly against: string | null;
  readonly ratio: number | null;
  readonly value: number;
  readonly unit: string;
}

export interface BenchOptions {
  /** About how long to measure in all. */
  readonly seconds: number;
}

export type Bench = (options: BenchOptions) => AsyncIterable<Measurement>;

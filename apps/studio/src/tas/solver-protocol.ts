import type { RuleName } from '@lockstep/asteracer';
import type { Gap } from './gaps.ts';
import type { Script } from './script.ts';

export type SolverCommand =
  | { readonly type: 'track'; readonly map: string; readonly rules: RuleName }
  | {
      readonly type: 'improve';
      readonly script: Script;
      readonly from: number;
      readonly to: number;
      /** How many ticks may be tried. */
      readonly nodes: number;
      readonly noTouch: boolean;
    }
  /** `order`: goals still to be reached by the run; those it never reaches follow in an order of the solver's. */
  | { readonly type: 'field'; readonly order: readonly number[]; readonly rest: readonly number[] }
  | { readonly type: 'gaps' };

/** Ticks to go from each cell of a raster, rows from the top. */
export interface FieldCells {
  readonly left: number;
  readonly top: number;
  readonly size: number;
  readonly columns: number;
  readonly rows: number;
  readonly times: Float32Array;
}

export interface Improvement {
  readonly script: Script;
  /** How many ticks are won. */
  readonly won: number;
}

export type SolverReport =
  | { readonly type: 'tried'; readonly nodes: number }
  /** The search goes on. */
  | ({ readonly type: 'better' } & Improvement)
  | ({ readonly type: 'improved' } & Improvement)
  | { readonly type: 'field'; readonly field: FieldCells | null }
  | { readonly type: 'gaps'; readonly gaps: readonly Gap[] };

import type { RuleName } from '@lockstep/asteracer';
import type { Script } from './script.ts';

export type CheckCommand =
  | { readonly type: 'track'; readonly map: string; readonly rules: RuleName }
  /** The instructions, and what the page says came of them. */
  | {
      readonly type: 'check';
      readonly run: number;
      readonly script: Script;
      readonly x: Float64Array;
      readonly y: Float64Array;
      readonly vx: Int32Array;
      readonly vy: Int32Array;
    }
  | { readonly type: 'replay'; readonly run: number; readonly script: Script };

export type CheckReport =
  | { readonly type: 'checked'; readonly run: number; readonly verified: number; readonly diverged: number | null }
  | { readonly type: 'replay'; readonly run: number; readonly bytes: Uint8Array<ArrayBuffer> };

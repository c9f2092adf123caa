import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { ScriptEngine } from './portable/index.ts';

/** QuickJS from the disk; a browser fetches it. */
export function scriptEngine(): ScriptEngine {
  return readFileSync(fileURLToPath(import.meta.resolve('quickjs-wasi/quickjs.wasm')));
}

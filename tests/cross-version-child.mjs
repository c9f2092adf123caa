// Prints a fingerprint of everything that must not depend on the engine: run by cross-version.test.ts under several versions of Node.
import { catalog } from '../packages/catalog/dist/src/index.js';
import * as kernel from '../packages/kernel/dist/src/index.js';
import { fingerprint } from './fingerprint.mjs';

console.log(fingerprint(catalog, kernel).join('\n'));

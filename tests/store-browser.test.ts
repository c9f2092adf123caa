import { build, defaultClientConditions, type Rolldown } from 'vite';
import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { claims } from '../packages/store/src/conformance.test-support.ts';
import type { StorePage } from '../packages/store/src/browser/page.test-support.ts';
import { openTheatre, PATIENCE, root, type Theatre, why } from './browser.test-support.ts';

declare const storePage: StorePage;

describe.skipIf(why !== '')('a world kept by the browser (IndexedDB)', () => {
  let theatre: Theatre;
  let context: BrowserContext;
  let page: Page;
  let script: string;

  const newPage = async (): Promise<Page> => {
    const fresh = await context.newPage();
    await fresh.goto(`${theatre.url}icon.svg`); // an origin that is allowed to keep things, and nothing that runs by itself
    await fresh.evaluate(script);
    return fresh;
  };

  beforeAll(async () => {
    script = await bundled('packages/store/src/browser/page.test-support.ts');
    theatre = await openTheatre();
    context = await theatre.browser.newContext();
    page = await newPage();
  });
  afterAll(() => theatre?.close());

  for (const [index, { name }] of claims.entries()) {
    it(name, async () => {
      expect(await page.evaluate((i) => storePage.names[i], index)).toBe(name);
      await page.evaluate((i) => storePage.check(i), index);
    });
  }

  it('is open in one page at a time; the next one is told so in a line', async () => {
    const other = await newPage();
    expect(await page.evaluate(() => storePage.open('shared'))).toBe('open');
    expect(await other.evaluate(() => storePage.open('shared'))).toBe(
      'world shared: expected to be open once, got "another page that has it open"',
    );
    await page.close();
    await expect.poll(() => other.evaluate(() => storePage.open('shared')), { timeout: PATIENCE }).toBe('open');
    page = await newPage();
    await other.close();
  });

  it('a commit after the end is refused in a line', async () => {
    expect(await page.evaluate(() => storePage.commitAfterEnd('ended'))).toMatch(/^world ended: expected a frame to be saved, got "/);
  });

  it('[SW-R10] a page that goes in the middle of a frame leaves the last whole one', async () => {
    const writer = await newPage();
    void writer.evaluate(() => storePage.commitForever('torn')).catch(() => {});
    await expect.poll(async () => Number(await writer.title()), { timeout: PATIENCE }).toBeGreaterThan(5);
    const seen = Number(await writer.title());
    await writer.close();
    const [frame, ...values] = await page.evaluate(() => storePage.lastFrame('torn'));
    expect(frame).toBeGreaterThanOrEqual(seen);
    expect(values).toEqual([frame! % 256]);
  });
});

async function bundled(entry: string): Promise<string> {
  const built = (await build({
    configFile: false,
    logLevel: 'error',
    root,
    resolve: { conditions: ['lockstep-source', ...defaultClientConditions] },
    build: { write: false, lib: { entry, formats: ['iife'], name: 'suite' } },
  })) as Rolldown.RolldownOutput[];
  return built[0]!.output[0].code;
}

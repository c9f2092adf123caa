import { mkdirSync, readFileSync } from 'node:fs';
import { fileToWorld } from '@lockstep/sparse';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { COLOURS } from '../apps/studio/src/explorer/paint-top.ts';
import { listenForComplaints, openTheatre, PATIENCE, root, type Theatre, why } from './browser.test-support.ts';

const WIDE = { width: 1100, height: 760 };
const FAR = 2_000_000_000;

describe.skipIf(why !== '')('the dungeon in the studio, driven as a person would', { timeout: PATIENCE * 2 }, () => {
  let theatre: Theatre;
  const complaints: string[] = [];

  beforeAll(async () => {
    theatre = await openTheatre();
    mkdirSync(`${root}test-results`, { recursive: true });
  });
  afterAll(() => theatre?.close());
  beforeEach(() => {
    complaints.length = 0;
  });

  /** A page whose frames come by hand alone, from the first one on: every tick is the test's. */
  async function open(link: string, { viewport = WIDE, locale = 'en-US', pad = false, hasTouch = false } = {}): Promise<Page> {
    const context = await theatre.browser.newContext({ viewport, colorScheme: 'dark', locale, hasTouch, acceptDownloads: true });
    const page = await context.newPage();
    listenForComplaints(page, complaints, (text) => text.includes('willReadFrequently'));
    await page.addInitScript((withPad) => {
      window.requestAnimationFrame = () => 0;
      const buttons = Array.from({ length: 17 }, () => ({ pressed: false, touched: false, value: 0 }));
      const held = { connected: true, index: 0, id: 'a gamepad', mapping: 'standard', axes: [0, 0, 0, 0], buttons };
      Object.assign(window, { pad: held });
      if (withPad) Object.defineProperty(navigator, 'getGamepads', { value: () => [held] });
    }, pad);
    await page.goto(theatre.url + link);
    await page.waitForFunction(() => window.__studio !== undefined, undefined, { timeout: PATIENCE });
    return page;
  }
  async function explore(link: string, options = {}): Promise<Page> {
    const page = await open(`#explore=${link}`, options);
    await page.getByTestId('explorer').waitFor({ timeout: PATIENCE });
    return page;
  }
  const frames = async (page: Page, count: number, ms = 100): Promise<void> => {
    for (let i = 0; i < count; i++) await page.evaluate((time) => window.__studio.frame(time), ms);
  };
  const text = (page: Page, id: string): Promise<string | null> => page.getByTestId(id).textContent();
  const tick = (page: Page): Promise<number> => page.evaluate(() => window.__studio.shownTick);
  const hash = (page: Page): Promise<string | null> => page.evaluate(() => window.__studio.hash);
  const at = (page: Page, key: string) => page.evaluate((name) => window.__studio.screenPosition(name), key);
  /** Where the hero is, in metres from the first room. */
  const hero = (page: Page) =>
    page.evaluate(() => {
      const shape = window.__studio.scene?.shapes.find(({ key }) => key === 'hero 0');
      return shape?.shape === 'sphere' ? { x: shape.x, y: -shape.z } : null;
    });
  const has = (page: Page, key: string) => page.evaluate((name) => window.__studio.scene!.shapes.some((shape) => shape.key === name), key);
  const choose = (page: Page, view: string) => page.getByRole('button', { name: view, exact: true }).click();
  const pause = (page: Page) => page.getByRole('button', { name: 'Pause' }).click();
  const tilt = (page: Page, x: number, y: number) =>
    page.evaluate((axes) => (window as unknown as { pad: { axes: number[] } }).pad.axes.splice(0, 2, ...axes), [x, y]);
  /** The top view, when it knows how large it is. */
  const fromAbove = async (page: Page): Promise<void> => {
    await choose(page, 'Top view');
    await expect.poll(async () => (await at(page, 'hero'))?.x ?? 0, { timeout: PATIENCE }).toBeGreaterThan(50);
  };

  describe('a match', () => {
    it('is watched and taken over with keys and gamepad; what is shown is what is, and it is verified', async () => {
      const page = await open('#world=sparse&preset=solo&seed=7&bots=wanderer', { pad: true });
      await frames(page, 3);
      const before = (await hero(page))!;
      await page.keyboard.press('t');
      await page.keyboard.down('d');
      await frames(page, 8);
      await expect.poll(async () => (await frames(page, 1), (await hero(page))!.x), { timeout: PATIENCE }).toBeGreaterThan(before.x + 1);
      await page.keyboard.up('d');
      await page.keyboard.down('j');
      await expect.poll(async () => (await frames(page, 1), await has(page, 'sword 0')), { timeout: PATIENCE }).toBe(true);
      await page.keyboard.up('j');
      const { y } = (await hero(page))!;
      await tilt(page, 0, -1);
      await expect.poll(async () => (await frames(page, 2), (await hero(page))!.y), { timeout: PATIENCE }).toBeGreaterThan(y + 1);
      expect(await text(page, 'score')).toBe(String(await page.evaluate(() => window.__studio.scores[0])));
      await page.keyboard.press('Space');
      await expect.poll(async () => (await frames(page, 1), await text(page, 'badge')), { timeout: PATIENCE }).toBe('verified ✓');
      expect(complaints).toEqual([]);
      await page.context().close();
    });

    it('[SW-D1] two billion chunks away is the same picture: every position on the screen, bit for bit', async () => {
      const pages = await Promise.all(['solo', 'far'].map((preset) => open(`#world=sparse&preset=${preset}&seed=7&bots=delver`)));
      const seen = await Promise.all(
        pages.map(async (page) => {
          const positions: [key: string, place: unknown][] = [];
          for (let i = 0; i < 6; i++) {
            await frames(page, 1, 333);
            positions.push(
              ...(await page.evaluate(() =>
                window.__studio.scene!.shapes.map(({ key }): [string, unknown] => [key, window.__studio.screenPosition(key)]),
              )),
            );
          }
          return positions;
        }),
      );
      expect(seen[0]!.filter(([, place]) => place !== null).length).toBeGreaterThan(30);
      expect(seen[1]).toEqual(seen[0]);
      for (const page of pages) await page.context().close();
    });
  });

  describe('the explorer', () => {
    it('opens from the match, is played with keys, mouse and gamepad, and goes back', async () => {
      const page = await open('#world=sparse&preset=solo&seed=7&bots=delver', { pad: true });
      await frames(page, 1);
      await page.getByRole('button', { name: 'Explore and keep' }).click();
      await page.getByTestId('explorer').waitFor({ timeout: PATIENCE });
      await frames(page, 2);
      let before = (await hero(page))!;
      await page.keyboard.down('d');
      await expect.poll(() => frames(page, 2).then(async () => (await hero(page))!.x), { timeout: PATIENCE }).toBeGreaterThan(before.x + 1);
      await page.keyboard.up('d');

      before = (await hero(page))!;
      const there = (await at(page, 'hero 0'))!;
      await page.mouse.move(there.x, there.y + 150);
      await page.mouse.down();
      await expect.poll(() => frames(page, 2).then(async () => (await hero(page))!.y), { timeout: PATIENCE }).toBeLessThan(before.y - 1);
      await page.mouse.up();

      before = (await hero(page))!;
      await tilt(page, -1, 0);
      await expect.poll(() => frames(page, 2).then(async () => (await hero(page))!.x), { timeout: PATIENCE }).toBeLessThan(before.x - 1);
      await tilt(page, 0, 0);

      const button = (await page.getByRole('button', { name: 'Sword' }).boundingBox())!;
      await page.mouse.move(button.x + 10, button.y + 10);
      await page.mouse.down();
      await frames(page, 1);
      expect(await has(page, 'sword 0')).toBe(true);
      await page.mouse.up();

      await pause(page);
      const stopped = await tick(page);
      await frames(page, 2);
      expect(await tick(page)).toBe(stopped);
      await page.screenshot({ path: `${root}test-results/sparse-explorer.png` });
      await page.getByRole('button', { name: 'Back to the match' }).click();
      await page.getByTestId('score').waitFor({ timeout: PATIENCE });
      await frames(page, 1);
      expect(await hero(page)).not.toBeNull();
      expect(complaints).toEqual([]);
      await page.context().close();
    });

    it('[SW-D11] is taken back on the timeline to any tick, played on from there, verified, and watched as a match', async () => {
      const page = await explore('past&seed=7');
      await page.keyboard.down('s');
      const seen: { tick: number; hash: string | null; hero: unknown }[] = [];
      for (let i = 0; i < 12; i++) {
        await frames(page, 1);
        seen.push({ tick: await tick(page), hash: await hash(page), hero: await hero(page) });
      }
      await page.keyboard.up('s');
      const head = seen.at(-1)!.tick;
      const now = async () => ({ tick: await tick(page), hash: await hash(page), hero: await hero(page) });

      // a finger on the timeline goes there and nothing is played meanwhile; the keys step from there
      const box = (await page.locator('.timeline .track').boundingBox())!;
      await page.mouse.move(box.x + box.width * 0.03, box.y + box.height / 2);
      await page.mouse.down();
      await page.mouse.move(box.x + box.width * 0.01, box.y + box.height / 2);
      await frames(page, 2);
      await page.mouse.up();
      expect([await tick(page), await text(page, 'tick')]).toEqual([9, '9']);
      expect(await now()).toEqual(seen.find((then) => then.tick === 9));
      await page.keyboard.press('ArrowRight');
      expect(await tick(page)).toBe(10);
      await page.keyboard.press('Shift+ArrowLeft');
      expect(await tick(page)).toBe(0);
      await page.getByRole('button', { name: 'Back to now' }).click();
      await expect.poll(() => tick(page), { timeout: PATIENCE }).toBe(head);
      await page.getByRole('button', { name: 'One tick back' }).click();
      await expect.poll(() => tick(page), { timeout: PATIENCE }).toBe(head - 1);
      expect(await page.getByTestId('past').textContent()).toMatch(/^00:00 ago/);

      // what was is seen again at another speed, the same bits
      await page.getByRole('button', { name: 'To the start' }).click();
      await page.keyboard.press(']');
      await page.keyboard.press('Space');
      await frames(page, 2);
      expect(await now()).toEqual(seen.find((then) => then.tick === 12));
      await page.keyboard.press('[');
      await page.screenshot({ path: `${root}test-results/sparse-past.png` });

      // from here on it is another game
      await page.keyboard.press('t');
      await expect.poll(() => page.evaluate(() => window.__studio.headTick), { timeout: PATIENCE }).toBe(12);
      await page.keyboard.down('d');
      await frames(page, 8);
      await page.keyboard.up('d');
      const there = (await hero(page))!;
      expect(there.x).toBeGreaterThan((seen[3]!.hero as { x: number }).x + 1);
      await pause(page);
      const verified = () => frames(page, 2).then(() => page.evaluate(() => window.__studio.verifiedTick));
      await expect.poll(verified, { timeout: PATIENCE }).toBe(await tick(page));
      expect(await text(page, 'badge')).toMatch(/^verified/);

      // anybody can play it again
      const last = await tick(page);
      await page.getByRole('button', { name: 'Watch as a match' }).click();
      await page.getByRole('button', { name: 'Restart' }).waitFor({ timeout: PATIENCE });
      await expect.poll(async () => (await frames(page, 1, 500), await tick(page)), { timeout: PATIENCE }).toBe(last);
      expect(await hero(page)).toEqual(there);
      await expect.poll(async () => (await frames(page, 1), await text(page, 'badge')), { timeout: PATIENCE }).toMatch(/^verified/);
      expect(complaints).toEqual([]);
      await page.context().close();
    });

    it('[SW-D10] keeps the dungeon in the browser: it goes on after a reload, bit for bit', async () => {
      const page = await explore('reload&seed=7');
      await page.keyboard.down('d');
      await frames(page, 12);
      await page.keyboard.up('d');
      await pause(page);
      await page.getByRole('button', { name: 'Save now' }).click();
      await expect.poll(() => text(page, 'saved'), { timeout: PATIENCE }).toMatch(new RegExp(`^saved at tick ${await tick(page)}, [1-9]`));
      const [ticks, place] = [await tick(page), await hero(page)];
      await page.reload();
      await page.getByTestId('explorer').waitFor({ timeout: PATIENCE });
      expect([await tick(page), await hero(page)]).toEqual([ticks, place]);
      await frames(page, 3);
      expect(await tick(page)).toBeGreaterThan(ticks);

      // one page at a time
      const second = await page.context().newPage();
      await second.goto(`${theatre.url}#explore=reload`);
      await expect
        .poll(() => second.getByRole('alert').first().textContent(), { timeout: PATIENCE })
        .toMatch(/world lockstep dungeon reload: expected to be open once/);
      await page.context().close();
    });

    it('[SW-D10] goes to a file and comes back from it; a damaged file is refused and changes nothing', async () => {
      const page = await explore('files&seed=7');
      await page.keyboard.down('w');
      await frames(page, 10);
      await page.keyboard.up('w');
      await pause(page);
      const place = await hero(page);
      const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Export to a file' }).click()]);
      const path = `${root}test-results/${download.suggestedFilename()}`;
      await download.saveAs(path);
      const bytes = readFileSync(path);
      expect(fileToWorld(new Uint8Array(bytes), 'file').chunks.length).toBeGreaterThan(100);

      await page.getByRole('button', { name: 'New dungeon' }).click();
      await expect.poll(() => tick(page), { timeout: PATIENCE }).toBe(0);
      const fresh = await hash(page);
      const torn = Buffer.from(bytes);
      torn[200]! ^= 1;
      await page.locator('input[type=file]').setInputFiles({ name: 'torn.world', mimeType: 'application/octet-stream', buffer: torn });
      await expect.poll(() => page.getByRole('alert').first().textContent(), { timeout: PATIENCE }).toMatch(/torn\.world: expected CRC/);
      expect(await hash(page)).toBe(fresh);
      await page.locator('input[type=file]').setInputFiles(path);
      await expect.poll(() => text(page, 'explorer-said'), { timeout: PATIENCE }).toMatch(/dungeon-files\.world is open/);
      expect(await hero(page)).toEqual(place);
      await page.context().close();
    });

    it('[SW-R17] [SW-R16] shows bounds, chunks and Spaces from above in the document’s colours, and counts', async () => {
      const page = await explore('top&seed=7');
      await fromAbove(page);
      await frames(page, 2);
      const found = await page.getByTestId('explorer-top').evaluate((canvas, colours) => {
        const { width, height, clientWidth } = canvas as HTMLCanvasElement;
        const { data } = (canvas as HTMLCanvasElement).getContext('2d')!.getImageData(0, 0, width, height);
        const near = (i: number, colour: string) =>
          [0, 1, 2].every((k) => Math.abs(data[i + k]! - Number.parseInt(colour.slice(1 + 2 * k, 3 + 2 * k), 16)) < 60);
        return Object.fromEntries(
          Object.entries(colours).map(([name, colour]) => {
            let count = 0;
            for (let i = 0; i < data.length; i += 4) if (near(i, colour)) count++;
            // from the middle to the left, in many rows, for things lie over the lines: where its line is crossed
            const crossed = Array.from({ length: 40 }, (_, i) => {
              const row = Math.floor(height * (0.35 + 0.0075 * i));
              let x = Math.floor(width / 2);
              while (x > 0 && !near((row * width + x) * 4, colour)) x--;
              return width / 2 - x;
            }).sort((a, b) => a - b);
            return [name, { count, away: (crossed[20]! * clientWidth) / width }];
          }),
        );
      }, COLOURS);
      for (const name of Object.keys(COLOURS)) expect([name, found[name]!.count > 100]).toEqual([name, true]);
      // 16, 18, 19.5 and 21.5 m from the camera
      const metre = found['camera']!.away / 16;
      expect(found['sim']!.away / metre).toBeCloseTo(18, 0);
      expect(found['updatable']!.away / metre).toBeCloseTo(19.5, 0);
      expect(found['bounds']!.away / metre).toBeCloseTo(21.5, 0);
      for (const [name, colour] of Object.entries(COLOURS)) {
        const [r, g, b] = [1, 3, 5].map((from) => Number.parseInt(colour.slice(from, from + 2), 16));
        const shown = await page.getByTestId(`colour-${name}`).evaluate((swatch) => getComputedStyle(swatch).backgroundColor);
        expect([name, shown]).toEqual([name, `rgb(${r}, ${g}, ${b})`]);
      }
      const [stored, simulated, moved] = await Promise.all(
        ['stored', 'simulated', 'updated'].map(async (name) => Number(await text(page, `count-${name}`))),
      );
      expect(stored).toBeGreaterThan(200);
      expect(stored! + 1).toBeGreaterThan(simulated!);
      expect(simulated).toBeGreaterThan(moved!);
      expect(moved).toBeGreaterThan(0);
      await page.screenshot({ path: `${root}test-results/sparse-top.png` });
      expect(complaints).toEqual([]);
      await page.context().close();
    });

    it('[SW-R1] [SW-E4] jumps two billion chunks away, where nothing jitters, and back', async () => {
      const page = await explore('jump&seed=7');
      await fromAbove(page);
      await page.getByLabel('chunk x').fill('two');
      expect(await page.getByRole('button', { name: 'Jump', exact: true }).isDisabled()).toBe(true);
      await page.getByRole('button', { name: 'Two billion away' }).click();
      await page.getByRole('button', { name: 'Jump', exact: true }).click();
      await expect.poll(() => text(page, 'chunk'), { timeout: PATIENCE }).toBe(`${FAR}, ${FAR}, ${FAR}`);
      const before = (await hero(page))!;
      // what stands still stays on the same bits of the screen while the hero does
      await frames(page, 4);
      const resting = await at(page, 'hero');
      for (let i = 0; i < 5; i++) {
        await frames(page, 1, 34);
        expect(await at(page, 'hero')).toEqual(resting);
      }
      // and in the dungeon, where it stands in the middle of its room
      await choose(page, 'Dungeon');
      await frames(page, 2);
      const standing = (await at(page, 'hero 0'))!;
      expect([standing.visible, Math.abs(standing.y - WIDE.height / 2) < 150]).toEqual([true, true]);
      await frames(page, 2, 34);
      expect(await at(page, 'hero 0')).toEqual(standing);
      await page.keyboard.down('s');
      await frames(page, 6);
      await page.keyboard.up('s');
      expect((await hero(page))!.y).not.toBe(before.y);
      await page.getByRole('button', { name: 'Home' }).click();
      await page.getByRole('button', { name: 'Jump', exact: true }).click();
      await expect.poll(() => text(page, 'chunk'), { timeout: PATIENCE }).toBe('0, 0, 0');
      await page.context().close();
    });

    it('[SW-D1] [SW-R17] walks there exactly as here: the top view’s positions are the same bits at every step', async () => {
      const pages = await Promise.all(['0,0,0', `${FAR},${-FAR},${FAR}`].map((origin, i) => explore(`walk${i}&seed=7&origin=${origin}`)));
      const seen = await Promise.all(
        pages.map(async (page) => {
          await fromAbove(page);
          const positions: unknown[] = [];
          await page.keyboard.down('a');
          for (let i = 0; i < 8; i++) {
            await frames(page, 1);
            positions.push(
              await at(page, 'hero'),
              await at(page, 'familiar'),
              await at(page, 'monster'),
              await at(page, 'gold'),
              await at(page, 'fountain'),
            );
          }
          await page.keyboard.up('a');
          return [await tick(page), ...positions];
        }),
      );
      expect(seen[0]!.length).toBe(41);
      expect(seen[0]!.every((place) => place !== null)).toBe(true);
      expect(seen[1]).toEqual(seen[0]);
      for (const page of pages) await page.context().close();
    });

    it('[SW-R39] [SW-R44] [SW-R45] shows the particles with their grid, and obeys the knobs at once', async () => {
      const page = await explore('particles&seed=7');
      await choose(page, 'Particles');
      await frames(page, 20);
      const number = async (id: string): Promise<number> => Number.parseFloat((await text(page, id))!);
      expect(await number('alive')).toBe(360); // three a frame, sixty frames a second, two seconds
      const lit = () =>
        page.getByTestId('explorer-particles').evaluate((canvas) => {
          const { width, height } = canvas as HTMLCanvasElement;
          const { data } = (canvas as HTMLCanvasElement).getContext('2d')!.getImageData(0, 0, width, height);
          let count = 0;
          for (let i = 0; i < data.length; i += 4) if (data[i]! + data[i + 1]! + data[i + 2]! > 60) count++;
          return count;
        });
      const withGrid = await lit();
      await page.getByLabel('Density grid').uncheck();
      await frames(page, 1, 0);
      await expect.poll(lit, { timeout: PATIENCE }).toBeLessThan(withGrid);

      const even = await number('densest');
      const knob = (name: string, value: number) =>
        page.getByRole('slider', { name }).evaluate((input, to) => {
          (input as HTMLInputElement).value = String(to);
          input.dispatchEvent(new Event('input', { bubbles: true }));
        }, value);
      // without dispersion they stay where they fall, in few cells
      await knob('Dispersion (document: 1)', 0);
      expect(await text(page, 'knob-dispersion')).toBe('0');
      await page.getByRole('button', { name: 'Start anew' }).click();
      await frames(page, 20);
      await expect.poll(() => number('densest'), { timeout: PATIENCE }).toBeGreaterThan(even * 1.5);
      await knob('Spawned a frame', 0);
      await frames(page, 45);
      await expect.poll(() => number('alive'), { timeout: PATIENCE }).toBe(0);
      await page.screenshot({ path: `${root}test-results/sparse-particles.png` });
      expect(complaints).toEqual([]);
      await page.context().close();
    });

    it('speaks Russian, fits a phone, and follows a finger', async () => {
      const page = await explore('phone&seed=7', { viewport: { width: 360, height: 740 }, locale: 'ru-RU', hasTouch: true });
      expect(await text(page, 'hint')).toMatch(/^Собирайте золото/);
      await frames(page, 2);
      const start = (await hero(page))!;
      const there = (await at(page, 'hero 0'))!;
      const finger = await page.context().newCDPSession(page);
      const touch = (type: 'touchStart' | 'touchEnd', ...touchPoints: { x: number; y: number }[]) =>
        finger.send('Input.dispatchTouchEvent', { type, touchPoints });
      await touch('touchStart', { x: there.x, y: there.y - 120 });
      await expect.poll(() => frames(page, 2).then(async () => (await hero(page))!.y), { timeout: PATIENCE }).toBeGreaterThan(start.y + 1);
      await touch('touchEnd');
      await frames(page, 5);
      const stopped = (await hero(page))!;
      await frames(page, 2);
      expect((await hero(page))!.y - stopped.y).toBeLessThan(0.1);
      const sword = (await page.getByRole('button', { name: 'Меч' }).boundingBox())!;
      await touch('touchStart', { x: sword.x + 9, y: sword.y + 9 });
      await expect.poll(async () => (await frames(page, 1), await has(page, 'sword 0')), { timeout: PATIENCE }).toBe(true);
      await touch('touchEnd');
      await page.getByRole('button', { name: 'Сверху', exact: true }).click();
      await frames(page, 1);
      expect(await page.getByText('Границы камеры').isVisible()).toBe(true);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
      const heights = await page.locator('.explorer-bar button').evaluateAll((buttons) => buttons.map((button) => button.clientHeight));
      expect(Math.min(...heights)).toBeGreaterThanOrEqual(38);
      await page.getByRole('button', { name: 'Панели' }).click();
      await page.getByText('Прыгнуть в чанк').waitFor();
      await page.screenshot({ path: `${root}test-results/sparse-phone.png` });
      await page.context().close();
    });
  });
});

import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Json, WorldEvent } from '@lockstep/kernel';
import { Controls, pinball, type State } from '@lockstep/pinball';
import { readReplay, ReplayWriter, verifyReplay } from '@lockstep/replay';
import type { CDPSession, Download, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ballOnFlipper } from '../apps/studio/src/arcade/fan.ts';
import { type Frame, frameOf, xOf, yOf } from '../apps/studio/src/arcade/frame.ts';
import { listenForComplaints, openTheatre, PATIENCE, root, type Theatre, why } from './browser.test-support.ts';
import { workshop } from './cli-run.ts';

const { world } = pinball;
const WIDE = { width: 1180, height: 760 };
const learner = world.readConfig('learner').machine.layout;

describe.skipIf(why !== '')('the pinball machine, driven as a person would', () => {
  let theatre: Theatre;
  let page: Page;
  const complaints: string[] = [];
  const { folder, lockstep } = workshop();

  beforeAll(async () => {
    theatre = await openTheatre();
    page = await open('#table=learner');
    mkdirSync(`${root}test-results`, { recursive: true });
  });
  afterAll(() => theatre?.close());
  beforeEach(() => {
    complaints.length = 0;
  });

  async function open(link: string, prepare: (page: Page) => Promise<unknown> = async () => {}): Promise<Page> {
    const opened = await theatre.browser.newPage({ viewport: WIDE, colorScheme: 'dark', locale: 'en-US', acceptDownloads: true });
    listenForComplaints(opened, complaints, (text) => text.includes('willReadFrequently'));
    await prepare(opened);
    await opened.goto(theatre.url + link);
    await opened.getByTestId('field').waitFor({ timeout: PATIENCE });
    await frame(0, opened);
    return opened;
  }

  const frame = (ms: number, on = page) => on.evaluate((time) => window.__studio.frame(time), ms);
  const tick = (on = page) => on.evaluate(() => window.__studio.shownTick);
  const head = (on = page) => on.evaluate(() => window.__studio.headTick);
  const hash = (on = page) => on.evaluate(() => window.__studio.hash);
  const score = (on = page) => on.evaluate(() => window.__studio.scores[0]!);
  const text = async (id: string, on = page) => (await on.getByTestId(id).textContent()) ?? '';
  const digits = async (id: string, on = page) => Number((await text(id, on)).replaceAll(/\D/g, ''));
  /** The points of a shape of the scene: where a flipper is drawn. */
  const shape = (key: string, on = page) =>
    on.evaluate((name) => {
      const found = window.__studio.scene!.shapes.find((one) => one.key === name);
      return found?.shape === 'path' ? [...found.points].join(' ') : '';
    }, key);
  const balls = (on = page) =>
    on.evaluate(() => window.__studio.scene!.shapes.flatMap((one) => (one.shape === 'sphere' ? [{ x: one.x, z: one.z }] : [])));
  const saved = async (download: Download) => {
    const path = join(folder, download.suggestedFilename());
    await download.saveAs(path);
    return path;
  };
  const downloaded = async (button: string, on = page) => {
    const [download] = await Promise.all([on.waitForEvent('download'), on.getByRole('button', { name: button }).click()]);
    return saved(download);
  };
  const drop = (file: string, bytes: Uint8Array, on = page) =>
    on.locator('.arcade').evaluate(
      (element, [name, content]) => {
        const dataTransfer = new DataTransfer();
        dataTransfer.items.add(new File([Uint8Array.from(content)], name));
        for (const type of ['dragover', 'drop'])
          element.dispatchEvent(new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true }));
      },
      [file, [...bytes]] as const,
    );
  /** Holds the plunger's key for a while, then lets it go. */
  const plunge = async (ms: number, on = page) => {
    await on.keyboard.down('Space');
    await frame(ms, on);
    await on.keyboard.up('Space');
    await frame(20, on);
  };
  /** Plunges whenever a ball waits, until the game is over. */
  const playOut = async (on = page) => {
    for (let round = 0; round < 80 && (await on.getByTestId('end').count()) === 0; round++) {
      await plunge(900, on);
      await frame(4000, on);
    }
    await on.getByTestId('end').waitFor({ timeout: PATIENCE });
  };
  /** How much of the table is drawn in the colour of sensors, which has no other use. */
  const pink = (on = page) =>
    on.getByTestId('field').evaluate((canvas) => {
      const { width, height } = canvas as HTMLCanvasElement;
      const { data } = (canvas as HTMLCanvasElement).getContext('2d')!.getImageData(0, 0, width, height);
      let count = 0;
      for (let i = 0; i < data.length; i += 4) if (data[i]! > 180 && data[i + 1]! < 120 && data[i + 2]! > 140) count++;
      return count;
    });

  it('shows a game by the wizard until a key is pressed', async () => {
    await page.getByTestId('attract').waitFor();
    await expect.poll(async () => (await frame(200), tick()), { timeout: PATIENCE }).toBeGreaterThan(500);
    expect(await text('ball')).toBe('The wizard is playing');
    await page.keyboard.press('ShiftLeft');
    await frame(20);
    expect(await page.getByTestId('attract').count()).toBe(0);
    expect(await text('ball')).toBe('Ball 1 of 3');
    expect(await tick()).toBeLessThan(20);
    expect(complaints).toEqual([]);
  });

  it('pulls the plunger as long as its key is held, and throws the ball when it is let go', async () => {
    const [before] = await balls();
    await page.keyboard.down('Space');
    await frame(400);
    const half = await shape('plunger');
    await frame(500);
    expect(await shape('plunger')).not.toBe(half);
    const [pulled] = await balls();
    expect(pulled!.z).toBeGreaterThan(before!.z);
    await page.keyboard.up('Space');
    await frame(300);
    const [thrown] = await balls();
    expect(thrown!.z).toBeLessThan(before!.z - 20);
    // The space bar was the machine's, and did not stop the game.
    expect(await page.evaluate(() => window.__studio.playing)).toBe(true);
  });

  it('flips with keys, each flipper with its own, for as long as they are held', async () => {
    const [left, right] = [await shape('flipper left flipper'), await shape('flipper right flipper')];
    await page.keyboard.down('KeyZ');
    await frame(100);
    expect(await shape('flipper left flipper')).not.toBe(left);
    expect(await shape('flipper right flipper')).toBe(right);
    await page.keyboard.down('ArrowRight');
    await frame(100);
    expect(await shape('flipper right flipper')).not.toBe(right);
    await page.keyboard.up('KeyZ');
    await page.keyboard.up('ArrowRight');
    await frame(400);
    expect([await shape('flipper left flipper'), await shape('flipper right flipper')]).toEqual([left, right]);
  });

  it('scores, drains and ends; the display is the state, and the game is on the list after it was played again', async () => {
    await playOut();
    await frame(0);
    const final = await score();
    expect(final).toBeGreaterThan(0);
    expect(await digits('score')).toBe(final);
    expect(await text('end')).toContain('Game over');
    await page.getByTestId('best').waitFor({ timeout: PATIENCE });
    expect((await text('best')).replaceAll(/\D/g, '')).toContain(String(final));
    expect(await text('said')).toMatch(/Played again and the same.*number 1 on the list/);
    await expect.poll(() => text('badge'), { timeout: PATIENCE }).toBe('verified ✓');
    expect(await page.evaluate(() => window.__studio.verifiedTick)).toBe(await head());
    await page.screenshot({ path: `${root}test-results/pinball-over.png`, timeout: PATIENCE });
    expect(complaints).toEqual([]);
  });

  it('saves a replay that the command line verifies', async () => {
    const final = await score();
    const path = await downloaded('Save the replay');
    const { code, out, err } = await lockstep('replay', 'verify', path);
    expect([code, err]).toEqual([0, '']);
    expect(out).toMatch(/verified|ok/i);
    const replay = await readReplay(readFileSync(path), 'game');
    expect(verifyReplay(world, replay).ok).toBe(true);
    expect(replay.result!.scores).toEqual([final]);
  });

  it('refuses a forged game in one line, dropped or smuggled into the browser’s own store', async () => {
    const final = await score();
    const path = await downloaded('Save the replay');
    const forged = await forge(readFileSync(path), final + 1_000_000);
    await drop('forged.replay', forged);
    await expect.poll(() => text('said'), { timeout: PATIENCE }).toMatch(/^Refused\. forged\.replay: replay diverged at tick \d+: result/);
    expect(await text('best')).not.toContain(String(final + 1_000_000).slice(0, 4));
    await page.evaluate(
      async (content) =>
        new Promise<void>((resolve, reject) => {
          const asked = indexedDB.open('lockstep-arcade', 1);
          asked.addEventListener('success', () => {
            const written = asked.result
              .transaction('games', 'readwrite')
              .objectStore('games')
              .add({ bytes: Uint8Array.from(content), when: 0 });
            written.addEventListener('success', () => (asked.result.close(), resolve()));
            written.addEventListener('error', () => reject(new Error('not written')));
          });
        }),
      [...forged],
    );
    await page.reload();
    await page.getByTestId('field').waitFor({ timeout: PATIENCE });
    await frame(0);
    await expect.poll(() => page.getByTestId('refused').count(), { timeout: PATIENCE }).toBe(1);
    expect(await text('refused')).toMatch(/replay diverged at tick \d+: result\.scores/);
    await page.getByTestId('refused').getByRole('button').click();
    await expect.poll(() => page.getByTestId('refused').count(), { timeout: PATIENCE }).toBe(0);
    // Damaged data are not a game either.
    await drop(
      'damaged.replay',
      readFileSync(path).map((byte, i) => (i === 200 ? byte ^ 1 : byte)),
    );
    await expect.poll(() => text('said'), { timeout: PATIENCE }).toMatch(/^Refused\. damaged\.replay: /);
    expect(complaints).toEqual([]);
  });

  it('watches a game of the list, takes it up at any moment, and keeps what really came as a ghost', async () => {
    await page.locator('.arcade-game').first().click();
    await frame(3000);
    expect(await tick()).toBe(750);
    await page.keyboard.press('KeyP');
    const there = await hash();
    await page.keyboard.press('Shift+ArrowRight');
    expect(await tick()).toBe(810);
    await page.keyboard.press('Shift+ArrowLeft');
    expect([await tick(), await hash()]).toEqual([750, there]);
    const known = await head();
    expect(known).toBeGreaterThan(810);
    await page.keyboard.press('KeyF');
    await frame(0);
    expect([await tick(), await head(), await hash()]).toEqual([750, 750, there]);
    await page.keyboard.down('ShiftRight');
    await frame(1000);
    await page.keyboard.up('ShiftRight');
    await frame(20);
    expect(await page.getByTestId('branches').getByRole('button').allTextContents()).toEqual(['The game', 'What if 1']);
    await page.getByRole('button', { name: 'Pause' }).first().click();
    await expect.poll(() => page.evaluate(() => window.__studio.verifiedTick), { timeout: PATIENCE }).toBe(await head());
    await page.getByTestId('branches').getByRole('button', { name: 'The game' }).click();
    expect(await head()).toBe(known);
  });

  it('rewinds while a key is held, and goes on from there; slow motion slows', async () => {
    await page.getByRole('button', { name: 'New game' }).click();
    await plunge(900);
    await frame(1500);
    const [at, before] = [await tick(), await hash()];
    await page.keyboard.down('KeyR');
    await frame(500);
    const back = await tick();
    expect(back).toBe(at - 250);
    await page.keyboard.up('KeyR');
    expect(await head()).toBe(back);
    // Nobody touches anything, as before: the same comes again.
    await frame(1000);
    expect([await tick(), await hash()]).toEqual([at, before]);
    await page.getByRole('button', { name: 'Slow motion' }).click();
    await frame(400);
    expect(await tick()).toBe(at + 25);
    await page.getByRole('button', { name: 'Slow motion' }).click();
  });

  it('goes back to the wizard some time after the end', async () => {
    await playOut();
    await frame(8000);
    expect(await page.getByTestId('attract').count()).toBe(0);
    await frame(8000);
    expect(await page.getByTestId('attract').count()).toBe(1);
    await expect.poll(async () => (await frame(200), tick()), { timeout: PATIENCE }).toBeGreaterThan(100);
  });

  it('shows what the physics sees', async () => {
    await expect.poll(() => pink(), { timeout: PATIENCE }).toBe(0);
    await page.getByLabel('Show colliders').check();
    await expect.poll(() => pink(), { timeout: PATIENCE }).toBeGreaterThan(10);
    expect(await page.getByTestId('legend').getByRole('listitem').allTextContents()).toContain('one-way');
    await page.getByLabel('Show colliders').uncheck();
    await expect.poll(() => pink(), { timeout: PATIENCE }).toBe(0);
  });

  it('draws a fan of hundreds of shots, each as the world plays it', async () => {
    await page.getByLabel('Flipper').selectOption('right flipper');
    await page.getByRole('button', { name: 'Shoot the fan' }).click();
    await page.getByTestId('fan').waitFor({ timeout: PATIENCE });
    const count = Number(await page.getByTestId('fan').getAttribute('data-shots'));
    expect(count).toBeGreaterThan(200);
    expect(await text('fan')).toContain(`${count} shots`);
    await page.screenshot({ path: `${root}test-results/pinball-fan.png`, timeout: PATIENCE });
    const path = await downloaded('Save as JSON');
    const { shots } = JSON.parse(readFileSync(path, 'utf8')) as { shots: { press: number; path: number[]; lost: boolean }[] };
    expect(shots.map(({ press }) => press)).toEqual(Array.from({ length: count }, (_, i) => i));
    const config = world.readConfig('learner');
    for (const shot of shots) expect(ownShot(ballOnFlipper(config, 1), shot.press)).toEqual({ path: shot.path, lost: shot.lost });
    await page.getByRole('button', { name: 'Clear' }).click();
    expect(complaints).toEqual([]);
  });

  it('says what physics costs', async () => {
    for (let i = 0; i < 61; i++) await frame(16);
    const ms = Number(await page.getByTestId('cost').getAttribute('data-ms'));
    expect(ms).toBeGreaterThan(0);
    console.info(`pinball: physics ${ms} ms a frame of 16 ms`);
  });

  describe('the table editor', () => {
    let frameOn: Frame;
    let box: { x: number; y: number };
    const at = ([x, y]: readonly [number, number]) => ({ x: box.x + xOf(frameOn, x), y: box.y + yOf(frameOn, y) });
    const click = async (place: readonly [number, number]) => {
      const { x, y } = at(place);
      await page.mouse.click(x, y);
    };
    const drag = async (from: readonly [number, number], to: readonly [number, number]) => {
      const [a, b] = [at(from), at(to)];
      await page.mouse.move(a.x, a.y);
      await page.mouse.down();
      await page.mouse.move((a.x + b.x) / 2, (a.y + b.y) / 2);
      await page.mouse.move(b.x, b.y);
      await page.mouse.up();
    };
    const exported = async () => JSON.parse(readFileSync(await downloaded('Export JSON'), 'utf8')) as Record<string, Json[]>;
    const verdict = () => text('verdict');
    const bumpers = async () => (await exported())['bumpers'] as unknown as { name: string; at: [number, number]; radius: number }[];

    beforeAll(async () => {
      await page.getByRole('button', { name: 'Edit the table' }).click();
      await page.getByTestId('verdict').waitFor();
      const found = await page.getByTestId('field').evaluate((canvas) => {
        const { left, top, width, height } = canvas.getBoundingClientRect();
        return { x: left, y: top, width, height };
      });
      box = found;
      frameOn = frameOf(learner, found);
    });

    it('adds, moves, resizes and deletes a part; undo and redo', async () => {
      expect(await verdict()).toBe('This table can be played.');
      await page.getByRole('button', { name: 'bumper', exact: true }).click();
      await click([18, 27]);
      expect(await page.getByTestId('selected').getAttribute('data-path')).toBe('bumpers[3]');
      expect((await bumpers())[3]!.at[1]).toBeCloseTo(27, 0);
      await drag([18, 25], [14, 27]);
      const [x, y] = (await bumpers())[3]!.at;
      expect([Math.round(x), Math.round(y)]).toEqual([14, 29]);
      await drag([x + 2.5, y], [x + 3.5, y]);
      expect((await bumpers())[3]!.radius).toBeCloseTo(3.5, 0);
      await page.keyboard.press('Delete');
      expect(await bumpers()).toHaveLength(3);
      expect(JSON.stringify(await exported())).not.toContain('bumper 1');
      for (let i = 0; i < 3; i++) await page.keyboard.press('KeyU');
      expect((await bumpers())[3]).toMatchObject({ name: 'bumper 1', radius: 2.5 });
      await page.keyboard.press('KeyY');
      expect([Math.round((await bumpers())[3]!.at[0])]).toEqual([14]);
      expect(complaints).toEqual([]);
    });

    it('lets a ball roll on the table while it is made', async () => {
      await page.getByRole('button', { name: 'ball', exact: true }).click();
      await click([18, 55]);
      await page.getByRole('button', { name: 'ball', exact: true }).click();
      const [before] = await balls();
      await frame(250);
      const [after] = await balls();
      expect(after!.z).toBeGreaterThan(before!.z);
      await page.getByRole('button', { name: 'post', exact: true }).click();
      await click([5, 24]);
      const [still] = await balls();
      expect(still!.z).toBeCloseTo(after!.z, 5);
      await frame(100);
      expect((await balls())[0]!.z).toBeGreaterThan(after!.z);
    });

    it('says what is wrong in the reader’s own words, at its part, and does not play it', async () => {
      const { pivot } = learner.flippers[0]!;
      await click([pivot[0], pivot[1]]);
      expect(await page.getByTestId('selected').getAttribute('data-path')).toBe('flippers[0]');
      await drag([pivot[0], pivot[1]], [4, 16]);
      expect(await text('wrong')).toMatch(/table\.flippers\[0\]\.pivot: expected a flipper that is clear of walls\[\d+\].*, got \[/);
      expect(await page.getByTestId('wrong').getAttribute('data-part')).toBe('flippers[0]');
      expect(await page.getByRole('button', { name: 'Play this table' }).isDisabled()).toBe(true);
      const draft = await exported();
      const own = () => world.readConfig({ table: draft as unknown as Json });
      expect(own).toThrow((await verdict()).replace(/^table/, 'config.table'));
      await page.screenshot({ path: `${root}test-results/pinball-editor.png`, timeout: PATIENCE });
      await page.getByRole('button', { name: 'Undo' }).click();
      expect(await verdict()).toBe('This table can be played.');
      expect(await page.getByTestId('wrong').count()).toBe(0);
    });

    it('survives a reload, imports what it exported, and is played with a list of its own', async () => {
      const before = await exported();
      await page.reload();
      await page.getByTestId('verdict').waitFor({ timeout: PATIENCE });
      await frame(0);
      expect(await exported()).toEqual(before);
      await page.getByRole('button', { name: 'Start from First steps' }).click();
      expect(await bumpers()).toHaveLength(3);
      await drop('mine.json', Buffer.from(JSON.stringify(before)));
      await expect.poll(async () => (await bumpers()).length, { timeout: PATIENCE }).toBe(4);
      await drop('broken.json', Buffer.from('{ "name": '));
      await expect.poll(() => text('said'), { timeout: PATIENCE }).toMatch(/^broken\.json: /);
      await page.getByRole('button', { name: 'Play this table' }).click();
      await frame(20);
      expect(await text('ball')).toBe('Ball 1 of 3');
      await plunge(900);
      await frame(1000);
      const path = await downloaded('Save the replay');
      const replay = await readReplay(readFileSync(path), 'game');
      expect((replay.config as { table: { bumpers: Json[] } }).table.bumpers).toHaveLength(4);
      expect(verifyReplay(world, replay).ok).toBe(true);
    });
  });

  it('speaks Russian and has a light side', async () => {
    const other = await open('#table=classic', (opened) => opened.emulateMedia({ colorScheme: 'light' }));
    await other.getByRole('button', { name: 'По-русски' }).click();
    expect(await text('ball', other)).toBe('Играет волшебник');
    expect(await other.getByRole('button', { name: 'Править стол' }).count()).toBe(1);
    await expect.poll(async () => (await frame(100, other), tick(other)), { timeout: PATIENCE }).toBeGreaterThan(700);
    await other.screenshot({ path: `${root}test-results/pinball-light.png`, timeout: PATIENCE });
    await other.goto(`${theatre.url}#table=nowhere`);
    await expect.poll(() => other.getByText('nowhere').count(), { timeout: PATIENCE }).toBeGreaterThan(0);
    await other.close();
    expect(complaints).toEqual([]);
  });

  it('is opened from the match of its world', async () => {
    const match = await theatre.browser.newPage({ viewport: WIDE, locale: 'en-US' });
    await match.goto(`${theatre.url}#world=pinball&preset=learner&seed=1`);
    await match.getByRole('button', { name: 'Play yourself' }).click({ timeout: PATIENCE });
    await expect.poll(() => match.getByTestId('hands').textContent(), { timeout: PATIENCE }).toContain('both flippers');
    expect(await match.getByTestId('hands').textContent()).not.toContain('where to go');
    await match.getByRole('button', { name: 'Play at the table' }).click({ timeout: PATIENCE });
    await match.getByTestId('field').waitFor({ timeout: PATIENCE });
    expect(new URL(match.url()).hash).toBe('#table=learner');
    await match.close();
  });

  it('is played with two thumbs on a phone', async () => {
    const context = await theatre.browser.newContext({
      viewport: { width: 360, height: 740 },
      hasTouch: true,
      isMobile: true,
      locale: 'en-US',
      colorScheme: 'dark',
    });
    const phone = await context.newPage();
    listenForComplaints(phone, complaints);
    await phone.goto(`${theatre.url}#table=learner`);
    await phone.getByTestId('field').waitFor({ timeout: PATIENCE });
    await frame(0, phone);
    const fingers = await context.newCDPSession(phone);
    const size = (await phone.getByTestId('field').boundingBox())!;
    expect(size.x).toBeGreaterThanOrEqual(0);
    expect(size.width).toBeLessThanOrEqual(360);
    const touch = toucher(fingers, size);
    await touch('touchStart', [0.5, 0.5]);
    await touch('touchEnd');
    await frame(20, phone);
    expect(await text('ball', phone)).toBe('Ball 1 of 3');
    const zones = phone.getByTestId('zones').locator('span');
    expect(await zones.allTextContents()).toEqual(['pull', 'push the table', 'left flipper', 'right flipper']);
    expect(await zones.first().isVisible()).toBe(true);
    const [left, right] = [await shape('flipper left flipper', phone), await shape('flipper right flipper', phone)];
    const moved = async () => [
      (await shape('flipper left flipper', phone)) !== left,
      (await shape('flipper right flipper', phone)) !== right,
    ];
    await touch('touchStart', [0.15, 0.8]);
    await frame(100, phone);
    expect(await moved()).toEqual([true, false]);
    await touch('touchStart', [0.15, 0.8], [0.7, 0.6]);
    await frame(100, phone);
    expect(await moved()).toEqual([true, true]);
    await touch('touchEnd');
    await frame(400, phone);
    expect(await moved()).toEqual([false, false]);
    // Its corner is the plunger's while a ball waits there: drawn down, then let go.
    const [before] = await balls(phone);
    await touch('touchStart', [0.9, 0.8]);
    await touch('touchMove', [0.9, 0.99]);
    await frame(500, phone);
    await touch('touchEnd');
    await frame(300, phone);
    expect((await balls(phone))[0]!.z).toBeLessThan(before!.z - 10);
    await touch('touchStart', [0.9, 0.8]);
    await frame(100, phone);
    expect(await moved()).toEqual([false, true]);
    await touch('touchEnd');
    await frame(20, phone);
    expect(await phone.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
    for (const box of await phone
      .locator('.arcade-tools button')
      .evaluateAll((all) => all.map((one) => one.getBoundingClientRect().toJSON() as DOMRect)))
      expect(Math.min(box.width, box.height)).toBeGreaterThanOrEqual(40);
    await phone.screenshot({ path: `${root}test-results/pinball-phone.png`, timeout: PATIENCE });
    await context.close();
    expect(complaints).toEqual([]);
  });

  it('leaves the table its height and the display its lines on screens that are low', async () => {
    const boxOf = async (on: Page, target: string) => (await on.locator(target).boundingBox())!;
    const context = await theatre.browser.newContext({
      viewport: { width: 740, height: 360 },
      hasTouch: true,
      isMobile: true,
      locale: 'en-US',
    });
    const lying = await context.newPage();
    await lying.goto(`${theatre.url}#table=learner`);
    await lying.getByTestId('field').waitFor({ timeout: PATIENCE });
    await frame(0, lying);
    await lying.touchscreen.tap(370, 150);
    await frame(100, lying);
    expect(await text('ball', lying)).toBe('Ball 1 of 3');
    const field = await boxOf(lying, '.arcade-canvas');
    expect([field.x, field.width]).toEqual([0, 740]);
    expect(field.height).toBeGreaterThanOrEqual(300);
    await context.close();
    const low = await open('#table=learner');
    await low.setViewportSize({ width: 1024, height: 560 });
    const [display, status] = [await boxOf(low, '.arcade-display'), await boxOf(low, '.arcade-status')];
    expect(display.y + display.height).toBeGreaterThanOrEqual(status.y + status.height);
    await low.close();
  });

  it('is played with a gamepad', async () => {
    const other = await open('#table=learner', (opened) =>
      opened.addInitScript(() => {
        const buttons = Array.from({ length: 17 }, () => ({ pressed: false, touched: false, value: 0 }));
        const pad = { index: 0, connected: true, mapping: 'standard', id: 'test', buttons, axes: [0, 0, 0, 0] };
        Object.assign(window, { pad });
        navigator.getGamepads = () => [pad as unknown as Gamepad];
      }),
    );
    const pad = (button: number, pressed: boolean) =>
      other.evaluate(
        ([at, down]) => ((window as unknown as { pad: { buttons: { pressed: boolean }[] } }).pad.buttons[at]!.pressed = down),
        [button, pressed] as const,
      );
    const stick = (axis: number, value: number) =>
      other.evaluate(([at, to]) => ((window as unknown as { pad: { axes: number[] } }).pad.axes[at] = to), [axis, value] as const);
    await pad(4, true);
    await frame(50, other);
    await pad(4, false);
    await frame(50, other);
    expect(await text('ball', other)).toBe('Ball 1 of 3');
    const left = await shape('flipper left flipper', other);
    await pad(4, true);
    await frame(100, other);
    expect(await shape('flipper left flipper', other)).not.toBe(left);
    await pad(4, false);
    await stick(3, 1);
    await frame(500, other);
    await stick(3, 0);
    const [before] = await balls(other);
    await frame(300, other);
    expect((await balls(other))[0]!.z).toBeLessThan(before!.z - 20);
    await pad(9, true);
    await frame(20, other);
    expect(await other.evaluate(() => window.__studio.playing)).toBe(false);
    await other.close();
  });
});

function toucher(fingers: CDPSession, { x, y, width, height }: { x: number; y: number; width: number; height: number }) {
  return (type: 'touchStart' | 'touchMove' | 'touchEnd', ...places: (readonly [number, number])[]) =>
    fingers.send('Input.dispatchTouchEvent', {
      type,
      touchPoints: places.map(([px, py], id) => ({ x: x + px * width, y: y + py * height, id })),
    });
}

/** The same presses, but a score that they never made: a file that is whole in itself. */
async function forge(bytes: Uint8Array, score: number): Promise<Uint8Array> {
  const replay = await readReplay(bytes, 'game');
  const config = world.readConfig(replay.config);
  const writer = new ReplayWriter({ world, config, seed: replay.seed, bots: replay.bots });
  const state = world.create(config, replay.seed);
  const width = replay.rows.length / replay.ticks;
  for (let tick = 0; tick < replay.ticks; tick++) {
    const [left, right, plunger, nudgeX, nudgeY] = replay.rows.slice(tick * width, (tick + 1) * width);
    const action = Object.assign(new Controls(), { left: left === 1, right: right === 1, plunger, nudgeX, nudgeY });
    const events: WorldEvent[] = [];
    writer.note([action]);
    world.step(state, [action], events);
    writer.afterStep(state, events);
  }
  return writer.finish({ scores: [score], ranks: [1], reason: 'game over' }, []);
}

/** A shot from the right flipper, played here: x and y of every second tick and the last. */
function ownShot(state: State, press: number): { path: number[]; lost: boolean } {
  const path = [state.physics.x[0]!, state.physics.y[0]!];
  const end = press + 500;
  for (let tick = 0; tick < end; tick++) {
    const controls = Object.assign(new Controls(), { right: tick >= press });
    const events: WorldEvent[] = [];
    world.step(state, [controls], events);
    if (events.some(({ kind }) => kind === 'drain')) return { path: path.map(Math.fround), lost: true };
    if (tick % 2 === 0 || tick === end - 1) path.push(state.physics.x[0]!, state.physics.y[0]!);
  }
  return { path: path.map(Math.fround), lost: false };
}

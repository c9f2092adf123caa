import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { catalog } from '@lockstep/catalog';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { serveStudio } from '../apps/cli/src/serve.ts';
import type { StudioDoor } from '../apps/studio/src/door.ts';
import { Run } from '../apps/studio/src/run.ts';

declare global {
  interface Window {
    __studio: StudioDoor;
  }
}

const root = fileURLToPath(new URL('..', import.meta.url));
const found = existsSync(`${root}.cache/browser.json`)
  ? (JSON.parse(readFileSync(`${root}.cache/browser.json`, 'utf8')) as { path: string; env?: Record<string, string> })
  : { path: '' };
const built = existsSync(`${root}apps/studio/dist/index.html`);
const why =
  found.path === '' ? 'no browser was found (npm test looks for one)' : built ? '' : 'the studio is not built (npm test builds it)';
if (why !== '') console.warn(`studio tests are skipped: ${why}`);

const FLAGS =
  '--no-sandbox --use-angle=swiftshader --enable-unsafe-swiftshader --disable-quic --no-first-run --disable-background-networking --disable-component-update --disable-sync';
const GAME = { world: 'codeball', preset: 'round1', seed: '7', bots: ['chaser', 'idle'] };
const LINK = '#world=codeball&preset=round1&seed=7&bots=chaser,idle';
/** A picture may take long where there is no graphics card and much else to do. */
const PATIENCE = 90_000;
const WIDE = { width: 900, height: 640 };

describe.skipIf(why !== '')('the studio, driven as a person would', () => {
  let server: Awaited<ReturnType<typeof serveStudio>>;
  let browser: Browser;
  let page: Page;
  const complaints: string[] = [];
  const strangers: string[] = [];

  beforeAll(async () => {
    server = await serveStudio({ port: 0, host: '127.0.0.1' });
    browser = await chromium.launch({
      executablePath: found.path,
      env: { ...process.env, ...found.env } as Record<string, string>,
      args: FLAGS.split(' '),
    });
    page = await open(LINK);
  });
  afterAll(async () => {
    await browser?.close();
    await server?.close();
  });
  beforeEach(() => {
    complaints.length = 0;
  });

  async function open(link: string, prepare: (page: Page) => Promise<unknown> = async () => {}): Promise<Page> {
    const opened = await browser.newPage({ viewport: WIDE, colorScheme: 'dark', locale: 'en-US' });
    opened.on('console', (message) => {
      if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text());
    });
    opened.on('pageerror', (error) => complaints.push(error.message));
    opened.on('request', (request) => {
      const { hostname, protocol } = new URL(request.url());
      if (protocol.startsWith('http') && hostname !== '127.0.0.1') strangers.push(request.url());
    });
    await prepare(opened);
    await opened.goto(server.url + link);
    return opened;
  }

  /** Frames by hand: software rendering is far too slow for the clock. */
  const frame = (ms: number, on = page) => on.evaluate((time) => window.__studio.frame(time), ms);
  const seen = (on = page) =>
    on.evaluate(() => {
      const { headTick, shownTick, verifiedTick, playing, scores, hash } = window.__studio;
      return { headTick, shownTick, verifiedTick, playing, scores, hash };
    });
  const text = async (id: string, on = page) => (await on.getByTestId(id).textContent())!;
  const ballAt = async () => (await page.evaluate(() => window.__studio.screenPosition('ball')))!;
  /** The sum of red, green and blue at places of the window. */
  const brightness = async (places: readonly { x: number; y: number }[]) => {
    const png = (await page.screenshot({ timeout: PATIENCE })).toString('base64');
    return page.evaluate(
      async ([base64, at]) => {
        const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
        const bitmap = await createImageBitmap(new Blob([bytes], { type: 'image/png' }));
        const pen = new OffscreenCanvas(bitmap.width, bitmap.height).getContext('2d')!;
        pen.drawImage(bitmap, 0, 0);
        return at.map(({ x, y }) => {
          const [r, g, b] = pen.getImageData(Math.round(x), Math.round(y), 1, 1).data;
          return r! + g! + b!;
        });
      },
      [png, places] as const,
    );
  };

  it('opens with a live match that plays by itself', async () => {
    await page.evaluate(() => window.__studio.ready);
    expect(await page.title()).toBe('chaser – idle · codeball · Lockstep');
    expect(await text('score')).toBe('0 : 0');
    await page.waitForFunction(() => window.__studio.shownTick >= 10);
    expect((await seen()).playing).toBe(true);
    await frame(0);
    expect(complaints).toEqual([]);
  });

  it('pauses and goes back and forth by single ticks, each with its own hash', async () => {
    await page.getByRole('button', { name: 'Pause' }).click();
    await frame(500);
    const paused = await seen();
    expect(paused.playing).toBe(false);
    await page.keyboard.press('ArrowRight');
    await frame(0);
    const next = await seen();
    expect(next.shownTick).toBe(paused.shownTick + 1);
    expect(next.hash).not.toBe(paused.hash);
    await page.getByRole('button', { name: 'One tick back' }).click();
    await frame(0);
    expect(await seen()).toMatchObject({ shownTick: paused.shownTick, hash: paused.hash });
    await page.keyboard.press('Shift+ArrowRight');
    await frame(0);
    expect((await seen()).shownTick).toBe(paused.shownTick + 60);
  });

  it('draws the ball where the stage says it is, and the ball moves', async () => {
    const ball = await ballAt();
    expect(ball.visible).toBe(true);
    const canvas = (await page.locator('canvas').boundingBox())!;
    expect(ball.x).toBeGreaterThan(canvas.x);
    expect(ball.x).toBeLessThan(canvas.x + canvas.width);
    const around = [-3, 0, 3].flatMap((dx) => [-3, 0, 3].map((dy) => ({ x: ball.x + dx, y: ball.y + dy })));
    const bright = Math.max(...(await brightness(around)));
    const [background] = await brightness([{ x: canvas.x + 4, y: canvas.y + 4 }]);
    expect(bright).toBeGreaterThan(background! + 150);
    await page.keyboard.press('Space');
    await frame(400);
    const moved = await ballAt();
    expect(Math.hypot(moved.x - ball.x, moved.y - ball.y)).toBeGreaterThan(2);
    await page.keyboard.press('Space');
    await frame(0);
  });

  it('keeps the thumb at the tick', async () => {
    const { shownTick } = await seen();
    const thumb = (await page.getByTestId('thumb').boundingBox())!;
    const track = (await page.locator('.track').boundingBox())!;
    const slider = page.getByRole('slider', { name: 'Timeline' });
    const span = Number(await slider.getAttribute('aria-valuemax'));
    expect(Number(await slider.getAttribute('aria-valuenow'))).toBe(shownTick);
    expect((thumb.x + thumb.width / 2 - track.x) / track.width).toBeCloseTo(shownTick / span, 2);
    expect(await text('tick')).toBe(`${shownTick} / 20000`);
  });

  it('plays at the chosen speed', async () => {
    await page.keyboard.press('Space');
    for (const speed of ['2×', '4×', '8×']) {
      await page.keyboard.press(']');
      expect(await text('speed')).toBe(speed);
    }
    await frame(0);
    const before = (await seen()).shownTick;
    await frame(500);
    expect((await seen()).shownTick).toBe(before + 240);
    for (let i = 0; i < 6; i++) await page.getByRole('button', { name: 'Slower' }).click();
    expect(await text('speed')).toBe('1/8×');
    for (let i = 0; i < 3; i++) await page.keyboard.press(']');
    expect(await text('speed')).toBe('1×');
  });

  it('goes back by a drag on the timeline, and what follows is the same game, bit for bit', async () => {
    await page.keyboard.press('Space');
    await frame(0);
    const late = await seen();
    const track = (await page.locator('.track').boundingBox())!;
    const span = Number(await page.getByRole('slider').getAttribute('aria-valuemax'));
    const x = (tick: number) => track.x + (tick / span) * track.width;
    const y = track.y + track.height / 2;
    await page.mouse.move(x(late.shownTick), y);
    await page.mouse.down();
    await page.mouse.move(x(200), y);
    await page.mouse.move(x(100), y);
    await page.mouse.up();
    await frame(0);
    const early = await seen();
    expect(Math.abs(early.shownTick - 100)).toBeLessThanOrEqual(Math.ceil(span / track.width));
    await page.keyboard.press('Space');
    await frame(((late.shownTick - early.shownTick) / 60) * 1000 + 1);
    await page.keyboard.press('Space');
    await frame(0);
    expect(await seen()).toMatchObject({ shownTick: late.shownTick, hash: late.hash });
  });

  it('calls the run verified only after it was simulated a second time', async () => {
    await page.keyboard.press('Space');
    for (let i = 0; i < 4; i++) {
      await frame(2000);
      // one look at both, so that nothing can happen in between
      const [said, ticks] = await page.evaluate(() => {
        const { shownTick, verifiedTick } = window.__studio;
        return [document.querySelector('[data-testid=badge]')!.textContent, { shownTick, verifiedTick }] as const;
      });
      if (said === 'verified ✓') expect(ticks.verifiedTick).toBeGreaterThanOrEqual(ticks.shownTick);
      else expect(said).toBe('checking…');
    }
    await page.waitForFunction(() => document.querySelector('[data-testid=badge]')!.textContent === 'verified ✓');
    expect((await seen()).verifiedTick).toBeGreaterThanOrEqual((await seen()).shownTick);
  });

  it('marks goals on the timeline, goes there by a click, and the score is the state’s', async () => {
    const marks = page.locator('.mark');
    for (let i = 0; i < 20 && (await marks.count()) === 0; i++) await frame(5000);
    expect(await marks.count()).toBeGreaterThan(0);
    const name = (await marks.first().getAttribute('aria-label'))!;
    const [, scorer, at] = /^Goal: (chaser|idle) \(tick (\d+)\)$/.exec(name)!;
    const tick = Number(at);
    if ((await seen()).playing) await page.getByRole('button', { name: 'Pause' }).click();
    await marks.first().click();
    await frame(0);
    const goal = await seen();
    expect(goal).toMatchObject({ shownTick: tick, scores: scorer === 'chaser' ? [1, 0] : [0, 1] });
    expect(await text('score')).toBe(goal.scores.join(' : '));
    await page.keyboard.press('ArrowLeft');
    await frame(0);
    expect(await text('score')).toBe('0 : 0');
    await page.keyboard.press('.');
    await frame(0);
    expect((await seen()).shownTick).toBe(tick);
    expect(complaints).toEqual([]);
  });

  it('has four cameras that show the ball', async () => {
    for (const name of ['Follow', 'Ball', 'Goal', 'Orbit']) {
      await page.getByRole('button', { name, exact: true }).click();
      for (let i = 0; i < 8; i++) await frame(400);
      expect(await page.getByRole('button', { name, exact: true }).getAttribute('aria-pressed')).toBe('true');
      if (name !== 'Follow') expect([name, (await ballAt()).visible]).toEqual([name, true]);
    }
    await page.keyboard.press('c');
    expect(await page.getByRole('button', { name: 'Follow' }).getAttribute('aria-pressed')).toBe('true');
    await page.getByRole('button', { name: 'Orbit' }).click();
  });

  it('lists the state and draws its numbers', async () => {
    await page.getByRole('tab', { name: 'State' }).click();
    const { shownTick } = await seen();
    await page.waitForFunction((tick) => document.querySelector('.fields td')?.textContent === String(tick), shownTick);
    await page.getByRole('tab', { name: 'Chart' }).click();
    expect(await page.locator('figure').count()).toBeGreaterThan(0);
    await page.getByRole('tab', { name: 'Match' }).click();
  });

  it('starts again with a seed that no double holds, and refuses one that is no seed', async () => {
    const field = page.getByLabel('Seed', { exact: true });
    await field.fill('18446744073709551616');
    expect(await page.getByRole('alert').textContent()).toContain('18446744073709551615');
    expect(await page.getByRole('button', { name: 'Restart' }).isDisabled()).toBe(true);
    await field.fill('18446744073709551615');
    await page.getByLabel('Rules').selectOption('finals');
    await page.getByLabel('Bot 1').selectOption('captain');
    await page.getByLabel('Bot 2').selectOption('quickstart');
    await page.getByRole('button', { name: 'Restart' }).click();
    await frame(0);
    expect((await seen()).shownTick).toBe(0);
    expect(await text('seed')).toBe('18446744073709551615');
    expect(await text('command')).toBe('npx lockstep match codeball captain quickstart --rules finals --seed 18446744073709551615');
    expect(new URL(page.url()).hash).toBe('#world=codeball&preset=finals&seed=18446744073709551615&bots=captain,quickstart');
  });

  it('gives the same hash as Node for the same setup', async () => {
    await frame(4000);
    await page.keyboard.press('Space');
    await frame(0);
    const { shownTick, hash } = await seen();
    const run = new Run(catalog[0]!, { ...GAME, preset: 'finals', seed: '18446744073709551615', bots: ['captain', 'quickstart'] });
    while (run.head < shownTick) run.advance();
    expect(shownTick).toBeGreaterThanOrEqual(240);
    expect(hash).toBe(run.hashAt(shownTick));
  });

  it('lets a person play for a seat, and what they played comes back exactly', async () => {
    const robot = () =>
      page.evaluate(() => window.__studio.scene!.shapes.find(({ key }) => key === 'robot 1') as unknown as { x: number; z: number });
    await page.keyboard.press('t');
    await frame(0);
    expect(await page.locator('.scores').textContent()).toContain('you');
    await page.keyboard.down('s');
    for (let i = 0; i < 12; i++) await frame(100);
    const here = await robot();
    await page.keyboard.up('s');
    await page.keyboard.down('w');
    for (let i = 0; i < 12; i++) await frame(100);
    const there = await robot();
    await page.keyboard.up('w');
    expect(Math.hypot(there.x - here.x, there.z - here.z)).toBeGreaterThan(3);
    await page.keyboard.press('Space');
    await frame(0);
    expect(await page.locator('.scores').textContent()).not.toContain('you');
    const played = await seen();
    await page.keyboard.press('Shift+ArrowLeft');
    await frame(0);
    await page.keyboard.press('Shift+ArrowRight');
    await frame(0);
    expect(await seen()).toMatchObject({ shownTick: played.shownTick, hash: played.hash });
    await page.waitForFunction(() => window.__studio.verifiedTick >= window.__studio.shownTick);
    expect(await text('badge')).toBe('verified ✓');
    expect(await page.locator('.facts').textContent()).toContain('Save the replay: it does.');
  });

  it('speaks Russian and English, in the dark and in the light', async () => {
    await page.getByRole('button', { name: 'По-русски' }).click();
    expect(await page.getByRole('tab').allTextContents()).toEqual(['Матч', 'Состояние', 'График']);
    expect(await page.locator('html').getAttribute('lang')).toBe('ru');
    await page.getByRole('button', { name: 'In English' }).click();
    expect(await page.getByRole('tab').allTextContents()).toEqual(['Match', 'State', 'Chart']);
    await page.getByRole('button', { name: 'Switch to the light theme' }).click();
    await frame(0);
    const [paper] = await brightness([{ x: 4, y: 60 }]);
    expect(paper).toBeGreaterThan(600);
    await page.getByRole('button', { name: 'Switch to the dark theme' }).click();
  });

  it('explains its keys', async () => {
    await page.keyboard.press('?');
    expect(await page.getByRole('dialog').textContent()).toContain('one tick back or forward');
    await page.keyboard.press('Escape');
    expect(await page.getByRole('dialog').count()).toBe(0);
  });

  it('fits a window of 360 pixels: nothing overflows, every button is big enough for a thumb, panels are a sheet', async () => {
    await page.setViewportSize({ width: 360, height: 740 });
    await frame(0);
    const wider = await page.evaluate(() => document.documentElement.scrollWidth);
    expect(wider).toBeLessThanOrEqual(360);
    const small = await page.evaluate(() =>
      [...document.querySelectorAll('button')]
        .filter((button) => !button.classList.contains('mark') && button.checkVisibility({ visibilityProperty: true }))
        .map((button) => ({ name: button.ariaLabel ?? button.textContent, ...button.getBoundingClientRect().toJSON() }))
        .filter(({ width, height, left, right }) => width < 40 || height < 40 || left < 0 || right > 360),
    );
    expect(small).toEqual([]);
    expect((await ballAt()).visible).toBe(true);
    await page.getByRole('button', { name: 'Restart' }).waitFor({ state: 'hidden' });
    await page.getByRole('button', { name: 'Panels' }).click();
    await page.getByRole('button', { name: 'Restart' }).waitFor({ state: 'visible' });
    await page.getByRole('button', { name: 'Close' }).click();
    await page.setViewportSize(WIDE);
    expect(complaints).toEqual([]);
  });

  it('takes a picture for people to look at', async () => {
    mkdirSync(`${root}test-results`, { recursive: true });
    await frame(0);
    const picture = await page.screenshot({ path: `${root}test-results/studio.png`, timeout: PATIENCE });
    expect(picture.length).toBeGreaterThan(20_000);
  });

  it('says in one line what is wrong with a link', async () => {
    const wrong = await open('#world=codeball&preset=round9&seed=1&bots=idle,idle');
    const alert = wrong.getByRole('alert');
    await alert.waitFor();
    expect(await alert.textContent()).toContain('preset: expected one of round1, round2, finals, got "round9"');
    await wrong.close();
  });

  it('says so when the worker stops, and plays on from a button', async () => {
    let broken = true;
    const other = await open(LINK, (opened) =>
      opened.route('**/worker-*.js', (route) =>
        broken ? route.fulfill({ contentType: 'text/javascript', body: 'throw new Error("out of order")' }) : route.continue(),
      ),
    );
    const alert = other.getByRole('alert');
    await alert.waitFor();
    expect(await alert.textContent()).toContain('out of order');
    broken = false;
    await other.getByRole('button', { name: 'Restart at this tick' }).click();
    await other.evaluate(() => window.__studio.ready);
    expect(await alert.count()).toBe(0);
    await other.close();
  });

  it('asks nobody but its own server', () => {
    expect(strangers).toEqual([]);
  });
});

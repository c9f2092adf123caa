import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { catalog } from '@lockstep/catalog';
import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Run } from '../apps/studio/src/run.ts';
import { listenForComplaints, openTheatre, PATIENCE, root, type Theatre, why } from './browser.test-support.ts';
import { jsonLines, workshop } from './cli-run.ts';

const GAME = { world: 'codeball', preset: 'round1', seed: '7', bots: ['chaser', 'idle'] };
const LINK = '#world=codeball&preset=round1&seed=7&bots=chaser,idle';
const WIDE = { width: 900, height: 640 };

describe.skipIf(why !== '')('the studio, driven as a person would', () => {
  let theatre: Theatre;
  let page: Page;
  const complaints: string[] = [];
  const strangers: string[] = [];
  const { folder, lockstep } = workshop();

  beforeAll(async () => {
    theatre = await openTheatre();
    page = await open(LINK);
  });
  afterAll(() => theatre?.close());
  beforeEach(() => {
    complaints.length = 0;
  });

  async function open(link: string, prepare: (page: Page) => Promise<unknown> = async () => {}): Promise<Page> {
    const opened = await theatre.browser.newPage({ viewport: WIDE, colorScheme: 'dark', locale: 'en-US' });
    listenForComplaints(opened, complaints);
    opened.on('request', (request) => {
      const { hostname, protocol } = new URL(request.url());
      if (protocol.startsWith('http') && hostname !== '127.0.0.1') strangers.push(request.url());
    });
    await prepare(opened);
    await opened.goto(theatre.url + link);
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
  const brightness = async (places: readonly { x: number; y: number }[], on = page) => {
    const png = (await on.screenshot({ timeout: PATIENCE })).toString('base64');
    return on.evaluate(
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

  it('is dragged from a mark as from anywhere else', async () => {
    const mark = (await page.locator('.mark').first().boundingBox())!;
    const track = (await page.locator('.track').boundingBox())!;
    const span = Number(await page.getByRole('slider').getAttribute('aria-valuemax'));
    const [x, y] = [mark.x + mark.width / 2, mark.y + 6];
    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.mouse.move(x - 40, y, { steps: 4 });
    await frame(0);
    const dragged = ((x - 40 - track.x) / track.width) * span;
    expect(Math.abs((await seen()).shownTick - dragged)).toBeLessThanOrEqual(Math.ceil(span / track.width));
    await page.mouse.up();
  });

  it('holds still under a finger on the timeline, and goes on when it is lifted', async () => {
    const track = (await page.locator('.track').boundingBox())!;
    const span = Number(await page.getByRole('slider').getAttribute('aria-valuemax'));
    await page.keyboard.press('Space');
    await frame(0);
    await page.mouse.move(track.x + (150 / span) * track.width, track.y + 20);
    await page.mouse.down();
    await frame(0);
    const held = (await seen()).shownTick;
    await frame(1000);
    expect(await seen()).toMatchObject({ shownTick: held, playing: true });
    const thumb = (await page.getByTestId('thumb').boundingBox())!;
    expect(Math.abs(thumb.x + thumb.width / 2 - (track.x + (150 / span) * track.width))).toBeLessThan(2);
    await page.mouse.up();
    await frame(500);
    expect((await seen()).shownTick).toBe(held + 30);
    await page.keyboard.press('Space');
    await frame(0);
  });

  it('goes to both ends and by leaps with the keyboard on the timeline', async () => {
    const slider = page.getByRole('slider', { name: 'Timeline' });
    await slider.focus();
    await page.keyboard.press('Home');
    await frame(0);
    expect((await seen()).shownTick).toBe(0);
    await page.keyboard.press('PageUp');
    await frame(0);
    expect((await seen()).shownTick).toBe(60);
    await page.keyboard.press('End');
    await frame(0);
    const { shownTick, headTick } = await seen();
    expect(shownTick).toBeGreaterThan(200);
    expect(shownTick).toBeLessThanOrEqual(headTick);
    const mark = page.locator('.mark').first();
    await mark.focus();
    await page.keyboard.press('Enter');
    await frame(0);
    expect(String((await seen()).shownTick)).toBe(await mark.getAttribute('data-tick'));
  });

  it('has five cameras that show the ball', async () => {
    for (const name of ['Follow', 'Ball', 'Goal', 'Map', 'Orbit']) {
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
    // Their points stand below each other.
    const points = await page.evaluate(() =>
      [...document.querySelectorAll('.fields .rest')]
        .filter(({ textContent }) => textContent !== '')
        .map((cell) => cell.getBoundingClientRect().left),
    );
    expect(points.length).toBeGreaterThan(5);
    expect(new Set(points).size).toBe(1);
    await page.getByRole('tab', { name: 'Chart' }).click();
    expect(await page.locator('figure').count()).toBeGreaterThan(0);
    await page.getByRole('tab', { name: 'Match' }).click();
  });

  it('walks from tab to tab by arrows, and the match stands still meanwhile', async () => {
    const { shownTick } = await seen();
    const selected = () => page.locator('[role=tab][aria-selected=true]');
    await page.getByRole('tab', { name: 'Match' }).focus();
    for (const [key, name] of [
      ['ArrowRight', 'State'],
      ['End', 'Bots'],
      ['ArrowRight', 'Match'],
      ['ArrowLeft', 'Bots'],
      ['Home', 'Match'],
    ] as const) {
      await page.keyboard.press(key);
      expect(await selected().textContent()).toBe(name);
      await page.waitForFunction(() => document.activeElement?.getAttribute('aria-selected') === 'true');
      expect(await page.getByRole('tabpanel', { name }).count()).toBe(1);
    }
    expect(await page.locator('[role=tab][tabindex="0"]').count()).toBe(1);
    await frame(0);
    expect((await seen()).shownTick).toBe(shownTick);
  });

  it('gives every control a name', async () => {
    const nameless = await page.evaluate(() =>
      [...document.querySelectorAll<HTMLElement>('button, input, select, [tabindex], canvas[role]')]
        .filter(
          (control) =>
            !(
              control.ariaLabel ||
              control.getAttribute('aria-labelledby') ||
              control.textContent ||
              (control as HTMLInputElement).labels?.length
            ),
        )
        .map((control) => control.outerHTML),
    );
    expect(nameless).toEqual([]);
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
    const run = Run.ofSetup(catalog[0]!, { ...GAME, preset: 'finals', seed: '18446744073709551615', bots: ['captain', 'quickstart'] });
    while (run.head < shownTick) run.advance();
    expect(shownTick).toBeGreaterThanOrEqual(240);
    expect(hash).toBe(run.hashAt(shownTick));
  });

  /** The match so far as the page saves it, and what the command line tells of it. */
  const savedReplay = async (name: string) => {
    const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Save the replay' }).click()]);
    await download.saveAs(join(folder, name));
    return playersOf(name);
  };
  const playersOf = async (name: string) => jsonLines((await lockstep('replay', 'info', name, '--json')).out)[0]!['bots'];

  it('saves a replay that names the same bots as the command line does for the same match', async () => {
    const match = 'match codeball captain quickstart --rules finals --seed 18446744073709551615 --ticks 30 --record cli.replay';
    expect(await lockstep(...match.split(' '))).toMatchObject({ code: 0 });
    const players = await savedReplay('studio.replay');
    expect(players).toEqual(await playersOf('cli.replay'));
    expect(players).toMatchObject([{ name: 'captain', kind: 'builtin', sha256: expect.stringMatching(/^[0-9a-f]{64}$/) }, {}]);
    expect((await lockstep('replay', 'verify', 'studio.replay')).out).toContain('studio.replay: ok');
  });

  it('lets a person play for a seat, and what they played comes back exactly', async () => {
    const robot = () =>
      page.evaluate(() => window.__studio.scene!.shapes.find(({ key }) => key === 'robot 1') as unknown as { x: number; z: number });
    await page.keyboard.press('Shift+ArrowLeft');
    await frame(0);
    const before = await seen();
    expect(before.headTick).toBeGreaterThan(before.shownTick + 50);
    await page.keyboard.press('t');
    // The run is cut here: what came after is gone, and it goes on from what is shown.
    const taken = await seen();
    expect(taken).toMatchObject({ shownTick: before.shownTick, hash: before.hash, playing: true });
    expect(taken.headTick).toBeLessThanOrEqual(before.shownTick + 3);
    await frame(0);
    expect((await seen()).shownTick).toBe(before.shownTick);
    expect(await page.locator('.scores').textContent()).toContain('you');
    // First the bots are shown again what they saw before.
    await page.getByText('WASD move').waitFor();
    expect(await text('hands')).toContain('J jump');
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
    expect(await page.locator('.scores').textContent()).toContain('you');
    const played = await seen();
    await page.keyboard.press('Shift+ArrowLeft');
    await frame(0);
    await page.keyboard.press('Shift+ArrowRight');
    await frame(0);
    expect(await seen()).toMatchObject({ shownTick: played.shownTick, hash: played.hash });
    await page.waitForFunction(() => window.__studio.verifiedTick >= window.__studio.shownTick);
    expect(await text('badge')).toBe('verified ✓');
    expect(await page.locator('.facts').textContent()).toContain('Save the replay: it does.');
    const [first, second] = (await savedReplay('hand.replay')) as { sha256: string }[];
    expect(first).toEqual({ name: 'person with captain', kind: 'person', sha256: second!.sha256 });
    expect(second).toMatchObject({ name: 'quickstart', kind: 'builtin' });
    const told = (await lockstep('replay', 'info', 'hand.replay')).out;
    expect(told).toContain(`seat 0: person with captain (person, sha256 ${second!.sha256})`);
    // Still on the seat: from where it is shown it goes on by hand again, or by the bot.
    await page.keyboard.press('Shift+ArrowLeft');
    await frame(0);
    const earlier = await seen();
    await page.getByRole('button', { name: 'Go on from here' }).click();
    expect((await seen()).headTick).toBeLessThanOrEqual(earlier.shownTick + 3);
    await frame(100);
    expect((await seen()).shownTick).toBe(earlier.shownTick + 6);
    await page.getByTestId('hands').getByRole('button', { name: 'Give the seat back' }).click();
    await page.getByTestId('hands').waitFor({ state: 'detached' });
    expect(await page.locator('.scores').textContent()).not.toContain('you');
    expect(await page.getByTestId('hands').count()).toBe(0);
    await page.keyboard.press('Space');
    await frame(0);
    expect(complaints).toEqual([]);
  });

  it('begins a new game with a new worker, and hears nothing of the old one', async () => {
    expect(page.workers().length).toBe(1);
    await page.keyboard.press('t');
    await page.keyboard.down('d');
    await frame(300);
    await page.keyboard.up('d');
    const [old] = page.workers();
    const gone = new Promise((resolve) => old!.on('close', resolve));
    await page.getByRole('button', { name: 'Restart' }).click();
    await gone;
    await frame(0);
    await frame(500);
    expect(page.workers().length).toBe(1);
    expect(await page.getByRole('alert').count()).toBe(0);
    expect(await page.locator('.scores').textContent()).not.toContain('you');
    expect((await seen()).shownTick).toBe(30);
    await page.keyboard.press('Space');
    await frame(0);
    expect(complaints).toEqual([]);
  });

  it('takes keys by their place, whatever the layout writes on them', async () => {
    const type = (code: string, key: string) =>
      page.evaluate(([c, k]) => dispatchEvent(new KeyboardEvent('keydown', { code: c, key: k, cancelable: true })), [code, key] as const);
    await type('BracketRight', 'ъ');
    expect(await text('speed')).toBe('2×');
    await type('BracketLeft', 'х');
    expect(await text('speed')).toBe('1×');
    await page.getByRole('button', { name: 'Orbit' }).click();
    await type('KeyC', 'с');
    expect(await page.getByRole('button', { name: 'Follow' }).getAttribute('aria-pressed')).toBe('true');
    await page.getByRole('button', { name: 'Orbit' }).click();
    await type('KeyT', 'е');
    await frame(0);
    expect(await page.locator('.scores').textContent()).toContain('you');
    await type('KeyT', 'е');
    await type('KeyT', 'е');
    await frame(0);
    expect(await page.locator('.scores').textContent()).not.toContain('you');
    await type('Space', ' ');
    await frame(0);
    expect((await seen()).playing).toBe(false);
  });

  it('comes back when the graphics were taken away', async () => {
    await page.getByRole('button', { name: 'Orbit' }).click();
    await frame(0);
    const lose = (what: 'loseContext' | 'restoreContext') =>
      page.evaluate((name) => {
        const canvas = document.querySelector<HTMLCanvasElement>('.canvas')!;
        const held = window as unknown as { loser?: WEBGL_lose_context };
        held.loser ??= canvas.getContext('webgl2')!.getExtension('WEBGL_lose_context')!;
        held.loser[name]();
      }, what);
    await lose('loseContext');
    const alert = page.getByRole('alert');
    await alert.waitFor();
    expect(await alert.textContent()).toContain('The match is safe');
    await page.waitForTimeout(100);
    await lose('restoreContext');
    await alert.waitFor({ state: 'detached' });
    await frame(0);
    const isDrawn = async () => {
      const ball = await ballAt();
      const around = [-4, 0, 4].flatMap((dx) => [-4, 0, 4].map((dy) => ({ x: ball.x + dx, y: ball.y + dy })));
      const [background, ...light] = await brightness([{ x: 4, y: 60 }, ...around]);
      return Math.max(...light) > background! + 150;
    };
    expect(await isDrawn()).toBe(true);
    // And where it does not come back by itself, on a new canvas.
    await page.evaluate(() => delete (window as { loser?: unknown }).loser);
    await lose('loseContext');
    await page.getByRole('button', { name: 'Draw again' }).click();
    await alert.waitFor({ state: 'detached' });
    await frame(0);
    expect(await isDrawn()).toBe(true);
    complaints.length = 0; // the browser itself says that contexts were lost
  });

  it('speaks Russian and English, in the dark and in the light', async () => {
    await page.getByRole('button', { name: 'По-русски' }).click();
    expect(await page.getByRole('tab').allTextContents()).toEqual(['Матч', 'Состояние', 'График', 'Боты']);
    expect(await page.locator('html').getAttribute('lang')).toBe('ru');
    await page.getByRole('tab', { name: 'График' }).click();
    expect(await page.locator('figcaption span:first-child').allTextContents()).toEqual(['высота мяча', 'мяч вдоль поля', 'скорость мяча']);
    await page.getByRole('tab', { name: 'Матч' }).click();
    await page.getByRole('button', { name: 'In English' }).click();
    expect(await page.getByRole('tab').allTextContents()).toEqual(['Match', 'State', 'Chart', 'Bots']);
    await page.getByRole('button', { name: 'Switch to the light theme' }).click();
    await frame(0);
    const [paper] = await brightness([{ x: 4, y: 60 }]);
    expect(paper).toBeGreaterThan(600);
    await page.getByRole('button', { name: 'Switch to the dark theme' }).click();
  });

  it('explains its keys in a dialog that has the keyboard, and gives it back', async () => {
    const opener = page.getByRole('button', { name: 'Keys and help' });
    await opener.focus();
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Keys and help' });
    expect(await dialog.textContent()).toContain('one tick back or forward');
    const { shownTick, playing } = await seen();
    for (const key of ['Tab', 'Tab', 'Shift+Tab', 'ArrowRight', 't', ']']) {
      await page.keyboard.press(key);
      expect(await page.evaluate(() => document.activeElement?.closest('dialog') !== null)).toBe(true);
    }
    await frame(0);
    expect(await seen()).toMatchObject({ shownTick, playing });
    expect(await text('speed')).toBe('1×');
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    expect(await page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe('Keys and help');
    await page.evaluate(() => (document.activeElement as HTMLElement).blur());
    const dialogs = () => page.evaluate(() => Array.from(document.querySelectorAll('dialog'), ({ open }) => open));
    // the browser may still be busy with the Escape that closed the first one, and close the next one, too
    const askAgain = async (open: boolean) => {
      if ((await dialogs()).includes(true) !== open) await page.keyboard.press('?');
      return dialogs();
    };
    await expect.poll(() => askAgain(true), { timeout: PATIENCE }).toEqual([true]);
    await expect.poll(() => askAgain(false), { timeout: PATIENCE }).toEqual([]);
  });

  it.each([
    [360, 740],
    [320, 568],
    [740, 360],
    [568, 320],
  ])(
    'fits a window of %i × %i: nothing overlaps or overflows, buttons are big enough for a thumb, panels are a sheet',
    async (width, height) => {
      await page.setViewportSize({ width, height });
      await page.getByRole('button', { name: 'Restart' }).waitFor({ state: 'hidden' });
      for (const language of ['По-русски', 'In English']) {
        await frame(0);
        const found = await page.evaluate(
          ([most, tall]) => {
            const boxOf = (element: Element) => element.getBoundingClientRect();
            const shown = [...document.querySelectorAll('button')].filter(
              (button) => !button.classList.contains('mark') && button.checkVisibility({ visibilityProperty: true }),
            );
            const parts = [...shown, ...document.querySelectorAll('.board, .position, .speed output, .timeline')];
            const name = (part: Element) => part.ariaLabel ?? `${part.className} ${part.textContent}`;
            const apart = (a: DOMRect, b: DOMRect) =>
              a.right <= b.left + 1 || b.right <= a.left + 1 || a.bottom <= b.top + 1 || b.bottom <= a.top + 1;
            return {
              wider: document.documentElement.scrollWidth > most,
              small: shown.filter((button) => boxOf(button).width < 40 || boxOf(button).height < 40).map(name),
              spilling: [...document.querySelectorAll('.header > .tool')].filter((part) => part.scrollWidth > part.clientWidth).map(name),
              outside: parts.filter((part) => boxOf(part).left < 0 || boxOf(part).right > most || boxOf(part).bottom > tall).map(name),
              overlapping: parts.flatMap((a, i) =>
                parts.slice(i + 1).flatMap((b) => (apart(boxOf(a), boxOf(b)) ? [] : [`${name(a)} / ${name(b)}`])),
              ),
            };
          },
          [width, height] as const,
        );
        expect(found).toEqual({ wider: false, small: [], spilling: [], outside: [], overlapping: [] });
        await page.getByRole('button', { name: language }).click();
      }
      expect((await ballAt()).visible).toBe(true);
      await page.getByRole('button', { name: 'Restart' }).waitFor({ state: 'hidden' });
      await page.getByRole('button', { name: 'Panels' }).click();
      await page.getByRole('button', { name: 'Restart' }).waitFor({ state: 'visible' });
      await page.getByRole('button', { name: 'Close' }).click();
      await page.setViewportSize(WIDE);
      await page.getByRole('button', { name: 'Restart' }).waitFor({ state: 'visible' });
      expect(complaints).toEqual([]);
    },
  );

  it('takes a picture for people to look at', async () => {
    mkdirSync(`${root}test-results`, { recursive: true });
    await frame(0);
    const picture = await page.screenshot({ path: `${root}test-results/studio.png`, timeout: PATIENCE });
    expect(picture.length).toBeGreaterThan(20_000);
  });

  it.each([
    [
      '#world=codeball&preset=round9&seed=1&bots=idle,idle',
      'Rules: expected one of round1, round2, finals, got “round9”; round1 is taken.',
    ],
    ['?world=nowhere&seed=1', 'World: expected one of codeball, asteracer, pinball, sparse, got “nowhere”; codeball is taken.'],
    ['#seed=1&bots=idle,nobody', 'Bot: expected one of captain, quickstart, chaser, idle, got “nobody”; idle, quickstart is taken.'],
    ['#seed=1&bots=idle', 'Bot: expected 2 names, got “idle”; idle, quickstart is taken.'],
  ])('plays a game for the wrong link %s, and says in one line what was wrong', async (link, line) => {
    const wrong = await open(link);
    await wrong.evaluate(() => window.__studio.ready);
    expect(await wrong.getByRole('form').getByRole('alert').textContent()).toBe(line);
    expect(await wrong.getByRole('alert').count()).toBe(1);
    const { pathname, search, hash } = new URL(wrong.url());
    expect([pathname, search]).toEqual(['/', '']);
    expect(hash).toMatch(/^#world=codeball&preset=round1&seed=1&bots=(captain|idle),(quickstart|idle)$/);
    await wrong.getByRole('button', { name: 'Restart' }).click();
    await wrong.waitForFunction(() => document.querySelector('[role=alert]') === null);
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

  it('draws the ring around a robot round', async () => {
    const field = await open('#world=codeball&preset=finals&seed=1&bots=idle,idle');
    await field.evaluate(() => window.__studio.ready);
    await frame(0, field);
    await field.getByRole('button', { name: 'Map' }).click();
    await frame(100, field);
    const middle = (await field.evaluate(() => window.__studio.screenPosition('robot 1')))!;
    await field.mouse.move(middle.x, middle.y);
    await field.mouse.wheel(0, -1400);
    await frame(0, field);
    const robots = await field.evaluate(() => {
      const keys = window.__studio.scene!.shapes.filter(({ key }) => key.startsWith('robot')) as unknown as {
        key: string;
        x: number;
        z: number;
      }[];
      return keys.map(({ key, x, z }) => ({ x, z, at: window.__studio.screenPosition(key)! }));
    });
    const [a, b] = [robots[0]!, robots.at(-1)!];
    const unit = Math.hypot(a.at.x - b.at.x, a.at.y - b.at.y) / Math.hypot(a.x - b.x, a.z - b.z);
    // The ring reaches from 2.84 to 3.12 radii of the robot, which has one unit.
    const around = Array.from({ length: 24 }, (_, i) => (i / 24) * 2 * Math.PI);
    const circle = (radius: number) =>
      around.map((angle) => ({ x: a.at.x + Math.cos(angle) * radius * unit, y: a.at.y + Math.sin(angle) * radius * unit }));
    const [on, near, far] = [
      await brightness(circle(3.06), field),
      await brightness(circle(3.4), field),
      await brightness(circle(3.7), field),
    ];
    expect(on.filter((light, i) => light <= Math.min(near[i]!, far[i]!) + 12)).toEqual([]);
    await field.close();
  });

  describe('of a flat world', () => {
    let race: Page;
    const racer = () => race.evaluate(() => window.__studio.screenPosition('racer')!);
    const goals = () =>
      race.evaluate(() =>
        window.__studio
          .scene!.shapes.filter(({ key }) => key.startsWith('goal'))
          .map(({ key, material }) => ({ at: window.__studio.screenPosition(key)!, reached: material.glow === 0 })),
      );
    beforeAll(async () => {
      race = await open(LINK);
      await race.evaluate(() => window.__studio.ready);
    });
    afterAll(() => race.close());

    it('is chosen in the form, with as many bots as it has seats', async () => {
      expect(await race.getByLabel(/^Bot \d/).count()).toBe(2);
      await race.getByLabel('World').selectOption('asteracer');
      expect(await race.getByLabel(/^Bot \d/).count()).toBe(1);
      await race.getByLabel('Bot 1').selectOption('pilot');
      expect(await race.getByRole('button', { name: 'Edit the run' }).count()).toBe(0);
      await race.getByRole('button', { name: 'Restart' }).click();
      await frame(0, race);
      expect(await race.getByRole('button', { name: 'Edit the run' }).count()).toBe(1);
      expect(new URL(race.url()).hash).toMatch(/^#world=asteracer&preset=document&seed=7&bots=pilot$/);
      expect(await text('score', race)).toBe('0');
    });

    it('shows the whole map from above between the lines of the HUD', async () => {
      await frame(500, race);
      expect(await race.locator('.cameras button').allTextContents()).toEqual(['Map', 'Follow', 'Orbit']);
      expect(await race.getByRole('button', { name: 'Map' }).getAttribute('aria-pressed')).toBe('true');
      const board = (await race.locator('.board').boundingBox())!;
      const chips = (await race.locator('.cameras').boundingBox())!;
      for (const { at } of [...(await goals()), { at: await racer() }]) {
        expect(at.visible).toBe(true);
        expect(at.y).toBeGreaterThan(board.y + board.height);
        expect(at.y).toBeLessThan(chips.y);
      }
    });

    it('draws reached goals otherwise, and counts them', async () => {
      for (let i = 0; i < 10 && (await text('score', race)) === '0'; i++) await frame(1000, race);
      const all = await goals();
      const lights = await brightness(
        all.map(({ at }) => at),
        race,
      );
      const [reached, left] = [true, false].map((is) => lights.filter((_, i) => all[i]!.reached === is)) as [number[], number[]];
      expect(String(reached.length)).toBe(await text('score', race));
      expect(Math.max(...reached)).toBeLessThan(Math.min(...left) - 200);
      expect(await race.locator('.mark:not(.minor)').first().getAttribute('aria-label')).toMatch(/^Goal \d: pilot \(tick \d+\)$/);
      await race.screenshot({ path: `${root}test-results/studio-race.png`, timeout: PATIENCE });
    });

    it('is scaled about the pointer and moved by a drag', async () => {
      await race.getByRole('button', { name: 'Pause' }).click();
      await frame(0, race);
      const before = await racer();
      await race.mouse.move(before.x, before.y);
      await race.mouse.wheel(0, -700);
      await frame(0, race);
      const near = await racer();
      expect(Math.hypot(near.x - before.x, near.y - before.y)).toBeLessThan(2);
      const spread = (at: Awaited<ReturnType<typeof goals>>) => Math.hypot(at[0]!.at.x - at[1]!.at.x, at[0]!.at.y - at[1]!.at.y);
      const wide = spread(await goals());
      await race.mouse.down();
      await race.mouse.move(before.x + 60, before.y - 45, { steps: 3 });
      await race.mouse.up();
      await frame(0, race);
      const moved = await racer();
      expect(Math.hypot(moved.x - near.x - 60, moved.y - near.y + 45)).toBeLessThan(2);
      await race.mouse.dblclick(400, 300);
      for (let i = 0; i < 6; i++) await frame(400, race);
      expect(wide / spread(await goals())).toBeCloseTo(Math.exp(0.7), 1);
      await race.getByRole('button', { name: 'Follow' }).click();
      for (let i = 0; i < 6; i++) await frame(400, race);
      const canvas = (await race.locator('canvas').boundingBox())!;
      const followed = await racer();
      expect(Math.hypot(followed.x - canvas.x - canvas.width / 2, followed.y - canvas.y - canvas.height / 2)).toBeLessThan(8);
    });

    it('is flown by keys and by the mouse', async () => {
      await race.getByRole('button', { name: 'To the start' }).click();
      await frame(0, race);
      await race.keyboard.press('t');
      await frame(0, race);
      await race.getByText('WASD move').waitFor();
      expect(await text('hands', race)).not.toContain('jump');
      const thrust = () =>
        race.evaluate(() => (window.__studio.scene!.shapes.find(({ key }) => key === 'racer') as { thrust?: readonly number[] }).thrust!);
      await race.keyboard.down('w');
      await frame(300, race);
      expect(await thrust()).toEqual([0, 0, -1]);
      await race.keyboard.up('w');
      const { x, y } = await racer();
      await race.mouse.move(x + 120, y);
      await race.mouse.down();
      await frame(200, race);
      const [right, , down] = await thrust();
      expect(right).toBeGreaterThan(0.9);
      expect(Math.abs(down!)).toBeLessThan(0.4);
      await race.mouse.up();
      await frame(200, race);
      expect(await thrust()).toEqual([0, 0, 0]);
      // Keys that somebody else has do not steer.
      await race.getByLabel('Rules').focus();
      await race.keyboard.down('w');
      await frame(200, race);
      expect(await thrust()).toEqual([0, 0, 0]);
      await race.keyboard.up('w');
      await race.evaluate(() => (document.activeElement as HTMLElement).blur());
      await race.keyboard.down('w');
      await frame(200, race);
      expect(await thrust()).toEqual([0, 0, -1]);
      await race.keyboard.press('?');
      await race.getByRole('dialog').waitFor();
      await frame(200, race);
      expect(await thrust()).toEqual([0, 0, 0]);
      await race.keyboard.down('d');
      await frame(200, race);
      expect(await thrust()).toEqual([0, 0, 0]);
      await race.keyboard.up('d');
      await race.keyboard.up('w');
      await race.keyboard.press('Escape');
      await race.getByRole('dialog').waitFor({ state: 'detached' });
      await race.getByTestId('hands').getByRole('button', { name: 'Give the seat back' }).click();
    });

    it('says on the stage how it ended, in both languages, and plays again', async () => {
      for (let i = 0; i < 40 && (await race.getByTestId('end').count()) === 0; i++) await frame(4000, race);
      expect(await race.getByTestId('end').locator('span').textContent()).toMatch(/^6 · all goals reached in \d+ ticks$/);
      await race.getByRole('button', { name: 'По-русски' }).click();
      expect(await race.getByTestId('end').locator('span').textContent()).toMatch(/^6 · все цели достигнуты, тиков: \d+$/);
      const marks = await race.locator('.mark:not(.minor)').evaluateAll((all) => all.map((mark) => mark.ariaLabel));
      expect(marks.every((name) => /^Цель [1-6]: pilot \(тик \d+\)$/.test(name ?? ''))).toBe(true);
      await race.getByRole('tab', { name: 'График' }).click();
      expect(await race.locator('figcaption span:first-child').allTextContents()).toEqual(['скорость', 'осталось целей']);
      await race.getByRole('tab', { name: 'Матч' }).click();
      await race.getByRole('button', { name: 'In English' }).click();
      await race.getByRole('button', { name: 'Play again' }).click();
      await frame(0, race);
      expect(await race.getByTestId('end').count()).toBe(0);
      expect(await seen(race)).toMatchObject({ shownTick: 0, playing: true });
      expect(complaints).toEqual([]);
    });
  });

  describe('under fingers', () => {
    const size = { width: 360, height: 740 };
    let context: BrowserContext;
    let phone: Page;
    beforeAll(async () => {
      context = await theatre.browser.newContext({
        viewport: size,
        hasTouch: true,
        isMobile: true,
        locale: 'en-US',
        reducedMotion: 'reduce',
      });
      phone = await context.newPage();
      await phone.goto(`${theatre.url}#world=codeball&preset=finals&seed=7&bots=chaser,idle`);
      await phone.evaluate(() => window.__studio.ready);
      await frame(0, phone);
    });
    afterAll(() => context?.close());
    const play = async () => {
      await phone.getByRole('button', { name: 'Panels' }).click();
      await phone.getByRole('button', { name: 'Play yourself' }).click();
      await frame(0, phone);
      await phone.getByText('Touch where to go').waitFor({ state: 'attached' });
    };

    it('says nothing of keys where there is no keyboard', async () => {
      expect(await phone.getByRole('button', { name: 'jump' }).count()).toBe(0);
      await play();
      expect((await phone.getByTestId('hands').innerText()).replaceAll(/\s+/g, ' ')).toBe('Touch where to go Give the seat back');
    });

    it('jumps and boosts by buttons, while another finger says where to go', async () => {
      const robot = () =>
        phone.evaluate(
          () =>
            window.__studio.scene!.shapes.find(({ key }) => key === 'robot 1') as unknown as {
              y: number;
              velocity: readonly number[];
              thrust?: readonly number[];
            },
        );
      const middleOf = async (name: string) => {
        const { x, y, width, height } = (await phone.getByRole('button', { name }).boundingBox())!;
        return { x: x + width / 2, y: y + height / 2 };
      };
      const fingers = await context.newCDPSession(phone);
      const touch = (type: 'touchStart' | 'touchEnd', ...touchPoints: { x: number; y: number; id: number }[]) =>
        fingers.send('Input.dispatchTouchEvent', { type, touchPoints });
      const [jump, boost] = [await middleOf('jump'), await middleOf('boost')];
      for (let i = 0; i < 5; i++) await frame(100, phone);
      const standing = await robot();
      expect(standing.y).toBeLessThan(1.1);
      expect(standing.thrust).toBeUndefined();

      await touch('touchStart', { ...jump, id: 1 });
      await frame(150, phone);
      const jumped = await robot();
      expect(jumped.y).toBeGreaterThan(1.5);
      expect(Math.hypot(jumped.velocity[0]!, jumped.velocity[2]!)).toBeLessThan(1);
      await touch('touchEnd'); // all of them
      for (let i = 0; i < 12; i++) await frame(100, phone);
      expect((await robot()).y).toBeLessThan(1.1);

      // One finger runs to the left of the picture, the other one boosts.
      const goal = { x: 20, y: 300, id: 1 };
      await touch('touchStart', goal);
      await touch('touchStart', goal, { ...boost, id: 2 });
      await frame(150, phone);
      const run = await robot();
      expect(run.thrust).toBeDefined();
      expect(Math.hypot(run.velocity[0]!, run.velocity[2]!)).toBeGreaterThan(5);
      await touch('touchEnd', { ...boost, id: 2 });
      await frame(150, phone);
      expect((await robot()).thrust).toBeUndefined();
      await touch('touchEnd'); // all of them
      for (let i = 0; i < 8; i++) await frame(100, phone);
    });

    it.each([
      [360, 740],
      [320, 568],
      [740, 360],
      [568, 320],
    ])('leaves whoever is followed in sight in a window of %i × %i', async (width, height) => {
      await phone.setViewportSize({ width, height });
      for (const language of ['По-русски', 'In English']) {
        await frame(100, phone);
        const found = await phone.evaluate(() => {
          const { x, y } = window.__studio.screenPosition('robot 1')!;
          const parts = [...document.querySelectorAll('.board, .hands, .cameras, .touch-key')];
          const boxes = parts.map((part) => ({ name: part.className, box: part.getBoundingClientRect() }));
          const near = ({ box }: { box: DOMRect }) =>
            Math.hypot(Math.max(box.left - x, x - box.right, 0), Math.max(box.top - y, y - box.bottom, 0)) < 24;
          const apart = (a: DOMRect, b: DOMRect) =>
            a.right <= b.left + 1 || b.right <= a.left + 1 || a.bottom <= b.top + 1 || b.bottom <= a.top + 1;
          return {
            keys: boxes.filter(({ name, box }) => name === 'touch-key' && Math.min(box.width, box.height) >= 48).length,
            rowOf: boxes.find(({ name }) => name.includes('hands'))!.box.height,
            covering: boxes.filter(near).map(({ name }) => name),
            outside: boxes.filter(({ box }) => box.left < 0 || box.right > innerWidth).map(({ name }) => name),
            overlapping: boxes.flatMap((a, i) => boxes.slice(i + 1).flatMap((b) => (apart(a.box, b.box) ? [] : [`${a.name} / ${b.name}`]))),
          };
        });
        expect(found).toMatchObject({ keys: 2, covering: [], outside: [], overlapping: [] });
        expect(found.rowOf).toBeLessThan(44);
        await phone.getByRole('button', { name: language }).click();
      }
      await phone.screenshot({ path: `${root}test-results/studio-fingers-${width}.png`, timeout: PATIENCE });
      await phone.setViewportSize(size);
    });

    it('has no buttons for what the world does not have', async () => {
      await phone.goto(`${theatre.url}?#world=asteracer&preset=document&seed=7&bots=pilot`);
      await phone.evaluate(() => window.__studio.ready);
      await frame(0, phone);
      await play();
      expect(await phone.locator('.touch-key').count()).toBe(0);
    });
  });

  it('asks nobody but its own server', () => {
    expect(strangers).toEqual([]);
  });
});

import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { type RaceMap, readInstructions, readMap, writeInstructions, writeMap } from '@lockstep/asteracer';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { screenX, screenY, wholeMap } from '../apps/studio/src/tas/camera.ts';
import { configFor } from '../apps/studio/src/tas/files.ts';
import { fill, overwrite, type Script, scriptOf, slice, thrustsOf } from '../apps/studio/src/tas/script.ts';
import { type SharedRun, writeShare } from '../apps/studio/src/tas/share.ts';
import { TickCache } from '../apps/studio/src/tas/tick-cache.ts';
import { listenForComplaints, openTheatre, PATIENCE, root, type Theatre, why } from './browser.test-support.ts';

const WIDE = { width: 1100, height: 760 };

/** A short race to the right, round a rock and through a gap that is too narrow by 2 × 500. */
const map: RaceMap = {
  racer: { x: -60_000, y: 0, radius: 2000 },
  box: { min_x: -80_000, min_y: -50_000, max_x: 80_000, max_y: 50_000 },
  asteroids: [
    { x: 0, y: -4000, radius: 9000 },
    { x: 30_000, y: 30_000, radius: 5000 },
    { x: 43_000, y: 30_000, radius: 5000 },
  ],
  goals: [
    { x: -20_000, y: 10_000, radius: 3000 },
    { x: 55_000, y: 0, radius: 3000 },
  ],
};
/** Down a little, right, up again: it reaches both goals, but not as soon as it could. */
const steps = [
  { vx: 90, vy: 30, ticks: 60 },
  { vx: 90, vy: 30, ticks: 30 },
  { vx: 90, vy: -60, ticks: 50 },
  { vx: 100, vy: 0, ticks: 40 },
];
const script = scriptOf(steps.flatMap(({ ticks, ...thrust }) => Array.from({ length: ticks }, () => thrust)));
const rules = 'v2025';
const flown = (of: Script) => new TickCache(configFor(map, rules), of);

describe.skipIf(why !== '')('the TAS editor, driven as a person would', () => {
  let theatre: Theatre;
  let page: Page;
  const complaints: string[] = [];

  beforeAll(async () => {
    theatre = await openTheatre();
    page = await open(`#tas=${await writeShare({ map, rules, script, markers: [] })}`);
    await page.getByTestId('tas-map').waitFor();
    await frame(0);
  });
  afterAll(() => theatre?.close());
  beforeEach(() => {
    complaints.length = 0;
  });

  async function open(link: string): Promise<Page> {
    const opened = await theatre.browser.newPage({ viewport: WIDE, colorScheme: 'dark', locale: 'en-US', acceptDownloads: true });
    // These tests read pixels back; a person does not.
    listenForComplaints(opened, complaints, (text) => text.includes('willReadFrequently'));
    await opened.goto(theatre.url + link);
    return opened;
  }

  const frame = (ms: number, on = page) => on.evaluate((time) => window.__studio.frame(time), ms);
  const tick = (on = page) => on.evaluate(() => window.__studio.shownTick);
  const length = async (on = page) => Number(await on.getByTestId('tas-length').textContent());
  const text = (id: string, on = page) => on.getByTestId(id).textContent();
  const number = (id: string) => page.getByTestId(id).inputValue();
  const seek = async (to: number) => {
    await page.keyboard.press('Home');
    for (let at = 0; at + 60 <= to; at += 60) await page.keyboard.press('Shift+ArrowRight');
    for (let at = to - (to % 60); at < to; at++) await page.keyboard.press('ArrowRight');
    expect(await tick()).toBe(to);
  };
  /** The instructions as the page would save them. */
  const saved = async (button: string) => {
    const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: button }).click()]);
    const path = `${root}test-results/${download.suggestedFilename()}`;
    await download.saveAs(path);
    return path;
  };
  const savedScript = async () => scriptOf(readInstructions(readFileSync(await saved('Save instructions'), 'utf8')).instructions);
  /** How much more red than blue the map is drawn around a place of it: the run is amber, everything else is blue. */
  const amberAt = async (x: number, y: number) => {
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
    const size = await page.getByTestId('tas-map').evaluate((canvas) => ({ width: canvas.clientWidth, height: canvas.clientHeight }));
    const camera = wholeMap(map.box, size);
    return page.getByTestId('tas-map').evaluate(
      (canvas, [px, py]) => {
        const ratio = (canvas as HTMLCanvasElement).width / canvas.clientWidth;
        const pen = (canvas as HTMLCanvasElement).getContext('2d')!;
        const { data } = pen.getImageData(Math.round(px * ratio) - 2, Math.round(py * ratio) - 2, 5, 5);
        let most = -255;
        for (let i = 0; i < data.length; i += 4) most = Math.max(most, data[i]! - data[i + 2]!);
        return most;
      },
      [screenX(camera, size, x), screenY(camera, size, y)] as const,
    );
  };
  /** The answer: whether the page left nothing of it to the browser, which would open the file in the page's place. */
  const drop = (name: string, content: string, { on = page, at = '.tas' } = {}) =>
    on.locator(at).evaluate(
      (element, [file, inside]) => {
        const dataTransfer = new DataTransfer();
        dataTransfer.items.add(new File([inside], file));
        return ['dragover', 'drop'].every(
          (type) => !element.dispatchEvent(new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true })),
        );
      },
      [name, content] as const,
    );
  const hashOf = (on: Page) => new URL(on.url()).hash;
  /** So many asteroids in rows, far from the race. */
  const crowded = (count: number): RaceMap => ({
    ...map,
    box: { ...map.box, max_x: 800_000, max_y: 800_000 },
    asteroids: Array.from({ length: count }, (_, i) => ({
      x: 90_000 + (i % 700) * 1000,
      y: 90_000 + Math.floor(i / 700) * 1000,
      radius: 300,
    })),
  });
  /** Drags in the roll; `y` is a share of its height. */
  const drag = async (from: number, to: number, y: number, withShift = false) => {
    const roll = (await page.getByTestId('tas-roll').boundingBox())!;
    const at = (shown: number) => roll.x + 34 + (shown + 0.5) * 6;
    if (withShift) await page.keyboard.down('Shift');
    await page.mouse.move(at(from), roll.y + y * roll.height);
    await page.mouse.down();
    await page.mouse.move(at((from + to) / 2), roll.y + y * roll.height);
    await page.mouse.move(at(to), roll.y + y * roll.height);
    await page.mouse.up();
    if (withShift) await page.keyboard.up('Shift');
  };

  it('opens a shared run and says how it ends', async () => {
    const run = flown(script);
    expect(run.finish).not.toBeNull();
    expect(await length()).toBe(180);
    expect(await text('tas-verdict')).toBe(`finished at tick ${run.finish}`);
    await page.waitForFunction(() => window.__studio.verifiedTick === 180);
    expect(await text('badge')).toBe('verified ✓');
    expect(complaints).toEqual([]);
  });

  it('goes to any tick at once, back and forth, by keys, buttons and the timeline', async () => {
    const run = flown(script);
    const shown = (at: number) => `${run.x[at]} ${run.y[at]} · ${run.vx[at]} ${run.vy[at]}`;
    await seek(77);
    expect(await text('tas-state')).toBe(shown(77));
    await page.keyboard.press('ArrowLeft');
    expect(await text('tas-state')).toBe(shown(76));
    await page.getByRole('button', { name: 'One tick forward' }).click();
    expect(await text('tas-state')).toBe(shown(77));
    await page.keyboard.press('.');
    expect(await tick()).toBe(run.goalTicks[1]);
    const track = (await page.locator('.track').boundingBox())!;
    await page.mouse.click(track.x + track.width / 2, track.y + track.height / 2);
    expect(Math.abs((await tick()) - 90)).toBeLessThanOrEqual(1);
    await page.getByRole('tab', { name: 'State' }).click();
    expect(await page.locator('.fields').textContent()).toContain(`x${run.x[await tick()]}`);
    await page.getByRole('tab', { name: 'Editor' }).click();
  });

  it('draws the whole future where it will be', async () => {
    const run = flown(script);
    await page.keyboard.press('Home');
    for (const at of [40, 100, 170]) expect([at, (await amberAt(run.x[at]!, run.y[at]!)) > 60]).toEqual([at, true]);
    expect(await amberAt(-60_000, -40_000)).toBeLessThan(30);
  });

  it('changes the future with a stroke in the roll, and takes it back', async () => {
    const before = flown(script);
    await drag(20, 30, 0.2);
    const drawn = await savedScript();
    expect(drawn.slice(0, 40)).toEqual(script.slice(0, 40));
    expect(drawn.slice(62)).toEqual(script.slice(62));
    const angles = thrustsOf(drawn)
      .slice(20, 31)
      .map(({ vx, vy }) => Math.round((Math.atan2(vy, vx) * 180) / Math.PI));
    expect(new Set(angles).size).toBe(1);
    const after = flown(drawn);
    expect([after.x[150], after.y[150]]).not.toEqual([before.x[150], before.y[150]]);
    expect(await amberAt(after.x[150]!, after.y[150]!)).toBeGreaterThan(60);
    await page.keyboard.press('Control+z');
    expect(await amberAt(before.x[150]!, before.y[150]!)).toBeGreaterThan(60);
    await page.keyboard.press('Control+y');
    expect(await savedScript()).toEqual(drawn);
    await page.keyboard.press('Control+z');
    expect(await savedScript()).toEqual(script);
  });

  it('calls a changed run verified only after it was simulated again', async () => {
    await seek(10);
    const atOnce = await page.evaluate(() => {
      dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowUp', code: 'ArrowUp' }));
      return window.__studio.verifiedTick;
    });
    expect(atOnce).toBe(10);
    await page.waitForFunction(() => window.__studio.verifiedTick === 180);
    await page.keyboard.press('Control+z');
    await page.waitForFunction(() => window.__studio.verifiedTick === 180);
    expect(await savedScript()).toEqual(script);
  });

  it('takes exact numbers and refuses what is no instruction', async () => {
    await seek(10);
    expect([await number('tas-vx'), await number('tas-vy')]).toEqual(['90', '30']);
    await page.keyboard.press('Enter');
    await page.keyboard.type('-41');
    await page.keyboard.press('Tab');
    await page.getByTestId('tas-vy').fill('127');
    expect(await page.getByTestId('tas-vy').getAttribute('aria-invalid')).toBe('true');
    await page.getByTestId('tas-vy').fill('119');
    await page.keyboard.press('Enter');
    expect(await savedScript()).toEqual(fill(script, { from: 10, to: 11 }, { vx: -41, vy: 119 }));
    await page.keyboard.press('ArrowDown');
    expect(Math.abs(Number.parseFloat(await number('tas-angle')) - 110)).toBeLessThan(1);
    await page.keyboard.press('Control+z');
    await page.keyboard.press('Control+z');
    expect(await savedScript()).toEqual(script);
  });

  it('copies, pastes, inserts, shifts and deletes windows of ticks', async () => {
    await page.keyboard.press('Home');
    await drag(5, 14, 0.03, true);
    await page.keyboard.press('Alt+ArrowRight');
    expect(await savedScript()).toEqual(script);
    await page.keyboard.press('Escape');
    await seek(60);
    await page.keyboard.press('i');
    await page.keyboard.press('Shift+ArrowRight');
    await page.keyboard.press('o');
    await page.keyboard.press('Delete');
    expect(await length()).toBe(119);
    expect(await tick()).toBe(60);
    await page.keyboard.press('Insert');
    expect(await length()).toBe(120);
    await page.keyboard.press('Control+z');
    await page.keyboard.press('Control+z');
    expect(await savedScript()).toEqual(script);
    await seek(85);
    await page.keyboard.press('i');
    for (let i = 0; i < 9; i++) await page.keyboard.press('ArrowRight');
    await page.keyboard.press('o');
    await page.keyboard.press('Control+c');
    await page.keyboard.press('Escape');
    await seek(5);
    await page.keyboard.press('Control+v');
    expect(await savedScript()).toEqual(overwrite(script, 5, slice(script, { from: 85, to: 95 })));
    await page.keyboard.press('Control+z');
    await page.keyboard.press('Escape');
    expect(await savedScript()).toEqual(script);
  });

  it('records a flight by keyboard and by mouse from the playhead on', async () => {
    await page.getByRole('button', { name: 'Branch here (b)' }).first().click();
    await seek(100);
    await page.getByRole('button', { name: 'End the run here' }).click();
    await page.keyboard.press('t');
    await page.keyboard.down('d');
    await frame(500);
    await page.keyboard.up('d');
    await page.keyboard.down('w');
    await frame(250);
    await page.keyboard.up('w');
    const canvas = (await page.getByTestId('tas-map').boundingBox())!;
    await page.mouse.move(canvas.x + 2, canvas.y + canvas.height - 2);
    await frame(100);
    await page.keyboard.press('t');
    expect(await length()).toBe(151);
    const flight = thrustsOf(await savedScript()).slice(100);
    expect(flight.slice(0, 30)).toEqual(Array.from({ length: 30 }, () => ({ vx: 127, vy: 0 })));
    expect(flight.slice(30, 45)).toEqual(Array.from({ length: 15 }, () => ({ vx: 0, vy: -127 })));
    for (const { vx, vy } of flight.slice(45)) expect([vx < -60, vy > 20]).toEqual([true, true]);
    await page.keyboard.press('Control+z');
    expect(await length()).toBe(100);
    await page.keyboard.press('Control+Shift+z');
    expect(await length()).toBe(151);
    expect(complaints).toEqual([]);
  });

  it('flies by a gamepad', async () => {
    await page.evaluate(() => {
      const pad = { axes: [0, 1], connected: true } as unknown as Gamepad;
      Object.defineProperty(navigator, 'getGamepads', { value: () => [null, pad], configurable: true });
    });
    await page.keyboard.press('End');
    await page.keyboard.press('t');
    await frame(100);
    await page.keyboard.press('t');
    await page.evaluate(() => Object.defineProperty(navigator, 'getGamepads', { value: () => [], configurable: true }));
    expect(thrustsOf(await savedScript()).slice(151)).toEqual(Array.from({ length: 6 }, () => ({ vx: 0, vy: 127 })));
    await page.keyboard.press('Control+z');
  });

  it('keeps the way before as a ghost, with the difference at each goal', async () => {
    const [main, branch] = [flown(script), flown(await savedScript())];
    const rows = await page.locator('.tas-splits tbody tr').allTextContents();
    expect(rows[0]).toBe(`Goal 1${branch.goalTicks[0]}${difference(branch.goalTicks[0]! - main.goalTicks[0]!)}`);
    await page.getByRole('button', { name: /^main/ }).click();
    expect(await savedScript()).toEqual(script);
    const back = await page.locator('.tas-splits tbody tr').allTextContents();
    expect(back).toHaveLength(2);
    expect(back[1]).toBe(
      `Goal 2${main.goalTicks[1]}${branch.goalTicks[1]! < 0 ? '–' : difference(main.goalTicks[1]! - branch.goalTicks[1]!)}`,
    );
  });
  const difference = (ticks: number) => (ticks === 0 ? '±0' : ticks < 0 ? `−${-ticks}` : `+${ticks}`);

  it('marks places, names them, and goes from one to the next', async () => {
    await seek(33);
    await page.keyboard.press('m');
    await page.getByLabel('Name of the marker').fill('apex');
    await page.keyboard.press('Home');
    await page.getByRole('button', { name: 'apex (tick 33)' }).click();
    expect(await tick()).toBe(33);
  });

  it('shows closed gaps', async () => {
    expect(await amberAt(36_500, 30_000)).toBeLessThan(30);
    await page.getByLabel('Closed gaps').check();
    await expect.poll(() => amberAt(36_500, 30_000), { timeout: PATIENCE }).toBeGreaterThan(60);
    await page.getByLabel('Closed gaps').uncheck();
  });

  it('comes nearer up to the hull, moves about, and back to the whole map', async () => {
    await page.keyboard.press('Home');
    const canvas = (await page.getByTestId('tas-map').boundingBox())!;
    const size = { width: canvas.width, height: canvas.height };
    const ship = { x: screenX(wholeMap(map.box, size), size, -60_000), y: screenY(wholeMap(map.box, size), size, 0) };
    await page.mouse.move(canvas.x + ship.x, canvas.y + ship.y);
    for (let i = 0; i < 40; i++) await page.mouse.wheel(0, -400);
    const hull = () =>
      page.getByTestId('tas-map').evaluate(async (element) => {
        await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
        const drawn = element as HTMLCanvasElement;
        const { data } = drawn.getContext('2d')!.getImageData(0, 0, drawn.width, drawn.height);
        let warm = 0;
        for (let i = 0; i < data.length; i += 4) if (data[i]! > data[i + 2]! + 8) warm++;
        return warm / (data.length / 4);
      });
    expect(await hull()).toBeGreaterThan(0.9);
    await page.mouse.down();
    await page.mouse.move(canvas.x + canvas.width - 4, canvas.y + ship.y, { steps: 3 });
    await page.mouse.up();
    await page.keyboard.press('0');
    expect(await hull()).toBeLessThan(0.1);
    expect(await amberAt(flown(script).x[170]!, flown(script).y[170]!)).toBeGreaterThan(60);
  });

  it('carries the run in a link, and says in one line what is wrong with one that is not whole', async () => {
    await page.getByRole('button', { name: 'Copy a link to this run' }).click();
    await page.locator('.tas-said').waitFor();
    const { hash } = new URL(page.url());
    const other = await open(hash);
    await other.getByTestId('tas-map').waitFor();
    expect(await length(other)).toBe(180);
    expect(await other.getByRole('button', { name: 'apex (tick 33)' }).count()).toBe(1);
    await other.keyboard.press('Delete');
    await expect.poll(() => new URL(other.url()).hash, { timeout: PATIENCE }).not.toBe(hash);
    await other.reload();
    await other.getByTestId('tas-map').waitFor();
    expect(await length(other)).toBe(179);
    // There was no match before: the way back leads to one of the same world.
    await other.getByRole('button', { name: 'Back to the match' }).click();
    await expect.poll(() => new URL(other.url()).hash, { timeout: PATIENCE }).toMatch(/^#world=asteracer&preset=/);
    await other.goto('about:blank');
    await other.goto(`${theatre.url}${hash.slice(0, -20)}`);
    const alert = other.getByRole('alert');
    await alert.waitFor();
    expect(await alert.textContent()).toContain('link: expected a whole share link (copy it again)');
    await other.close();
    expect(complaints).toEqual([]);
  });

  it('opens maps, instructions and replays that are dropped on it, and says what is wrong with a file', async () => {
    const other = fill(script, { from: 0, to: 20 }, { vx: 0, vy: 100 });
    await drop('other.in', writeInstructions(thrustsOf(other), false));
    await page.getByText('The file had no count line').waitFor();
    expect(await savedScript()).toEqual(other);
    expect(await page.getByLabel('Name of the branch').inputValue()).toBe('other');
    await drop('bad.in', '3\n1 1\n127 1\n');
    await page.getByText(/^bad\.in line 3 .*: expected vx\*vx \+ vy\*vy at most 16129/).waitFor();
    const small = { ...map, goals: [map.goals[0]!] };
    await drop('small.txt', writeMap(small));
    await page.getByText('small.txt is open').waitFor();
    expect(await text('tas-verdict')).toBe('not finished: 0 of 1 goal');
    expect(readMap(readFileSync(await saved('Save map'), 'utf8'))).toEqual(small);
    await page.keyboard.press('Control+z');
    await page.getByRole('button', { name: /^main/ }).click();
    expect(await savedScript()).toEqual(script);
    await page.keyboard.press('Escape');
    expect(await page.locator('.tas-said').count()).toBe(0);
  });

  it('lets the solver improve a window: the run is shorter, one step of undo, and what it says is what it flies', async () => {
    const before = flown(script);
    await page.keyboard.press('Control+a');
    await page.getByRole('button', { name: 'Improve the window' }).click();
    const said = page.getByText(/^saved \d+ ticks?$/);
    await said.waitFor({ timeout: PATIENCE });
    const won = Number(/\d+/.exec((await said.textContent())!)![0]);
    const better = flown(await savedScript());
    expect(better.finish).toBeLessThan(before.finish!);
    expect(better.finish).toBe(before.finish! - won);
    expect(await text('tas-verdict')).toBe(`finished at tick ${better.finish}`);
    await page.waitForFunction((ticks) => window.__studio.verifiedTick === ticks, better.length);
    await page.keyboard.press('Control+z');
    expect(await savedScript()).toEqual(script);
    await page.keyboard.press('Control+y');
    await page.keyboard.press('Escape');
    expect(complaints).toEqual([]);
  });

  it('shows the value field, and its lines where the solver sees them', async () => {
    await page.keyboard.press('Home');
    const colours = () => page.getByTestId('tas-map').evaluate((canvas) => (canvas as HTMLCanvasElement).toDataURL().length);
    const bare = await colours();
    await page.getByLabel('Value field').check();
    await expect.poll(colours, { timeout: PATIENCE }).toBeGreaterThan(bare * 1.3);
    await page.screenshot({ path: `${root}test-results/studio-tas-field.png`, timeout: PATIENCE });
    await page.getByLabel('Value field').uncheck();
  });

  it('saves a replay that the command line verifies, and opens it again', async () => {
    const run = flown(await savedScript());
    const file = await saved('Save replay');
    const said = execFileSync(process.execPath, [`${root}apps/cli/bin/lockstep.mjs`, 'replay', 'verify', file], { encoding: 'utf8' });
    expect(said).toContain(`ok, sim-verified, ${run.finish} ticks`);
    const again = await open('#world=asteracer&preset=v2025&seed=1&bots=pilot');
    await again.evaluate(() => window.__studio.ready);
    await again.getByRole('button', { name: 'Edit the run' }).click();
    await again.getByTestId('tas-files').setInputFiles(file);
    await again.getByText('is open').waitFor();
    expect(await length(again)).toBe(run.finish);
    await again.getByRole('button', { name: 'Back to the match' }).click();
    await again.getByRole('button', { name: 'Restart', exact: true }).waitFor();
    await again.close();
  });

  it('speaks Russian, in the light too', async () => {
    await page.getByRole('button', { name: 'По-русски' }).click();
    expect(await page.getByRole('tab').allTextContents()).toEqual(['Правка', 'Состояние', 'График']);
    expect(await text('tas-verdict')).toMatch(/^финиш на тике \d+$/);
    await page.getByRole('button', { name: 'Включить светлую тему' }).click();
    await page.screenshot({ path: `${root}test-results/studio-tas-light.png`, timeout: PATIENCE });
    await page.getByRole('button', { name: 'Включить тёмную тему' }).click();
    await page.getByRole('button', { name: 'In English' }).click();
  });

  it('fits a window of 360 pixels: nothing overflows, every button is big enough for a thumb', async () => {
    await page.setViewportSize({ width: 360, height: 740 });
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360);
    const small = await page.evaluate(() =>
      [...document.querySelectorAll('button')]
        .filter((button) => !button.classList.contains('mark') && button.checkVisibility({ visibilityProperty: true }))
        .map((button) => ({ name: button.ariaLabel ?? button.textContent, ...button.getBoundingClientRect().toJSON() }))
        .filter(({ width, height }) => width < 40 || height < 40),
    );
    expect(small).toEqual([]);
    await page.screenshot({ path: `${root}test-results/studio-tas-narrow.png`, timeout: PATIENCE });
    await page.setViewportSize(WIDE);
  });

  describe('another run', () => {
    let other: Page;
    const openRun = async (run: Partial<SharedRun> = {}) => {
      other = await open(`#tas=${await writeShare({ map, rules, script, markers: [], ...run })}`);
      await other.getByTestId('tas-map').waitFor();
      await frame(0, other);
    };
    afterEach(async () => {
      await other.close();
      expect(complaints).toEqual([]);
    });

    it('too large for the address leaves no older one there, and says so once', async () => {
      await openRun();
      const before = hashOf(other);
      await drop('crowd.txt', writeMap(crowded(13_000)), { on: other });
      await other.getByText('This run is too large for the address').waitFor();
      expect(hashOf(other)).toBe('');
      await other.getByRole('button', { name: 'Close', exact: true }).click();
      await other.keyboard.press('Insert');
      await other.waitForTimeout(1500);
      expect(await other.locator('.tas-said').count()).toBe(0);
      await other.keyboard.press('Control+z');
      await other.keyboard.press('Control+z');
      await expect.poll(() => hashOf(other), { timeout: PATIENCE }).toBe(before);
    });

    it('too large for a link says so', async () => {
      await openRun();
      await drop('crowd.txt', writeMap(crowded(480_000)), { on: other });
      await other.getByText('This run is too large for the address').waitFor({ timeout: PATIENCE });
      await other.getByRole('button', { name: 'Copy a link to this run' }).click();
      await other.getByText('This map is too large for a link').waitFor({ timeout: PATIENCE });
    });

    it('a box that was ticked leaves all keys but the space bar to the timeline', async () => {
      await openRun();
      const box = other.getByLabel('Touch nothing');
      await box.click();
      await other.keyboard.press('ArrowRight');
      await other.keyboard.press('Shift+ArrowRight');
      await other.keyboard.press('ArrowLeft');
      expect(await tick(other)).toBe(60);
      await other.keyboard.press('.');
      expect(await tick(other)).toBe(flown(script).goalTicks[1]);
      await other.keyboard.press(' ');
      expect(await box.isChecked()).toBe(false);
      await frame(200, other);
      expect(await tick(other)).toBe(flown(script).goalTicks[1]);
      await other.getByRole('button', { name: 'Marker (m)' }).focus();
      await other.keyboard.press(',');
      await other.keyboard.press('Home');
      await other.keyboard.press('ArrowRight');
      expect(await tick(other)).toBe(1);
    });

    it('is turned there and back without a trace, and what changes nothing is no step of undo', async () => {
      await openRun();
      const undo = other.getByRole('button', { name: 'Undo (Ctrl+Z)' });
      await other.keyboard.press('Enter');
      await other.keyboard.type('90');
      await other.keyboard.press('Enter');
      expect(await undo.isDisabled()).toBe(true);
      await other.keyboard.press('Control+a');
      const before = await text('tas-verdict', other);
      const shown = () => other.getByTestId('tas-angle').inputValue();
      const start = await shown();
      for (let i = 0; i < 40; i++) await other.keyboard.press('ArrowDown');
      // the page may draw a frame later than it hears a key
      const turned = async () => Math.abs(Number.parseFloat(await shown()) - Number.parseFloat(start) - 40);
      await expect.poll(turned, { timeout: PATIENCE }).toBeLessThan(0.4);
      for (let i = 0; i < 40; i++) await other.keyboard.press('ArrowUp');
      await expect.poll(shown, { timeout: PATIENCE }).toBe(start);
      expect(await text('tas-verdict', other)).toBe(before);
    });

    it('keeps what the solver had found when it is stopped, and its markers move along', async () => {
      await openRun({ markers: [{ tick: flown(script).finish!, name: 'won' }] });
      await other.getByLabel('Ticks to try').selectOption('250000000');
      await other.keyboard.press('Control+a');
      await other.getByRole('button', { name: 'Improve the window' }).click();
      await other.getByText(/tried, saved \d+ ticks?$/).waitFor({ timeout: PATIENCE });
      await other.getByRole('button', { name: 'Stop', exact: true }).click();
      const said = (await other.getByText(/^saved \d+ ticks?$/).textContent())!;
      const finish = flown(script).finish! - Number(/\d+/.exec(said)![0]);
      expect(await text('tas-verdict', other)).toBe(`finished at tick ${finish}`);
      expect(await other.getByRole('button', { name: `won (tick ${finish})` }).count()).toBe(1);
      await other.getByRole('button', { name: 'Improve the window' }).click();
      await other.getByRole('button', { name: 'Stop', exact: true }).click();
      await other.getByText(/^(stopped before anything quicker was found|saved \d+ ticks?)$/).waitFor();
    });

    it('a wrong link in the address is refused in the editor, a good one is opened', async () => {
      await openRun();
      const before = hashOf(other);
      await other.evaluate((letters) => (location.hash = `#tas=${letters}`), before.slice(5, -20));
      await other.getByRole('alert').filter({ hasText: 'link: expected a whole share link' }).waitFor();
      await expect.poll(() => hashOf(other), { timeout: PATIENCE }).toBe(before);
      expect(await length(other)).toBe(180);
      const short = await writeShare({ map, rules, script: slice(script, { from: 0, to: 50 }), markers: [] });
      await other.evaluate((letters) => (location.hash = `#tas=${letters}`), short);
      await expect.poll(() => length(other), { timeout: PATIENCE }).toBe(50);
      await frame(0, other);
      await other.setViewportSize({ width: 1280, height: 200 });
      await frame(0, other);
      await other.keyboard.press('End');
      await frame(0, other);
      await other.setViewportSize(WIDE);
      await frame(0, other);
      // A link to a match leaves the editor for that match.
      await other.evaluate(() => (location.hash = '#world=asteracer&preset=v2025&seed=7&bots=pilot'));
      await other.getByTestId('tas-map').waitFor({ state: 'detached' });
      expect(hashOf(other)).toContain('seed=7');
    });

    it('takes files that are dropped beside the map too', async () => {
      await openRun();
      const ten = writeInstructions(thrustsOf(slice(script, { from: 0, to: 10 })));
      for (const at of ['.tas-panel', 'header']) {
        expect(await drop('ten.in', ten, { on: other, at })).toBe(true);
        await other.getByText('ten.in is open').waitFor();
        expect(await length(other)).toBe(10);
        await other.keyboard.press('Control+z');
        await other.keyboard.press('Escape');
        expect(await length(other)).toBe(180);
      }
    });

    it('as long as can be says that it cannot be longer', async () => {
      await openRun({ script: new Int8Array(400_000) });
      await other.keyboard.press('Insert');
      const alert = other.getByRole('alert');
      await alert.filter({ hasText: 'run: expected at most 200000 ticks, got 200001' }).waitFor();
      await other.keyboard.press('Escape');
      await other.getByRole('button', { name: 'Insert a tick' }).click();
      await alert.waitFor();
      await other.keyboard.press('Escape');
      await other.keyboard.press('End');
      await other.keyboard.press('Enter');
      await other.keyboard.type('5');
      await other.keyboard.press('Enter');
      await alert.waitFor();
      await other.getByRole('button', { name: 'По-русски' }).click();
      await other.keyboard.press('Escape');
      await other.keyboard.press('Insert');
      await alert.filter({ hasText: 'заезд: нужно: не больше 200000; а здесь: 200001' }).waitFor();
    });

    it('keeps its ghosts under other rules and after another map is taken back', async () => {
      await openRun();
      await other.keyboard.press('b');
      const ghost = other.getByRole('button', { name: 'Show as a ghost: main' });
      const shown = () => ghost.getAttribute('aria-pressed');
      expect(await shown()).toBe('true');
      await other.getByLabel('Rules').selectOption('document');
      expect(await shown()).toBe('true');
      await other.keyboard.press('Escape');
      await drop('small.txt', writeMap({ ...map, goals: [map.goals[0]!] }), { on: other });
      await other.getByText('small.txt is open').waitFor();
      expect(await ghost.count()).toBe(0);
      await other.getByRole('button', { name: 'Undo (Ctrl+Z)' }).click();
      expect(await shown()).toBe('true');
    });

    it('lists the goals that only one of the runs reaches, and drops markers beyond a new end', async () => {
      const run = flown(script);
      await openRun({
        markers: [
          { tick: 20, name: 'early' },
          { tick: 150, name: 'late' },
        ],
      });
      await other.keyboard.press('b');
      await other.keyboard.press('.');
      await other.keyboard.press('.');
      expect(await tick(other)).toBe(run.goalTicks[0]);
      await other.getByRole('button', { name: 'End the run here' }).click();
      expect(await other.locator('.tas-splits thead th').allTextContents()).toEqual(['1', 'main']);
      expect(await other.locator('.tas-splits tbody tr').allTextContents()).toEqual([
        `Goal 1${run.goalTicks[0]}±0`,
        `Goal 2–${run.goalTicks[1]}`,
      ]);
      expect(await other.getByLabel('Name of the marker').count()).toBe(1);
      await other.keyboard.press('b');
      expect(await other.locator('.tas-splits tbody tr').first().textContent()).toBe(`Goal 1${run.goalTicks[0]}±0±0`);
    });

    it('says that closed gaps are being computed until they are', async () => {
      await openRun();
      const label = other.locator('label', { hasText: 'Closed gaps' });
      const first = await label.evaluate(async (element) => {
        element.querySelector('input')!.click();
        await new Promise((resolve) => setTimeout(resolve));
        return element.textContent;
      });
      expect(first).toBe('Closed gapscomputing…');
      await expect.poll(() => label.textContent(), { timeout: PATIENCE }).toMatch(/^Closed gaps\d+$/);
    });
  });

  it('takes a picture for people to look at', async () => {
    mkdirSync(`${root}test-results`, { recursive: true });
    await seek(60);
    const picture = await page.screenshot({ path: `${root}test-results/studio-tas.png`, timeout: PATIENCE });
    expect(picture.length).toBeGreaterThan(20_000);
    expect(complaints).toEqual([]);
  });
});

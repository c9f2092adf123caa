import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listenForComplaints, openTheatre, PATIENCE, root, type Theatre, why } from './browser.test-support.ts';
import { jsonLines, workshop } from './cli-run.ts';

describe.skipIf(why !== '')('a recorded match in the studio, with what its bots drew', () => {
  const { folder, lockstep } = workshop();
  const complaints: string[] = [];
  let theatre: Theatre;
  let page: Page;
  let hash = '';

  beforeAll(async () => {
    theatre = await openTheatre();
    // A strategy of 2018 that puts a ring around each of its robots and a line to the ball.
    writeFileSync(
      join(folder, 'strategy.cjs'),
      `const [host, port, token] = process.argv.slice(2);
       const socket = require('node:net').connect(Number(port), host, () => socket.write('json\\n' + token + '\\n'));
       let first = true;
       require('node:readline').createInterface({ input: socket }).on('error', () => {}).on('line', (line) => {
         if (first) return void (first = false);
         const { current_tick, robots, ball } = JSON.parse(line);
         const mine = robots.filter((robot) => robot.is_teammate);
         const orders = mine.map(({ id, x, z }) => [id, { target_velocity_x: ball.x - x, target_velocity_y: 0, target_velocity_z: ball.z - z, jump_speed: 0, use_nitro: false }]);
         const red = { r: 1, g: 0, b: 0, a: 1 };
         const drawn = mine.flatMap(({ x, y, z }) => [{ Sphere: { x, y, z, radius: 2, ...red } }, { Line: { x1: x, y1: y, z1: z, x2: ball.x, y2: ball.y, z2: ball.z, width: 3, ...red } }]);
         socket.write(JSON.stringify(Object.fromEntries(orders)) + '|' + JSON.stringify([...drawn, { Text: 'I see tick ' + current_tick }]) + '\\n<end>\\n');
       });`,
    );
    const played = await lockstep('match', 'codeball', 'idle', 'tcp2018:node strategy.cjs', '--seed', '3', '--ticks', '90', '--record', 'game.replay', '--debug-file', 'game.debug', '--json'); // prettier-ignore
    const [game] = jsonLines(played.out) as [{ hash: string; faults: unknown[] }];
    expect(game.faults).toEqual([]);
    hash = game.hash;
    page = await theatre.browser.newPage({ viewport: { width: 1280, height: 800 }, colorScheme: 'dark', locale: 'en-US' });
    listenForComplaints(page, complaints);
    await page.goto(`${theatre.url}#world=codeball`);
    await page.evaluate(() => window.__studio.ready);
  }, PATIENCE);
  afterAll(() => theatre?.close());

  const openFiles = async (...names: string[]): Promise<void> => {
    await page.getByRole('tab', { name: 'Bots' }).click();
    await page.getByTestId('files').setInputFiles(names.map((name) => join(folder, name)));
  };
  const shown = () => page.evaluate(() => ({ tick: window.__studio.shownTick, head: window.__studio.headTick, hash: window.__studio.hash, verified: window.__studio.verifiedTick, keys: window.__studio.scene?.shapes.map(({ key }) => key) ?? [] })); // prettier-ignore
  const frame = (ms: number): Promise<void> => page.evaluate((time) => window.__studio.frame(time), ms);
  const drawings = async (): Promise<number> => (await shown()).keys.filter((key) => key.startsWith('sketch ')).length;

  it(
    'plays to the end of the file, every hash as recorded',
    async () => {
      await openFiles('game.replay');
      await expect
        .poll(async () => (await page.getByTestId('bots').textContent()) ?? '', { timeout: PATIENCE })
        .toContain('tcp2018:node strategy.cjs');
      await frame(20_000);
      await expect.poll(shown, { timeout: PATIENCE }).toMatchObject({ tick: 90, head: 90, hash, verified: 90 });
      expect(await drawings()).toBe(0);
    },
    PATIENCE,
  );

  it(
    'drawings come into the scene mirrored as their bot saw it, words into the panel, tick by tick',
    async () => {
      await openFiles('game.replay', 'game.debug');
      // The files are read in their own time; until then it is the old recording that goes on.
      const drawnSoon = async (): Promise<number> => {
        await frame(20);
        return drawings();
      };
      await expect.poll(drawnSoon, { timeout: PATIENCE }).toBe(2 * (3 + 1));
      await page.keyboard.press('Space');
      await frame(0);
      const { tick } = await shown();
      await expect
        .poll(async () => (await page.getByTestId('bots').textContent()) ?? '', { timeout: PATIENCE })
        .toContain(`I see tick ${tick}`);
      expect(await page.getByTestId('bots').textContent()).toContain('8 shapes drawn');
      // The middle of a ring is the robot that it was drawn around.
      const [ring, robots] = await page.evaluate(() => {
        const shapes = window.__studio.scene!.shapes;
        const path = shapes.find(({ key }) => key.startsWith('sketch '))!;
        const points = path.shape === 'path' ? [...path.points] : [];
        const middle = [0, 1, 2].map((k) => points.slice(0, -3).filter((_, i) => i % 3 === k).reduce((sum, one) => sum + one, 0) / (points.length / 3 - 1)); // prettier-ignore
        return [
          middle,
          shapes.flatMap((shape) => (shape.shape === 'sphere' && shape.material.seat === 1 ? [[shape.x, shape.y, shape.z]] : [])),
        ];
      });
      const away = robots.map((robot) => Math.hypot(...robot.map((value, k) => value - ring[k]!)));
      expect(Math.min(...away)).toBeLessThan(1e-4);
      mkdirSync(join(root, 'test-results'), { recursive: true });
      await page.screenshot({ path: join(root, 'test-results/studio-drawings.png'), timeout: PATIENCE });
    },
    PATIENCE,
  );

  it(
    'drawings alone, or a file that is neither, are answered in one line',
    async () => {
      writeFileSync(join(folder, 'bad.debug'), '{"seat":0,"tick":1,"debug":1}\n{oops\n');
      await openFiles('game.replay', 'bad.debug');
      await page.getByText('bad.debug: line 2: expected a line of JSON, got "{oops"').waitFor({ timeout: PATIENCE });
      const other = await theatre.browser.newPage({ locale: 'en-US' });
      await other.goto(`${theatre.url}#world=codeball`);
      await other.evaluate(() => window.__studio.ready);
      await other.getByTestId('files').setInputFiles(join(folder, 'game.debug'));
      await other.getByText('open the replay that they belong to as well').waitFor({ timeout: PATIENCE });
      // A file that is refused leaves the game that is on, and the next one is opened.
      writeFileSync(join(folder, 'half.replay'), readFileSync(join(folder, 'game.replay')).subarray(0, 500));
      const address = other.url();
      await other.getByTestId('files').setInputFiles(join(folder, 'half.replay'));
      await other.getByText('half.replay: expected').waitFor({ timeout: PATIENCE });
      expect(await other.getByRole('button', { name: 'Restart' }).isVisible()).toBe(true);
      expect([await other.evaluate(() => window.__studio.hash !== null), other.url()]).toEqual([true, address]);
      await other.getByTestId('files').setInputFiles(join(folder, 'game.replay'));
      await other.getByText('npx lockstep replay verify game.replay').waitFor({ timeout: PATIENCE });
      expect(other.url()).toBe(theatre.url);
      await other.close();
      expect(complaints).toEqual([]);
    },
    PATIENCE,
  );
});

import { appendFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listenForComplaints, openTheatre, PATIENCE, type Theatre, why } from './browser.test-support.ts';
import { workshop } from './cli-run.ts';
import { writeFileSync } from 'node:fs';

const { folder, lockstep } = workshop();
const cupText = (format: string): string =>
  `name = "Class"\nworld = "codeball"\nformat = "${format}"\nticks = 90\nseed = 3\n${['captain', 'chaser', 'quickstart', 'idle', 'chaser'].map((bot, i) => `[[bots]]\nname = "bot${i}"\nbot = "${bot}"\n`).join('')}`;

describe.skipIf(why !== '')('the league in the browser', { timeout: 4 * PATIENCE }, () => {
  let theatre: Theatre;
  beforeAll(async () => {
    for (const format of ['knockout', 'swiss']) {
      writeFileSync(join(folder, `${format}.toml`), cupText(format));
      expect((await lockstep('cup', 'run', `${format}.toml`)).code).toBe(0);
    }
    expect((await lockstep('test', 'pilot', '--vs', 'drifter', '--world', 'asteracer', '--games', '4', '--ticks', '120', '--seed', '1', '--out', 'runs/solo')).code).toBe(0); // prettier-ignore
    theatre = await openTheatre({ runs: join(folder, 'runs') });
  }, 4 * PATIENCE);
  afterAll(() => theatre?.close());

  async function visit(hash: string, size = { width: 1280, height: 800 }) {
    const page = await theatre.browser.newPage({ viewport: size });
    const complaints: string[] = [];
    listenForComplaints(page, complaints);
    await page.goto(`${theatre.url}league.html${hash}`);
    return { page, complaints };
  }

  it('shows standings, each against each, ratings, the bracket and a bot’s page', async () => {
    const { page, complaints } = await visit('#run=knockout');
    const standings = page.getByTestId('standings');
    await standings.waitFor({ timeout: PATIENCE });
    await expect.poll(() => standings.locator('tbody tr').count(), { timeout: PATIENCE }).toBe(5);
    const first = await standings.locator('tbody tr').first().locator('td').nth(1).textContent();
    await page.getByRole('tab', { name: 'Each against each' }).click();
    await expect.poll(() => page.getByTestId('matrix').locator('tbody tr').count(), { timeout: PATIENCE }).toBe(5);
    await page.getByRole('tab', { name: 'Ratings' }).click();
    await expect.poll(() => page.getByTestId('graph').locator('polyline').count(), { timeout: PATIENCE }).toBe(5);
    await page.getByRole('tab', { name: 'Cup' }).click();
    await page.getByTestId('bracket').waitFor({ timeout: PATIENCE });
    expect(await page.getByTestId('cup').textContent()).toContain('Places: Class');
    expect(await page.getByTestId('bracket').locator('h4').allTextContents()).toEqual([
      'Round 1',
      'Round 2',
      'Final',
      'For the third place',
    ]);
    await page.screenshot({ path: '.cache/league-cup.png' });
    await page.getByTestId('cup').getByRole('link', { name: first!, exact: true }).first().click();
    await expect.poll(() => page.getByTestId('bot-page').textContent(), { timeout: PATIENCE }).toContain(first!);
    expect(complaints).toEqual([]);
    await page.close();
  });

  it('follows a run that goes on, and speaks Russian', async () => {
    const { page } = await visit('#run=swiss');
    const count = page.getByTestId('count');
    const journal = join(folder, 'runs/swiss/journal.ndjson');
    const lines = readFileSync(journal, 'utf8').trim().split('\n');
    await expect.poll(() => count.textContent(), { timeout: PATIENCE }).toBe(`${lines.length - 1} games`);
    const extra = lines.at(-1)!.replace(/"id":"[^"]*"/, '"id":"later"');
    appendFileSync(journal, extra.slice(0, 40));
    appendFileSync(journal, `${extra.slice(40)}\n`);
    await expect.poll(() => count.textContent(), { timeout: PATIENCE }).toBe(`${lines.length} games`);
    await page.getByRole('button', { name: 'RU' }).click();
    await expect.poll(() => page.getByRole('tab').first().textContent(), { timeout: PATIENCE }).toBe('Таблица');
    await expect.poll(() => count.textContent(), { timeout: PATIENCE }).toMatch(/^\d+ игр[аы]?$/);
    await page.close();
  });

  it('lists scores of a world that is played alone, at the size of a phone', async () => {
    const { page } = await visit('#run=solo&view=cup', { width: 360, height: 740 });
    await expect.poll(() => page.getByTestId('standings').locator('tbody tr').count(), { timeout: PATIENCE }).toBe(2);
    expect(await page.getByRole('tab').count()).toBe(2);
    await page.screenshot({ path: '.cache/league-phone.png' });
    await page.close();
  });

  it('opens a game’s replay on the stage, where it is checked', async () => {
    const { page, complaints } = await visit('#run=knockout&view=replays');
    await page.getByPlaceholder('Filter by name or id').fill('round1');
    const link = page.getByTestId('games').getByRole('link', { name: 'Watch' }).first();
    await link.waitFor({ timeout: PATIENCE });
    const line = await page.getByTestId('games').locator('tbody tr').first().textContent();
    await link.click();
    await page.waitForFunction(() => document.querySelector('[data-testid="seed"]') !== null, undefined, { timeout: PATIENCE });
    expect(line).toContain(await page.getByTestId('seed').textContent());
    await expect
      .poll(() => page.locator('[data-testid="command"]').textContent(), { timeout: PATIENCE })
      .toMatch(/^npx lockstep replay verify round1_.*\.replay$/);
    await page.keyboard.press('End');
    await expect.poll(() => page.evaluate(() => window.__studio.verifiedTick), { timeout: PATIENCE }).toBe(90);
    expect(complaints).toEqual([]);
    await page.screenshot({ path: '.cache/league-replay.png' });
    await page.close();
  });

  it('says in one line what is wrong with a file that is no replay', async () => {
    const page = await theatre.browser.newPage();
    await page.goto(`${theatre.url}#replay=%2Fapi%2Fruns%2Fknockout%2Freplays%2Fnone.replay`);
    await expect.poll(() => page.locator('.wrong').first().textContent(), { timeout: PATIENCE }).toContain('expected a replay, got "404');
    await page
      .locator('input[type=file]')
      .setInputFiles({ name: 'x.replay', mimeType: 'application/octet-stream', buffer: Buffer.from('hello') });
    await expect.poll(() => page.locator('.wrong').first().textContent(), { timeout: PATIENCE }).toContain('x.replay');
    await page.close();
  });
});

import { execFile } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { jsonLines, workshop } from './cli-run.ts';

const { folder, lockstep } = workshop();

interface Table {
  name: string;
  flippers: { pivot: number[] }[];
}

const write = (name: string, table: object): void => writeFileSync(join(folder, name), JSON.stringify(table));

describe('tables of one’s own', () => {
  it('begin with one of ours, are checked, and are played like any other', async () => {
    const shown = await lockstep('table', 'show', 'learner');
    expect(shown.code).toBe(0);
    write('mine.json', { ...(JSON.parse(shown.out) as Table), name: 'mine', gravity: [0, -90] });
    const check = await lockstep('table', 'check', 'mine.json');
    expect(check).toMatchObject({ code: 0, err: '' });
    expect(check.out).toMatch(/^mine\.json: ok, mine: \d+ colliders, 2 flippers, 8 switches, 7 rules, 1 mission\n$/);
    const args = ['match', 'pinball', 'flapper', '--table', 'mine.json', '--seed', '3', '--ticks', '5000', '--record', 'mine.replay'];
    const game = await lockstep(...args, '--json');
    expect(game.code).toBe(0);
    const [{ hash, scores }] = jsonLines(game.out) as unknown as [{ hash: string; scores: number[] }];
    expect(scores[0]).toBeGreaterThan(0);
    // The replay carries the table: nobody needs the file to check it.
    rmSync(join(folder, 'mine.json'));
    expect((await lockstep('replay', 'verify', 'mine.replay')).out).toMatch(new RegExp(`ok, .*5,000 ticks, final state ${hash}`));
    const [info] = jsonLines((await lockstep('replay', 'info', 'mine.replay', '--json')).out) as [{ config?: unknown; events?: unknown }];
    expect(info).toMatchObject({ config: { table: { name: 'mine', gravity: [0, -90] } }, events: null });
    const events = jsonLines((await lockstep('replay', 'events', 'mine.replay')).out);
    expect(events.filter(({ kind }) => kind === 'switch').length).toBeGreaterThan(3);
  });

  it('have a published schema, the one in the repository', async () => {
    const { code, out } = await lockstep('table', 'schema');
    const file = fileURLToPath(new URL('../packages/worlds/pinball/tables/schema.json', import.meta.url));
    expect([code, JSON.parse(out)]).toEqual([0, JSON.parse(readFileSync(file, 'utf8'))]);
  });

  it('what is wrong with one is told in one line: where, what was expected, what came', async () => {
    const table = JSON.parse((await lockstep('table', 'show', 'learner')).out) as Table;
    write('wall.json', { ...table, flippers: [{ ...table.flippers[0], pivot: [8, 15] }, table.flippers[1]] });
    write('word.json', { ...table, flipers: [] });
    writeFileSync(join(folder, 'torn.json'), '{"name": ');
    const inWall = 'wall.json: table.flippers[0].pivot: expected a flipper that is clear of walls[3], which it touches at rest, got [8,15]';
    for (const [args, line] of [
      [['table', 'check', 'wall.json'], `lockstep: ${inWall}\n`],
      [['match', 'pinball', 'flapper', '--table', 'wall.json', '--seed', '1'], `lockstep: ${inWall}\n`],
      [['table', 'check', 'word.json'], 'lockstep: word.json: table.flipers: expected a known field (did you mean flippers?), got []\n'],
      [['table', 'check', 'nowhere.json'], 'lockstep: nowhere.json: expected a readable file, got "no such file or folder"\n'],
      [['table', 'show', 'clasic'], 'lockstep: name: expected one of classic, learner (did you mean classic?), got "clasic"\n'],
    ] as const)
      expect(await lockstep(...args)).toEqual({ code: 2, out: '', err: line });
    expect((await lockstep('table', 'check', 'torn.json')).err).toMatch(/^lockstep: torn\.json: expected a table as JSON, got ".+"\n$/);
    expect((await lockstep('match', 'codeball', 'idle', 'idle', '--table', 'word.json')).err).toContain('config.table: expected only');
  });
});

/** Run by a Node of its own, whose young generation is so large that nothing is collected in between. */
const HEAP = `
import { PerformanceObserver } from 'node:perf_hooks';
const { pinball: { world } } = await import(process.argv[2]);
const pause = () => new Promise((done) => setTimeout(done, 200));
const collections = [];
new PerformanceObserver((list) => collections.push(...list.getEntries())).observe({ entryTypes: ['gc'] });
const config = world.readConfig({ table: 'classic', ticks: 10_000_000 });
const state = world.create(config, 3n);
const controls = world.idle(config, 0);
const events = [];
const actions = [controls];
const play = (ticks) => {
  for (let k = 0; k < ticks; k++) {
    controls.left = state.tick % 160 < 40;
    controls.right = state.tick % 170 < 40;
    controls.plunger = state.tick % 200 < 120 ? 1 : 0;
    events.length = 0;
    world.step(state, actions, events);
    state.ballsLeft = 3;
  }
};
play(150_000); // until the engine has compiled what is hot
gc();
const start = performance.now();
const before = process.memoryUsage().heapUsed;
play(250_000);
const made = process.memoryUsage().heapUsed - before;
const end = performance.now();
await pause();
const during = collections.filter(({ startTime }) => startTime > start && startTime < end).length;
gc();
console.log(JSON.stringify({ made, kept: process.memoryUsage().heapUsed - before, during, tick: state.tick, score: state.score }));
`;

describe('a million steps of physics', () => {
  it('[PB-M2] keep nothing, and make next to nothing', { timeout: 180_000 }, async () => {
    writeFileSync(join(folder, 'heap.mjs'), HEAP);
    const machine = new URL('../packages/worlds/pinball/dist/src/index.js', import.meta.url).href;
    const flags = ['--expose-gc', '--min-semi-space-size=128', '--max-semi-space-size=128'];
    const { stdout } = await promisify(execFile)(process.execPath, [...flags, join(folder, 'heap.mjs'), machine]);
    const { made, kept, during, tick, score } = JSON.parse(stdout) as Record<string, number>;
    expect([tick, during]).toEqual([400_000, 0]);
    expect(score).toBeGreaterThan(10_000);
    expect(kept).toBeLessThan(300_000); // code that was compiled late, mostly
    // No objects: what is left are numbers that the engine boxes when a function that it did not inline gives one back.
    expect(made! / 1_000_000).toBeLessThan(60);
  });
});

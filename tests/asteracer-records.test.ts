import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { asteracer } from '@lockstep/asteracer';
import { NaiveRace } from '@lockstep/asteracer/oracle';
import type { AnyEntry } from '@lockstep/kernel';
import { readReplay, verifyReplay } from '@lockstep/replay';
import { describe, expect, it } from 'vitest';

const FOLDER = fileURLToPath(new URL('../packages/worlds/asteracer/records/', import.meta.url));
const TABLE = fileURLToPath(new URL('../docs/records.md', import.meta.url));

const { world } = asteracer as unknown as AnyEntry;

/** | map | rules | ticks | collisions | file | */
const rows = [...readFileSync(TABLE, 'utf8').matchAll(/^\| (\w+) +\| (\w+) +\| ([\d,]+) +\| (\d+) +\| `([\w-]+\.replay)` +\|$/gm)].map(
  ([, map, rules, ticks, collisions, file]) => ({
    map: map!,
    rules: rules!,
    ticks: Number(ticks!.replaceAll(',', '')),
    collisions: Number(collisions),
    file: file!,
  }),
);

describe('records of Asteracer', () => {
  it('the table has a line for each file, and a file for each line', () => {
    expect(rows.length).toBeGreaterThan(0);
    expect(new Set(rows.map(({ file }) => file))).toEqual(new Set(readdirSync(FOLDER)));
  });

  it.each(rows)('$file: $ticks ticks, $collisions collisions, bit for bit', async ({ map, rules, ticks, collisions, file }) => {
    const replay = await readReplay(readFileSync(`${FOLDER}${file}`), file);
    expect(verifyReplay(world, replay)).toMatchObject({ ok: true, difference: null });
    expect(replay.result?.reason).toBe(`all goals reached in ${ticks} ticks`);
    expect(replay.events!.filter(({ events }) => events.some(({ kind }) => kind === 'collision'))).toHaveLength(collisions);
    const { map: flown, rules: under } = asteracer.world.readConfig(replay.config);
    expect(under).toBe(rules);
    expect(flown).toEqual(asteracer.world.readConfig({ map }).map);
  });

  it('the oracle agrees on the shortest of them to the last bit', async () => {
    const { file, ticks } = rows.reduce((least, row) => (row.ticks < least.ticks ? row : least));
    const replay = await readReplay(readFileSync(`${FOLDER}${file}`), file);
    const { map, rules } = asteracer.world.readConfig(replay.config);
    const race = new NaiveRace(map, rules);
    for (let tick = 0; tick < ticks; tick++) {
      expect(race.reached).toContain(false);
      race.step(replay.rows[3 * tick]!, replay.rows[3 * tick + 1]!);
    }
    expect(race.reached).not.toContain(false);
  });
});

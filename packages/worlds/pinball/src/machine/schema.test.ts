import { readFileSync, writeFileSync } from 'node:fs';
import { InputError, nextInt, type Rng } from '@lockstep/kernel';
import { fuzz } from '@lockstep/testkit';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { fill } from './fill.ts';
import { readLayout } from './read.ts';
import { TABLE_SCHEMA } from './schema.ts';
import { TABLES } from './tables.ts';

/** Another program's reading of the published file: what it says, not what we meant. */
const file = new URL('../../tables/schema.json', import.meta.url);
const published = (): object => JSON.parse(readFileSync(file, 'utf8')) as object;
const ajv = () => new Ajv2020({ strict: true, strictTuples: false }).compile(published());

/** What a slip or a misunderstanding writes. */
const VALUES = [null, true, '', 'wood', 'x'.repeat(81), 0, -1, 0.5, 1e12, -1e12, [], {}, [1], [1, 2], [1, 2, 3], ['a', 'b'], { a: 1 }, 7];

type Place = { readonly holder: Record<string, unknown>; readonly key: string };

/** Every value of a table with the object or list that holds it. */
function placesIn(value: unknown): Place[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => [{ holder: value as Record<string, unknown>, key }, ...placesIn(inner)]);
}

function mutate(table: unknown, rng: Rng): void {
  const places = placesIn(table);
  const { holder, key } = places[nextInt(rng, places.length)]!;
  const how = nextInt(rng, 4);
  if (how === 0 && !Array.isArray(holder)) delete holder[key];
  else if (how === 1 && !Array.isArray(holder)) holder[`${key}s`] = 1;
  else if (how === 2 && Array.isArray(holder)) holder.push(structuredClone(VALUES[nextInt(rng, VALUES.length)]));
  else holder[key] = structuredClone(VALUES[nextInt(rng, VALUES.length)]);
}

const refusalOf = (read: () => unknown): string | null => {
  try {
    read();
    return null;
  } catch (error) {
    expect(error).toBeInstanceOf(InputError);
    return (error as Error).message;
  }
};

describe('the schema of tables', () => {
  it('[PB-M1.1] the published file is the schema by which tables are read', () => {
    const text = `${JSON.stringify(TABLE_SCHEMA, null, 2)}\n`;
    if (process.env['LOCKSTEP_BLESS'] === '1') writeFileSync(file, text);
    expect(published()).toEqual(JSON.parse(text));
  });

  it.each(Object.keys(TABLES))('[PB-M1.1] another validator takes %s by it, as written and as filled', (name) => {
    const validate = ajv();
    expect([validate(TABLES[name]), validate.errors]).toEqual([true, null]);
    expect(validate(JSON.parse(JSON.stringify(readLayout(TABLES[name]))))).toBe(true);
  });

  it('[PB-M1.1] reader and validator refuse the same of thousands of broken tables, and the reader by a path that leads there', () => {
    const validate = ajv();
    const counts = { refused: 0, taken: 0 };
    fuzz('tables', 1500, (rng) => {
      const table = structuredClone(TABLES[nextInt(rng, 2) === 0 ? 'classic' : 'learner']);
      for (let k = nextInt(rng, 2); k >= 0; k--) mutate(table, rng);
      const line = refusalOf(() => fill(TABLE_SCHEMA, table, 'table'));
      expect([line === null, line]).toEqual([validate(table), line]);
      counts[line === null ? 'taken' : 'refused']++;
      if (line === null) return;
      expect(line).toMatch(/^table[.[\]\w -]*: expected .+, got .+$/);
      // What the schema refuses, the door refuses in the same words.
      expect(refusalOf(() => readLayout(table))).toBe(line);
    });
    expect(Math.min(counts.refused, counts.taken)).toBeGreaterThan(80);
  });

  it('[PB-M1.1] what the schema takes and the door refuses is told by path as well', () => {
    fuzz('tables beyond the schema', 300, (rng) => {
      const table = structuredClone(TABLES['classic']);
      mutate(table, rng);
      const line = refusalOf(() => readLayout(table));
      if (line !== null) expect(line).toMatch(/^table\.[^:]+: expected .+, got .+$/);
    });
  });
});

import { readFileSync, writeFileSync } from 'node:fs';
import { InputError } from '@lockstep/kernel';
import { describe, expect, it } from 'vitest';
import { Machine } from './machine.ts';
import { readLayout } from './read.ts';
import { TABLES } from './tables.ts';

/** A table of ours with one thing in it changed, by a path such as `flippers.0.pivot`. */
function changed(path: string, value: unknown): unknown {
  const table = structuredClone(TABLES['classic']) as Record<string, unknown>;
  const keys = path.split('.');
  const last = keys.pop()!;
  let at = table;
  for (const key of keys) at = at[key] as Record<string, unknown>;
  if (value === undefined) delete at[last];
  else at[last] = value;
  return table;
}

describe('tables', () => {
  it.each(Object.keys(TABLES))('[PB-M1] [PB-M1.4] %s is a machine, and the file for people says the same', (name) => {
    const layout = readLayout(TABLES[name]);
    expect(new Machine(layout).switches.length).toBeGreaterThan(4);
    const file = new URL(`../../tables/${name}.json`, import.meta.url);
    if (process.env['LOCKSTEP_BLESS'] === '1') writeFileSync(file, `${JSON.stringify(TABLES[name], null, 2)}\n`);
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(TABLES[name]);
    expect(readLayout(JSON.parse(JSON.stringify(layout)))).toEqual(layout);
  });

  it.each([
    ['flippers.0.pivot', [1], 'table.flippers[0].pivot: expected a point [x, y], got [1]'],
    ['flippers.0.pivot', [1, 'a'], 'table.flippers[0].pivot[1]: expected a number -100000..100000, got "a"'],
    ['flippers.1.button', 'middle', 'table.flippers[1].button: expected one of left, right, got "middle"'],
    ['flippers.0.raised', -0.5, 'table.flippers[0].raised: expected another angle than rest, got -0.5'],
    ['walls.0.kind', 'line', 'table.walls[0].kind: expected one of polyline, polygon, arc, post, bar, got "line"'],
    ['walls.0.points', [[0, 0]], 'table.walls[0].points: expected a list of 2..1000, got [[0,0]]'],
    [
      'walls.0.material',
      'woood',
      'table.walls[0].material: expected one of wood, metal, rubber, flipper, plastic, guide (did you mean wood?)',
    ],
    ['materials.wood.restitution', 1.1, 'table.materials.wood.restitution: expected a number 0..1, got 1.1'],
    ['plunger', undefined, 'table.plunger: expected an object, got nothing'],
    ['drain.to', [0, 2], 'table.drain.to: expected another point than from, got [0,2]'],
    ['capacity', 0, 'table.capacity: expected a whole number 1..20, got 0'],
    ['bumper', [], 'table.bumper: expected a known field (did you mean bumpers?), got []'],
    ['ramps.0.layer', 0, 'table.ramps[0].layer: expected a whole number 1..30, got 0'],
    ['walls.0.points.2', [0, -6], 'table.walls[0].points[2]: expected another point than the one before, got [0,-6]'],
    ['ramps.0.slope.points.3', [10, 51], 'table.ramps[0].slope.points: expected a convex polygon, got [[8.5,50],[14,50]'],
    ['missions.0.steps', [], 'table.missions[0].steps: expected a list of 1..1000, got []'],
  ])('[PB-M1.1] %s = %j is refused by path', (path, value, message) => {
    expect(() => readLayout(changed(path, value))).toThrow(InputError);
    expect(() => readLayout(changed(path, value))).toThrow(message);
  });

  it.each([
    ['bumpers.1.name', 'left bumper', 'table.bumpers[1].name: expected a name of its own, got "left bumper"'],
    ['rules.0.on.0', 'left bumpr', 'table.rules[0].on[0]: expected the name of a switch (did you mean left bumper?), got "left bumpr"'],
    ['rules.7.add', { dropz: 1 }, 'table.rules[7].add.dropz: expected the name of a counter (did you mean drops?), got "dropz"'],
    ['rules.8.raise.0', 'oil', 'table.rules[8].raise[0]: expected the name of a drop target, got "oil"'],
    ['capacity', 2, 'multiball: expected at most 2 balls, got 3'],
    ['missions.0.starts', ['cav'], 'table.missions[0].starts[0]: expected the name of a switch (did you mean cave?), got "cav"'],
  ])('[PB-M1.2] %s = %j: names must exist', (path, value, message) => {
    expect(() => readLayout(changed(path, value))).toThrow(message);
  });

  it.each([
    ['bumpers.0.at', [500, 60], 'table.bumpers[0].at: expected a point on the table, [0,0]..[50,105], got [500,60]'],
    ['lanes.0.to', [20, -1], 'table.lanes[0].to: expected a point on the table, [0,0]..[50,105], got [20,-1]'],
  ])('[PB-M1.5] %s = %j is off the table', (path, value, message) => {
    expect(() => readLayout(changed(path, value))).toThrow(message);
  });

  it('[PB-M1.3] a flipper inside a wall, or that would turn into one, is reported', () => {
    const build = (path: string, value: unknown) => () => new Machine(readLayout(changed(path, value)));
    expect(build('flippers.0.pivot', [12, 17.2])).toThrow(
      'table.flippers[0].pivot: expected a flipper that is clear of walls[3], which it touches at rest, got [12,17.2]',
    );
    expect(build('flippers.0.raised', 3)).toThrow('clear of slingshots[0], which it touches at the angle 1.60, got [13.8,15]');
    expect(
      build('walls.5.points', [
        [10, 5],
        [30, 5],
        [20, 30],
      ]),
    ).toThrow('clear of walls[5]'); // wholly inside
    // A pin that it touches on its way only, between rest and raised.
    expect(build('walls.0', { kind: 'post', at: [21.2, 15.4], radius: 0.05, material: 'rubber' })).toThrow(
      /clear of walls\[0\], which it touches at the angle -?0\.\d\d/,
    );
    expect(build('bumpers.0.at', [16, 19])).toThrow('clear of bumpers[0]');
    expect(build('plunger.at', [46, 10])).toThrow('table.plunger.at: expected room for a ball, got [46,10]');
  });
});

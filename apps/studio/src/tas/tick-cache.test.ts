import { asteracer, Instruction, judge, RULE_NAMES, type RuleName } from '@lockstep/asteracer';
import { describe, expect, it } from 'vitest';
import { configFor } from './files.ts';
import { type Course, splits, TickCache } from './tick-cache.ts';
import { fill, insert, paintAngle, remove, type Script, scriptOf, shift, thrustsOf } from './script.ts';
import { thrustOf } from './thrust.ts';

const { map } = asteracer.world.readConfig('v2025');

/** A drunken flight: long holds, so that it goes somewhere and hits things. */
function wander(ticks: number, seed: number): Script {
  let dice = seed;
  const roll = () => (dice = (Math.imul(dice, 1103515245) + 12345) >>> 0) / 2 ** 32;
  const thrusts = [];
  while (thrusts.length < ticks) {
    const thrust = thrustOf(roll() * 360, 60 + roll() * 67);
    for (let held = 5 + roll() * 60; held > 0 && thrusts.length < ticks; held--) thrusts.push(thrust);
  }
  return scriptOf(thrusts);
}

function instructionsOf(script: Script): Instruction[] {
  return thrustsOf(script).map((thrust) => Object.assign(new Instruction(), thrust));
}

const columns = ({ length, x, y, vx, vy, collided, reached, goalTicks, finish }: Course) => ({
  x: [...x.subarray(0, length + 1)],
  y: [...y.subarray(0, length + 1)],
  vx: [...vx.subarray(0, length + 1)],
  vy: [...vy.subarray(0, length + 1)],
  collided: [...collided.subarray(0, length + 1)],
  reached: [...reached.subarray(0, length + 1)],
  goalTicks: [...goalTicks],
  finish,
});

describe('the cache of every tick', () => {
  it.each(RULE_NAMES)('is the judge’s run, tick by tick, under %s', (rules: RuleName) => {
    const config = configFor(map, rules);
    const script = wander(2500, 7);
    const flight = new TickCache(config, script);
    let tick = 0;
    const verdict = judge(config, instructionsOf(script), ({ x, y, vx, vy }) => {
      tick++;
      const kept = [flight.x[tick], flight.y[tick], flight.vx[tick], flight.vy[tick]];
      if (kept.some((value, i) => value !== [x, y, vx, vy][i])) expect([tick, ...kept]).toEqual([tick, x, y, vx, vy]);
    });
    expect(tick).toBe(2500);
    expect([...flight.goalTicks].map((at) => (at < 0 ? null : at))).toEqual(verdict.goals);
    expect(flight.collided.reduce((sum, hit) => sum + hit, 0)).toBe(verdict.collisions);
    expect(verdict.collisions).toBeGreaterThan(0);
  });

  it('after any edit it is what a fresh flight would be', () => {
    const config = configFor(map, 'v2025');
    let script = wander(900, 3);
    const flight = new TickCache(config, script);
    const edits: ((script: Script) => Script)[] = [
      (now) => fill(now, { from: 400, to: 420 }, { vx: -90, vy: 20 }),
      (now) => insert(now, 10, wander(50, 9)),
      (now) => remove(now, { from: 100, to: 300 }),
      (now) => paintAngle(now, { from: 0, to: 700 }, (tick) => tick),
      (now) => shift(now, { from: 20, to: 30 }, 40),
      (now) => fill(now, { from: 2000, to: 2100 }, { vx: 1, vy: 1 }),
      (now) => remove(now, { from: 0, to: now.length / 2 }),
      () => wander(1200, 5),
    ];
    for (const edit of edits) {
      script = edit(script);
      flight.fly(script);
      expect(columns(flight)).toEqual(columns(new TickCache(config, script)));
    }
  });

  it('says from where on the future changed', () => {
    const script = wander(300, 1);
    const flight = new TickCache(configFor(map, 'document'), script);
    expect(flight.fly(script.slice())).toBeNull();
    expect(flight.fly(fill(script, { from: 120, to: 121 }, { vx: 3, vy: -3 }))).toBe(120);
    expect(flight.fly(remove(script, { from: 290, to: 300 }))).toBe(120);
  });

  it('brings back the whole state of any tick', () => {
    const config = configFor(map, 'v2025');
    const script = wander(2000, 11);
    const flight = new TickCache(config, script);
    const { world } = asteracer;
    const state = world.create(config, 0n);
    instructionsOf(script).forEach((instruction, tick) => {
      if (tick % 250 === 0) expect(flight.stateAt(tick)).toEqual(state);
      world.step(state, [instruction], []);
    });
    expect(flight.stateAt(2000)).toEqual(state);
  });

  it('a race without goals is won before it begins', () => {
    expect(new TickCache(configFor({ ...map, goals: [] }, 'v2025'), wander(3, 1)).finish).toBe(0);
  });
});

describe('ghosts', () => {
  it('the times at each goal that anybody reached, in the order of the run', () => {
    const empty = new TickCache(configFor(map, 'v2025'), new Int8Array(0));
    const course = (goalTicks: number[]): Course =>
      Object.assign(Object.create(empty) as Course, { goalTicks: Int32Array.from(goalTicks) });
    expect(splits(course([50, -1, 20, 90, -1, -1]), [course([48, 10, -1, 100, -1, -1]), course([50, -1, -1, -1, 7, -1])])).toEqual([
      { goal: 2, tick: 20, others: [null, null] },
      { goal: 0, tick: 50, others: [48, 50] },
      { goal: 3, tick: 90, others: [100, null] },
      { goal: 4, tick: null, others: [null, 7] },
      { goal: 1, tick: null, others: [10, null] },
    ]);
    expect(splits(course([3, -1]), [])).toEqual([{ goal: 0, tick: 3, others: [] }]);
  });
});

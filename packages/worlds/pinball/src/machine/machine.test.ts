import { describe, expect, it } from 'vitest';
import { GONE, HELD } from '../physics/index.ts';
import { Controls } from './action.ts';
import { ballsInPlay } from './balls.ts';
import { Play, tableWith } from './machine.test-support.ts';
import { step } from './step.ts';

const LEFT = 0;

describe('drives', () => {
  it('[PB-M3.1] a flipper goes up within 40 ms, is held there weakly, and falls back slower', () => {
    const play = new Play().run(0.04, { left: true });
    const { place, drive } = play.state.physics;
    expect(place[LEFT]).toBeGreaterThan(0.3);
    expect(place[LEFT + 1]).toBe(Math.PI + 0.5);
    play.run(0.2);
    expect(place[LEFT]).toBe(0.5);
    expect(drive[LEFT]).toBe(1000);
    play.run(0.03, { left: false });
    expect(place[LEFT]).toBeGreaterThan(-0.5);
    play.run(0.1);
    expect(place[LEFT]).toBe(-0.5);
  });

  it('[PB-M3.1] a ball on a flipper is shot up the table; where on the flipper decides where to', () => {
    const shot = (x: number): Play => new Play().ball([x, 17]).run(0.05).run(0.15, { left: true });
    expect(shot(18).state.physics.vy[0]).toBeGreaterThan(150);
    expect(shot(17).state.physics.vx[0]).not.toBe(shot(19).state.physics.vx[0]);
  });

  it('[PB-M3.2] the farther the pull, the faster the launch; without one a ball stays on the plunger', () => {
    const launch = (pull: number): number => {
      const play = new Play();
      play.state.toServe = 1;
      play.run(0.5, { plunger: pull }).run(0.2, { plunger: 0 });
      return play.at()[1];
    };
    expect([0, 0.25, 0.5, 1].map(launch)).toEqual([0, 0.25, 0.5, 1].map(launch).toSorted((a, b) => a - b));
    expect(launch(0)).toBe(10);
    expect(launch(1)).toBeGreaterThan(40);
  });

  it('[PB-M6.1] seeds make launches a little different, and the ledger says how', () => {
    const launched = (seed: bigint): Play => {
      const play = new Play(undefined, seed);
      play.state.toServe = 1;
      return play.run(0.5, { plunger: 1 }).run(0.1, { plunger: 0 });
    };
    const [one, two] = [launched(1n), launched(2n)];
    expect(one.at()[1]).not.toBe(two.at()[1]);
    expect(one.ledger).toEqual([{ kind: 'launch', value: one.state.launch }]);
    expect(Math.abs(one.state.launch - 1)).toBeLessThan(0.03);
  });

  it('[PB-M3.3] a nudge moves the table under the ball, and the table comes back', () => {
    const still = new Play().ball([23, 50]).run(0.3);
    const pushed = new Play().ball([23, 50]).run(0.1, { nudgeX: 1 });
    expect(pushed.at()[0]).toBeLessThan(22.5);
    pushed.run(0.2, { nudgeX: 0 });
    expect(still.at()[0]).toBe(23);
    expect(Math.abs(pushed.at()[0] - 23)).toBeLessThan(0.2);
    expect(Math.abs(pushed.state.tableX)).toBeLessThan(0.1);
  });

  it('[PB-M3.4] the plumb bob warns twice, then the machine is tilted: no flippers, no score, until the ball is lost', () => {
    const play = new Play().ball([23, 95]);
    for (let k = 0; k < 12 && !play.state.tilted; k++) play.run(0.2, { nudgeX: 1 }).run(0.2, { nudgeX: -1 }).ball([23, 95]);
    expect(play.told('tilt warning')).toHaveLength(2);
    expect(play.told('tilt')).toHaveLength(1);
    play.run(0.1, { nudgeX: 0, left: true });
    expect(play.state.physics.place[LEFT]).toBe(-0.5);
    const { score } = play.state;
    play.ball([17, 84], [0, -100]).run(0.2);
    expect(play.state.score).toBe(score);
    play.ball([23, 5], [0, -50]).run(0.2);
    expect(play.state.tilted).toBe(false);
    expect(play.state.ballsLeft).toBe(2);
  });

  it('[PB-M3.3] a gentle nudge does not tilt', () => {
    const play = new Play().run(0.1, { nudgeX: 0.5 }).run(1, { nudgeX: 0 });
    expect(play.told('tilt warning')).toEqual([]);
  });
});

describe('elements', () => {
  it('[PB-M4.1] bumpers and slingshots throw what hits them hard enough, and count it', () => {
    const bumper = new Play().ball([17, 84], [0, -50]).run(0.05);
    expect(bumper.told('switch')).toEqual(['left bumper']);
    expect(bumper.speed()).toBeGreaterThan(140);
    expect(bumper.state.score).toBe(100);
    const sling = new Play().ball([14, 28], [-60, -30]).run(0.08);
    expect(sling.told('switch')).toEqual(['left sling']);
    expect(sling.speed()).toBeGreaterThan(120);
  });

  it('[PB-M4.2] rollovers and lanes close once when a ball passes, and do not touch it', () => {
    const play = new Play().ball([18.5, 92], [0, -40]).run(0.1);
    expect(play.told('switch')).toEqual(['lane L']);
    expect(play.at()[0]).toBe(18.5);
    expect(new Play().ball([5.6, 30], [0, -20]).run(0.3).told('switch')).toEqual(['left inlane']);
  });

  it('[PB-M4.2] a gate lets balls out of the lane, not back into it', () => {
    const out = new Play().ball([48, 70], [0, 200]).run(0.15);
    expect(out.at()[1]).toBeGreaterThan(85);
    const back = new Play().ball([46.5, 84], [20, -60]).run(0.4);
    expect(back.at()[0]).toBeLessThan(46);
  });

  it('[PB-M4.3] a drop target falls; the bank comes up when it is complete and no ball is in the way', () => {
    const play = new Play();
    for (const y of [50.5, 54, 57.5]) play.ball([37, y], [60, 5]).run(0.06);
    expect(play.told('switch')).toEqual(['drop 1', 'drop 2', 'drop 3']);
    expect(play.state.score).toBe(6500);
    const { targetCollider } = play.state.config.machine;
    const up = (): number[] => [0, 1, 2].map((k) => play.state.physics.enabled[targetCollider[k]!]!);
    expect(up()).toContain(0); // the ball is still there
    play.ball([20, 60]).run(0.02);
    expect(up()).toEqual([1, 1, 1]);
  });

  it('[PB-M4.3] a stand-up target stays; slow touches do not count', () => {
    const play = new Play().ball([5, 42.5], [-60, 0]).run(0.1);
    expect(play.told('switch')).toEqual(['wick']);
    expect(play.state.physics.enabled[play.state.config.machine.targetCollider[4]!]).toBe(1);
    const slow = new Play(tableWith('classic', { gravity: [0, 0] })).ball([3, 42.5], [-2, 0]).run(0.6);
    expect(slow.told('switch')).toEqual([]);
  });

  it('[PB-M4.4] a spinner takes some speed and goes on turning, slower and slower', () => {
    const play = new Play(tableWith('classic', { gravity: [0, 0] })).ball([3, 70], [0, 200]).run(0.02);
    expect(play.speed()).toBeLessThan(195);
    play.ball([48, 10]).run(0.5);
    const early = play.told('switch').length;
    expect(early).toBeGreaterThan(5);
    play.run(10);
    expect(play.state.spinnerRate[0]).toBe(0);
    expect(play.told('switch').filter((name) => name === 'spinner').length).toBeGreaterThan(early + 3);
  });

  it('[PB-M4.5] a saucer holds a ball for its time and kicks it; fast balls pass over it', () => {
    const play = new Play().ball([36, 69], [0, -40]).run(0.2);
    expect(play.state.physics.status[0]).toBe(HELD);
    expect(play.at()).toEqual([36, 66]);
    play.run(1);
    expect(play.told('kick')).toEqual(['cave']);
    expect(play.state.physics.vy[0]).toBeLessThan(-60);
    expect(new Play().ball([36, 69], [0, -400]).run(0.02).told('switch')).toEqual([]);
  });

  it('[PB-M4.6] a fast ball goes up the ramp, over what is below, and comes down in the inlane; a slow one rolls back', () => {
    const fast = new Play().ball([11.5, 46], [0, 190]).run(2);
    expect(fast.told('switch').slice(0, 2)).toEqual(['ramp', 'left inlane']);
    expect(fast.state.physics.layer[0]).toBe(0);
    const slow = new Play().ball([11, 46], [0, 60]).run(0.1);
    expect(slow.state.physics.layer[0]).toBe(1);
    slow.run(0.3);
    expect([slow.state.physics.layer[0], slow.told('switch')]).toEqual([0, []]);
    const aside = new Play().ball([10.1, 49], [9, 60]).run(0.4);
    expect(aside.at()[0]).toBeGreaterThan(12.6);
    expect(aside.state.physics.layer[0]).toBe(0);
  });
});

describe('rules', () => {
  it('[PB-M5] [PB-M5.1] rules apply in their order, each to what the ones before it left; the multiplier multiplies', () => {
    const rules = [
      { on: ['left bumper'], add: { drops: 2 }, multiplier: 3 },
      { on: ['left bumper'], when: [{ counter: 'drops', min: 2, max: 2 }], score: 10, set: { drops: 7 } },
      { on: ['left bumper'], when: [{ counter: 'drops', max: 6 }], score: 1000 },
    ];
    const play = new Play(tableWith('classic', { rules })).ball([17, 84], [0, -50]).run(0.05);
    expect([play.state.score, play.state.counters[0]]).toEqual([30, 7]);
  });

  it('[PB-M5.2] a condition is a range of a counter', () => {
    const rules = [{ on: ['left bumper'], when: [{ counter: 'drops', min: 1 }], score: 10 }];
    const play = new Play(tableWith('classic', { rules }));
    play.ball([17, 84], [0, -50]).run(0.05);
    expect(play.state.score).toBe(0);
    play.state.counters[0] = 1;
    play.ball([17, 84], [0, -50]).run(0.05);
    expect(play.state.score).toBe(10);
  });

  it('[PB-M5.3] a mission has steps in order and a time', () => {
    const missions = [
      {
        name: 'test',
        starts: ['lane L'],
        seconds: 2,
        steps: [{ on: ['left bumper'], times: 2 }, { on: ['lane A'] }],
        score: 7,
        extraBalls: 1,
      },
    ];
    const table = tableWith('classic', { missions, rules: [] });
    const lane = (play: Play, x: number): Play => play.ball([x, 91], [0, -60]).run(0.03);
    const bump = (play: Play): Play => play.ball([17, 84], [0, -50]).run(0.05);
    const done = new Play(table);
    lane(lane(bump(bump(lane(lane(done, 18.5), 23))), 18.5), 23);
    expect(done.told('mission done')).toEqual(['test']);
    expect([done.state.score, done.state.ballsLeft, done.state.missionsDone]).toEqual([7, 4, 1]);
    const late = lane(new Play(table), 18.5);
    late.ball([23, 95]).run(2.1);
    expect(late.told('mission failed')).toEqual(['test']);
    expect(late.state.mission).toBe(-1);
  });
});

describe('balls', () => {
  it('[PB-M6] a lost ball is followed by the next; what belongs to a turn begins anew', () => {
    const play = new Play().ball([23, 5], [0, -50]);
    play.state.multiplier = 5;
    play.run(0.2);
    expect([play.state.ballsLeft, play.state.multiplier, ballsInPlay(play.state)]).toEqual([2, 1, 1]);
    expect(play.told('ball lost')).toHaveLength(1);
  });

  it('[PB-M6.2] within the time of ball save a ball comes back by itself; time on the plunger does not count', () => {
    const play = new Play();
    play.state.toServe = 1;
    play.run(5);
    expect(play.state.save).toBe(2500);
    play.ball([23, 5], [0, -50]).run(0.5);
    expect(play.told('drain')).toHaveLength(1);
    expect(play.state.ballsLeft).toBe(3);
    expect(play.at()[1]).toBeGreaterThan(30);
    expect(play.state.save).toBeLessThan(2500);
    // One that waits on the plunger does not keep the others safe.
    const { save } = play.state;
    play.ball([48, 10], [0, 0], 1).ball([23, 90]).run(0.4);
    expect(play.state.save).toBe(save - 100);
  });

  it('[PB-M6.3] multiball: the machine launches what is missing, and the turn ends with the last ball', () => {
    const play = new Play();
    play.state.counters[1] = 1;
    play.ball([36, 69], [0, -40]).run(1.5);
    expect(play.told('multiball')).toHaveLength(1);
    expect(ballsInPlay(play.state)).toBe(3);
    play.state.save = 0;
    for (const i of [0, 1]) play.ball([20 + 3 * i, 5], [0, -50], i);
    play.run(0.1);
    expect([ballsInPlay(play.state), play.state.ballsLeft]).toEqual([1, 3]);
    expect(play.state.physics.status[0]).toBe(GONE);
  });

  it('[PB-M6.4] a ball that lies still is searched for, but not in a player’s hands', () => {
    const shelf = {
      kind: 'polyline',
      points: [
        [20, 45],
        [23, 44],
        [26, 45],
      ],
      material: 'wood',
    };
    const { walls } = tableWith('classic', {}) as { walls: unknown[] };
    const table = tableWith('classic', { walls: [...walls, shelf] });
    expect(new Play(table).ball([23, 47]).run(12).told('ball search')).not.toEqual([]);
    expect(new Play(table).ball([23, 47]).run(12, { left: true }).told('ball search')).toEqual([]);
  });

  it('[PB-M2] a tick is four steps of a millisecond', () => {
    const play = new Play().ball([23, 50]);
    step(play.state, [new Controls()], []);
    expect(Math.abs(play.state.physics.vy[0]! + 120 * 0.004)).toBeLessThan(1e-12);
    expect(play.state.tick).toBe(1);
  });
});

import { describe, expect, it } from 'vitest';
import { Aim } from './aim.ts';
import { lengthOf, type Script, scriptOf, thrustAt } from './script.ts';
import { angleOf, FULL, isLegal, magnitudeOf, thrustOf } from './thrust.ts';

const one = (vx: number, vy: number) => scriptOf([{ vx, vy }]);
const whole = (script: Script) => ({ from: 0, to: lengthOf(script) });
const turn = (aim: Aim, degrees: number) => aim.press({ degrees, length: 0 }).slice();
const push = (aim: Aim, length: number) => aim.press({ degrees: 0, length }).slice();

describe('turning and lengthening thrust by keys', () => {
  it('ninety degrees there and back end where they began, whatever the thrust', () => {
    for (let vx = -FULL; vx <= FULL; vx += 7) {
      for (let vy = -FULL; vy <= FULL; vy += 6) {
        if (!isLegal(vx, vy)) continue;
        const aim = new Aim(one(vx, vy), { from: 0, to: 1 });
        for (let i = 0; i < 90; i++) turn(aim, 1);
        for (let i = 0; i < 90; i++) turn(aim, -1);
        if (aim.script[0] !== vx || aim.script[1] !== vy) expect([...aim.script]).toEqual([vx, vy]);
      }
    }
  });

  it('does not drift: a full thrust that is turned ninety times by a degree is what one turn by ninety is', () => {
    const aim = new Aim(one(127, 0), { from: 0, to: 1 });
    for (let i = 1; i <= 90; i++) expect(thrustAt(turn(aim, 1), 0)).toEqual(thrustOf(i, 127));
    expect([...aim.script]).toEqual([0, 127]);
  });

  it('every press does something, and goes on in the same direction', () => {
    for (const [vx, vy] of [
      [1, 0],
      [2, 1],
      [-3, 2],
      [20, -7],
      [0, 0],
    ] as const) {
      const aim = new Aim(one(vx, vy), { from: 0, to: 1 });
      for (const degrees of [1, 1, 1, 10, 10, 1]) {
        const before = aim.script.slice();
        const after = turn(aim, degrees);
        expect([vx, vy, [...after]]).not.toEqual([vx, vy, [...before]]);
        if (magnitudeOf(thrustAt(before, 0)) === 0) continue;
        const turned = (angleOf(thrustAt(after, 0)) - angleOf(thrustAt(before, 0)) + 360) % 360;
        expect(turned).toBeLessThan(180);
      }
    }
  });

  it('turns each tick of a window from its own angle, and leaves the rest alone', () => {
    const script = scriptOf([thrustOf(0, 100), thrustOf(90, 50), thrustOf(200, 127), thrustOf(10, 9)]);
    const aim = new Aim(script, { from: 1, to: 3 });
    for (let i = 0; i < 30; i++) turn(aim, 1);
    expect([0, 1, 2, 3].map((tick) => thrustAt(aim.script, tick))).toEqual([
      thrustOf(0, 100),
      thrustOf(120, 50),
      thrustOf(230, 127),
      thrustOf(10, 9),
    ]);
  });

  it('more and less thrust keep the angle, through rest too; at either end nothing is left to do', () => {
    const script = one(40, 30);
    const aim = new Aim(script, whole(script));
    for (let i = 0; i < 60; i++) push(aim, -1);
    expect([...aim.script]).toEqual([0, 0]);
    for (let i = 0; i < 50; i++) push(aim, 1);
    expect([...aim.script]).toEqual([40, 30]);
    for (let i = 0; i < 200; i++) push(aim, 1);
    expect(thrustAt(aim.script, 0)).toEqual(thrustOf(angleOf({ vx: 40, vy: 30 }), 127));
  });

  it('has nothing to do beyond the end', () => {
    const script = one(5, 5);
    expect(new Aim(script, { from: 1, to: 2 }).press({ degrees: 1, length: 0 })).toBe(script);
  });
});

import { describe, expect, it } from 'vitest';
import { risingGains } from './gains.ts';

const gain = (tick: number, name: string, points = 50) => ({ tick, name, points });

describe('points over the table', () => {
  it('of one part in quick succession are one sum, also with those that have already faded', () => {
    const turns = [0, 90, 180, 270].map((tick) => gain(tick, 'spinner'));
    expect(risingGains(turns, 280)).toEqual([{ name: 'spinner', age: 10, points: 200 }]);
  });

  it('of other parts, and after a pause, stand alone', () => {
    const hits = [gain(100, 'bumper', 100), gain(120, 'lane', 500), gain(250, 'bumper', 100)];
    expect(risingGains(hits, 260)).toEqual([
      { name: 'bumper', age: 10, points: 100 },
      { name: 'lane', age: 140, points: 500 },
      { name: 'bumper', age: 160, points: 100 },
    ]);
  });

  it('are those of the tick looked at: none from later, none that are old', () => {
    const hits = [gain(10, 'lane'), gain(500, 'bumper'), gain(600, 'spinner')];
    expect(risingGains(hits, 550).map(({ name }) => name)).toEqual(['bumper']);
    expect(risingGains(hits, 400)).toEqual([]);
  });
});

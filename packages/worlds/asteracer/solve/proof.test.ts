import { seedRng } from '@lockstep/kernel';
import { describe, expect, it } from 'vitest';
import { Instruction } from '../src/action.ts';
import { judge } from '../src/judge.ts';
import { between, KINDS, mapWithin } from '../src/random-map.test-support.ts';
import { RULE_NAMES } from '../src/rules.ts';
import { Track } from '../src/track.ts';
import { prove } from './proof.ts';

describe('the model that runs are proven by', () => {
  for (const rules of RULE_NAMES) {
    it.each(KINDS)(`equals the world under ${rules}: %s`, (_, span, radius, count, ticks) => {
      const rng = seedRng(BigInt(span + ticks));
      for (let game = 0; game < 12; game++) {
        const map = mapWithin(rng, span, radius, count);
        const config = { rules, ticks, map, track: new Track(map, rules) };
        const instructions = Array.from({ length: ticks }, () =>
          Object.assign(new Instruction(), { vx: between(rng, -89, 89), vy: between(rng, -89, 89) }),
        );
        let end = '';
        const verdict = judge(config, instructions, ({ x, y, vx, vy }) => (end = `${x} ${y} ${vx} ${vy}`));
        const finishedAt = verdict.finished ? Math.max(...verdict.goals.map((tick) => tick!)) : null;
        expect(prove(map, rules, instructions)).toEqual({ finishedAt, collisions: verdict.collisions, end });
      }
    });
  }

  it('a map without goals is finished before the first tick', () => {
    const map = { racer: { x: 0, y: 0, radius: 1 }, box: { min_x: -9, min_y: -9, max_x: 9, max_y: 9 }, asteroids: [], goals: [] };
    expect(prove(map, 'document', []).finishedAt).toBe(0);
  });
});

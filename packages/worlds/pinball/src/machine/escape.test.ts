import { nextInt, type WorldEvent } from '@lockstep/kernel';
import { fuzz } from '@lockstep/testkit';
import { describe, expect, it } from 'vitest';
import { MOVING } from '../physics/index.ts';
import { Controls } from './action.ts';
import { readConfig } from './door.ts';
import { State } from './state.ts';
import { step } from './step.ts';
import { TABLES } from './tables.ts';

const TICKS = 5000;

describe.each(Object.keys(TABLES))('random games on %s', (table) => {
  it('[PB-M4] no ball leaves the table or its ramp, none is stopped by the cap, no hit is dropped', () => {
    const config = readConfig({ table });
    const { log, layout } = config.machine;
    const { width, height, radius } = layout;
    const controls = new Controls();
    const events: WorldEvent[] = [];
    let [worst, capped, dropped, lost] = [0, 0, 0, 0];
    const look = ({ physics: { status, x, y, layer } }: State): void => {
      for (let i = 0; i < status.length; i++) {
        if (status[i] !== MOVING) continue;
        worst = Math.max(worst, radius - x[i]!, x[i]! - width + radius, y[i]! - height + radius, -y[i]! - 6 + radius);
        // The classic's ramp, all of it.
        if (layer[i] === 1 && (x[i]! < 1 || x[i]! > 14 || y[i]! < 31 || y[i]! > 69)) lost++;
      }
    };
    fuzz(`games on ${table}`, 4, (rng, seed) => {
      const state = new State(config, seed);
      while (state.tick < TICKS && state.ballsLeft > 0) {
        if (state.tick % 20 === 0) {
          controls.left = nextInt(rng, 3) === 0;
          controls.right = nextInt(rng, 3) === 0;
          controls.plunger = (nextInt(rng, 2) * nextInt(rng, 11)) / 10;
          controls.nudgeX = nextInt(rng, 10) === 0 ? (nextInt(rng, 21) - 10) / 10 : 0;
          controls.nudgeY = nextInt(rng, 10) === 0 ? (nextInt(rng, 21) - 10) / 10 : 0;
        }
        step(state, [controls], events);
        capped += log.capped;
        dropped += log.dropped;
        look(state);
      }
    });
    expect(events.length).toBeGreaterThan(20);
    expect([worst, capped, dropped, lost]).toEqual([0, 0, 0, 0]);
  });
});

import { Controls, pinball } from '@lockstep/pinball';
import { describe, expect, it } from 'vitest';
import { collidersOf } from './colliders.ts';
import { shoot, ticksOnFlipper } from './fan.ts';
import { Game } from './game.ts';
import { Hands } from './hands.ts';
import { Script } from './script.ts';

const { world } = pinball;
const config = world.readConfig('classic');

/** A plunge, then flippers in turn and a push now and then. */
function handAt(tick: number): Controls {
  const controls = new Controls();
  controls.plunger = tick < 200 ? Math.floor(tick / 12.5) / 16 : 0;
  controls.left = tick % 170 > 120;
  controls.right = tick % 230 > 190;
  controls.nudgeX = tick % 900 === 899 ? 0.75 : 0;
  return controls;
}

function played(ticks: number): { readonly game: Game; readonly hashes: string[] } {
  const game = new Game(config, '7');
  const hashes = [game.hash];
  while (game.head < ticks && game.result === null) {
    game.advance(handAt(game.head));
    hashes.push(game.hash);
  }
  return { game, hashes };
}

describe('a game at a machine', () => {
  it('comes back to any tick exactly, in whatever order, with the same past behind its balls', () => {
    const { game, hashes } = played(3000);
    const there = { x: 0, y: 0 };
    for (const tick of [0, 1, 2999, 1500, 1499, 1501, 124, 125, 126, 2000, 3000, 40]) {
      game.moveTo(tick);
      expect([tick, game.tick, game.hash]).toEqual([tick, tick, hashes[tick]]);
      const x = game.state.physics.x[0];
      if (game.before(0, 0, there)) expect(there.x).toBe(x);
    }
    game.moveTo(2000);
    expect(game.before(0, 40, there)).toBe(true);
    const before = { ...there };
    game.moveTo(1960);
    expect(before).toEqual({ x: game.state.physics.x[0], y: game.state.physics.y[0] });
  });

  it('forks at any tick: before it the same, after it its own', () => {
    const { game, hashes } = played(2000);
    game.moveTo(1234);
    const fork = game.fork();
    expect([fork.head, fork.hash]).toEqual([1234, hashes[1234]]);
    expect(fork.events).toEqual(game.events.filter(({ tick }) => tick <= 1234));
    for (let tick = 1234; tick < 2000; tick++) fork.advance(handAt(tick));
    expect(fork.hash).toBe(hashes[2000]);
    fork.moveTo(700);
    expect(fork.hash).toBe(hashes[700]);
    expect(game.head).toBe(2000);
  });

  it('is the same game when only what was done is posted', () => {
    const { game, hashes } = played(2500);
    const again = Game.played(config, '7', Script.of(game.script.from(0)), 2500);
    expect(again.hash).toBe(hashes[2500]);
    expect(again.gains).toEqual(game.gains);
    expect(game.script.length).toBeLessThan(120);
  });
});

describe('hands', () => {
  it('a press lasts a tick at least, however short it was, and waits for its moment', () => {
    const hands = new Hands();
    hands.press('left', 'key', true, 10);
    hands.press('left', 'key', false, 10.5);
    expect([hands.next(9).left, hands.next(11).left, hands.next(12).left]).toEqual([false, true, false]);
  });

  it('two sources of one button are let go one by one', () => {
    const hands = new Hands();
    hands.press('right', 'a', true, 0);
    hands.next(1);
    hands.press('right', 'b', true, 0);
    hands.next(1);
    hands.press('right', 'a', false, 0);
    expect(hands.next(1).right).toBe(true);
    hands.press('right', 'b', false, 0);
    expect(hands.next(1).right).toBe(false);
  });

  it('a plunger is pulled in a few steps, so that a replay stays small', () => {
    const hands = new Hands();
    hands.press('plunger', 'key', true, 0);
    const pulls = Array.from({ length: 300 }, () => hands.next(1).plunger);
    expect(pulls.at(-1)).toBe(1);
    expect(new Set(pulls).size).toBe(17);
    expect(pulls).toEqual([...pulls].sort((a, b) => a - b));
  });
});

describe('under the glass', () => {
  it.each(['classic', 'learner'])('%s: every collider of the physics is shown once, and every mover', (name) => {
    const { layout, table } = world.readConfig(name).machine;
    const seen = collidersOf(layout);
    expect(seen.filter(({ kind }) => kind !== 'mover')).toHaveLength(table.colliders);
    expect(seen.filter(({ kind }) => kind === 'mover')).toHaveLength(table.movers.count);
  });

  it('a fan has a shot for every tick that the ball is on the flipper, and late shots go another way than early ones', () => {
    const count = ticksOnFlipper(config, 0);
    expect(count).toBeGreaterThan(100);
    const [early, late] = [shoot(config, 0, 10), shoot(config, 0, count - 10)];
    expect(early.path.slice(-2)).not.toEqual(late.path.slice(-2));
    expect(shoot(config, 0, 10)).toEqual(early);
  });
});

import { hash, type AnyWorld } from '@lockstep/kernel';
import { describe, expect, it } from 'vitest';
import { adding } from './adding.test-support.ts';
import { createMatch, type Fault, Misdeed, type RecordedGame, recordedSeat, rerun, type Seat } from './index.ts';

const world = adding as AnyWorld;
const config = { ticks: 5 };
type Act = (view: { tick: number; mine: number }) => unknown;
const seat = (act: Act): Seat => ({ name: 'test', kind: 'test', sha256: null, make: () => ({ act: act as () => unknown }) });

/** Plays a match and keeps it. */
function record(...acts: Act[]): RecordedGame & { readonly faults: Fault[]; readonly hash: string } {
  const rows: unknown[][] = [];
  const note = (actions: readonly unknown[]): void => void rows.push(actions.map((action) => ({ ...(action as object) })));
  const match = createMatch({ world, config, seed: 1n, seats: acts.map(seat), witnesses: [{ note }] });
  while (match.result === null) match.step();
  return {
    world,
    config,
    seed: 1n,
    ticks: rows.length,
    faults: match.faults,
    begin: () => world.create(config, 1n),
    actionsAt: (tick) => rows[tick]!,
    hash: hash(world, match.state),
  };
}
const throwsAt =
  (tick: number): Act =>
  (view) => {
    if (view.tick === tick) throw new Misdeed('timeout', 'too late');
    return 1;
  };

describe('a recorded seat', () => {
  it('plays what it played, and is out where it was out, with the same words', () => {
    const game = record(throwsAt(3), () => 2);
    const match = createMatch({ world, config, seed: 1n, seats: [recordedSeat(game, 0), recordedSeat(game, 1)] });
    while (match.result === null) match.step();
    expect(hash(world, match.state)).toBe(game.hash);
    expect(match.faults).toEqual(game.faults);
    expect(match.faults).toMatchObject([{ seat: 0, tick: 3, kind: 'timeout', reason: 'too late' }]);
  });

  it('does not care what happens now, and is idle when the recording is over', () => {
    const game = { ...record(() => 1, (view) => view.mine + 1), ticks: 3 }; // prettier-ignore
    const match = createMatch({ world, config, seed: 1n, seats: [seat(() => 100), recordedSeat(game, 1)] });
    while (match.result === null) match.step();
    expect(match.result.scores).toEqual([500, 7]);
  });

  it('goes on in the midst of a game', () => {
    const game = record((view) => view.tick, () => 1); // prettier-ignore
    const state = world.create(config, 1n);
    for (let tick = 0; tick < 3; tick++) world.step(state, game.actionsAt(tick), []);
    const match = createMatch({ world, config, seed: 1n, seats: [recordedSeat(game, 0), seat(() => 1)], state });
    while (match.result === null) match.step();
    expect(hash(world, match.state)).toBe(game.hash);
  });
});

describe('bots that are run again', () => {
  const fair: Act = (view) => view.mine + 1;

  it('do the same', async () => {
    const game = record(fair, () => 2);
    expect(await rerun(game, [seat(fair), seat(() => Promise.resolve(2))])).toEqual([]);
  });

  it('or not: the first tick of each seat is told, and what others do now does not matter', async () => {
    const game = record(fair, () => 2);
    const turning: Act = (view) => (view.tick >= 3 ? 7 : fair(view));
    expect(await rerun(game, [seat(turning), seat(() => 2)])).toEqual([
      { seat: 0, tick: 3, says: 'value 1 of its action is 7, recorded is 8' },
    ]);
    expect((await rerun(game, [seat(turning), seat((view) => (view.tick === 1 ? 0 : 2))])).map(({ seat, tick }) => [seat, tick])).toEqual([
      [1, 1],
      [0, 3],
    ]);
  });

  it('a crash has to come again, at the same tick, and no other', async () => {
    const game = record(throwsAt(3), () => 2);
    expect(await rerun(game, [seat(throwsAt(3)), null])).toEqual([]);
    expect(await rerun(game, [seat(() => 1), null])).toMatchObject([{ seat: 0, tick: 3, says: 'it was out (timeout: too late), which it is not' }]); // prettier-ignore
    expect(await rerun(game, [seat(throwsAt(2)), null])).toMatchObject([
      { seat: 0, tick: 2, says: 'it is out (too late), which it was not' },
    ]);
    const unmade: Seat = { ...seat(() => 1), make: () => Promise.reject(new Error('no')) };
    expect(await rerun(game, [unmade, null])).toMatchObject([{ seat: 0, tick: 0, says: 'it is out (no), which it was not' }]);
    const illegal = record(() => 'high', () => 2); // prettier-ignore
    expect(await rerun(illegal, [seat(() => 'high'), null])).toEqual([]);
  });
});

import type { AnyWorld, WorldEvent } from '@lockstep/kernel';
import { describe, expect, it } from 'vitest';
import { adding, type State } from './adding.test-support.ts';
import { createMatch, Misdeed, PASS, playMatch, type Seat } from './index.ts';

const world = adding as AnyWorld;
type View = { tick: number; mine: number };
const seat = (act: (view: View) => unknown): Seat => ({
  name: 'test',
  kind: 'test',
  sha256: null,
  make: () => ({ act: act as () => unknown }),
});
const setup = (...seats: Seat[]) => ({ world, config: { ticks: 5 }, seed: 1n, seats });

describe('playMatch', () => {
  it('plays bots that answer at once without a promise', () => {
    const outcome = playMatch(
      setup(
        seat(() => 2),
        seat(() => 3),
      ),
    );
    expect(outcome).not.toBeInstanceOf(Promise);
    expect(outcome).toMatchObject({ ticks: 5, faults: [], result: { scores: [10, 15] } });
  });

  it('waits for bots that answer with promises, and gives the same game', async () => {
    const now = await playMatch(
      setup(
        seat((view) => view.mine + 1),
        seat(() => 3),
      ),
    );
    const later = playMatch(
      setup(
        seat((view) => (view.tick < 2 ? view.mine + 1 : Promise.resolve(view.mine + 1))),
        seat(() => Promise.resolve(3)),
      ),
    );
    expect(later).toBeInstanceOf(Promise);
    expect(await later).toEqual(now);
  });

  it('bots that are asked in two steps all have their question before an answer is fetched; one that is there needs no promise', async () => {
    const heard: string[] = [];
    const far = (answer: (view: View) => unknown): Seat => ({
      ...seat(() => 0),
      make: (_briefing, index) => ({
        act: () => 0,
        ask: (view) => {
          heard.push(`ask ${index}`);
          return () => {
            heard.push(`take ${index}`);
            return answer(view as View);
          };
        },
      }),
    });
    const match = createMatch(
      setup(
        far(() => 2),
        far(({ tick }) => (tick === 1 ? Promise.resolve(3) : 3)),
      ),
    );
    expect(match.stepAsync()).toBeUndefined();
    expect(heard).toEqual(['ask 0', 'ask 1', 'take 0', 'take 1']);
    const waiting = match.stepAsync();
    expect(waiting).toBeInstanceOf(Promise);
    await waiting;
    expect((match.state as State).sums).toEqual([4, 6]);
    const left = playMatch(
      setup(
        far(() => {
          throw new Misdeed('disconnect', 'it left');
        }),
        far(() => 1),
      ),
    );
    expect(left).toMatchObject({ faults: [{ seat: 0, tick: 0, kind: 'disconnect', reason: 'it left' }], result: { scores: [0, 5] } });
  });

  it('a bot that throws is out for good, its forfeit is played, the match goes on', () => {
    let asked = 0;
    const crashing = seat((view) => {
      asked++;
      if (view.tick === 2) throw new Error('division\nby zero');
      return 1;
    });
    const match = createMatch(
      setup(
        crashing,
        seat(() => 1),
      ),
    );
    while (match.result === null) match.step();
    expect(asked).toBe(3);
    expect(match.faults).toEqual([{ seat: 0, tick: 2, kind: 'crash', reason: 'division by zero' }]);
    expect(match.result.scores).toEqual([2, 5]);
    expect((match.state as State).out).toEqual([true, false]);
  });

  it('an illegal action is a fault that carries the words of the door', async () => {
    const outcome = await playMatch(
      setup(
        seat(() => 1),
        seat(() => 'high'),
      ),
    );
    expect(outcome.faults).toEqual([{ seat: 1, tick: 0, kind: 'illegal', reason: 'action: expected a number, got "high"' }]);
  });

  it('a rejected promise, a maker that throws and a thing that is no bot are faults too', async () => {
    const broken: Seat = {
      name: 'broken',
      kind: 'test',
      sha256: null,
      make: () => {
        throw new TypeError('no');
      },
    };
    const noBot = { ...broken, make: () => ({}) as never };
    expect((await playMatch(setup(broken, noBot))).faults.map(({ seat, tick, kind }) => ({ seat, tick, kind }))).toEqual([
      { seat: 0, tick: 0, kind: 'crash' },
      { seat: 1, tick: 0, kind: 'crash' },
    ]);
    const rejecting = seat(() => Promise.reject(new Error('gone')));
    expect(
      (
        await playMatch(
          setup(
            rejecting,
            seat(() => 1),
          ),
        )
      ).faults,
    ).toEqual([{ seat: 0, tick: 0, kind: 'crash', reason: 'gone' }]);
  });

  it.each<[string, unknown, string]>([
    ['null', null, 'null'],
    ['nothing', undefined, 'nothing'],
    ['a thing without act', {}, '{}'],
    ['a thing whose act is no function', { act: 7 }, '{"act":7}'],
    ['a number', 7, '7'],
  ])('a maker that makes %s is a fault, at once or by a promise', async (_name, made, got) => {
    const fault = { seat: 0, tick: 0, kind: 'crash', reason: `createBot: expected an object with a method act(view), got ${got}` };
    for (const make of [() => made, () => Promise.resolve(made)]) {
      const outcome = await playMatch(setup({ ...seat(() => 1), make: make as Seat['make'] }, seat(() => 1))); // prettier-ignore
      expect(outcome.faults).toEqual([fault]);
      expect(outcome.result.scores).toEqual([0, 5]);
    }
  });

  it('waits for a bot that is made by a promise; a stepwise match refuses it', async () => {
    const made = (): Seat => ({ ...seat(() => 1), make: () => Promise.resolve({ act: () => 2 }) });
    const both = [made(), seat(() => 3)] as const;
    expect(await playMatch(setup(...both))).toMatchObject({ faults: [], result: { scores: [10, 15] } });
    expect(() => createMatch(setup(...both)).step()).toThrow('seat 0 (test) answers with a promise');
  });

  it('whoever runs a bot may say what kind of misdeed it was', async () => {
    const late = seat(() => Promise.reject(new Misdeed('timeout', 'no answer within 20 s')));
    const outcome = await playMatch(setup(late, seat(() => 1))); // prettier-ignore
    expect(outcome.faults).toEqual([{ seat: 0, tick: 0, kind: 'timeout', reason: 'no answer within 20 s' }]);
  });

  const trap = (): never => {
    throw new Error('trap');
  };
  it.each([
    ['throws an error whose message is a trap', () => Promise.reject(Object.defineProperty(new Error('x'), 'message', { get: trap }))],
    [
      'throws a proxy that traps everything',
      () => Promise.reject(new Proxy({}, { getPrototypeOf: trap, get: trap, ownKeys: trap }) as Error),
    ],
    ['answers with a proxy that traps everything', () => new Proxy({}, { getPrototypeOf: trap, get: trap, ownKeys: trap })],
    // oxlint-disable-next-line unicorn/no-thenable -- that is the point
    ['answers with a false promise', () => Object.defineProperty({}, 'then', { get: trap })],
    ['answers with nothing', () => undefined],
  ])('a bot that %s is faulted like any other', async (_name, act) => {
    for (const other of [() => 1, () => Promise.resolve(1)]) {
      const outcome = await playMatch(setup(seat(act), seat(other)));
      expect(outcome.faults).toHaveLength(1);
      expect(outcome.faults[0]).toMatchObject({ seat: 0, tick: 0 });
      expect(outcome.result.scores).toEqual([0, 5]);
    }
  });

  it('tells witnesses the actions before the step and the events after it', () => {
    const log: string[] = [];
    let live: State | null = null;
    const match = createMatch({
      ...setup(
        seat(() => 2),
        seat(() => 3),
      ),
      witnesses: [
        {
          note: (actions) => log.push(`note ${JSON.stringify(actions)} at ${live!.tick}`),
          afterStep: (state, events: readonly WorldEvent[]) => log.push(`after ${state.tick} ${JSON.stringify(events)}`),
        },
      ],
    });
    live = match.state as State;
    match.step();
    expect(log).toEqual(['note [{"add":2,"gone":false},{"add":3,"gone":false}] at 0', 'after 1 [{"kind":"sum","first":2}]']);
    expect(match.events).toEqual([{ kind: 'sum', first: 2 }]);
  });

  it('a stepwise match refuses promises, and does nothing after the end', () => {
    const slow = createMatch(
      setup(
        seat(() => 1),
        seat(() => Promise.resolve(1)),
      ),
    );
    expect(() => slow.step()).toThrow('seat 1 (test) answers with a promise');
    const match = createMatch(
      setup(
        seat(() => 1),
        seat(() => 1),
      ),
    );
    for (let i = 0; i < 9; i++) match.step();
    expect(match.state.tick).toBe(5);
  });

  it('the number of seats must be the one of the config', () => {
    expect(() => createMatch(setup(seat(() => 1)))).toThrow('adding has 2 seats here, 1 were given');
  });

  it('whoever reaches a bot may say that it was late for one tick: idle is played', async () => {
    const late = seat((view) => Promise.resolve(view.tick === 2 ? PASS : 1));
    expect(await playMatch(setup(late, seat(() => 1)))).toMatchObject({ faults: [], result: { scores: [4, 5] } }); // prettier-ignore
  });

  it('ends every bot once: with the result, or with null when it is out; what it spent is known then', async () => {
    const ended: [number, unknown][] = [];
    const spent = { wallMs: 1, cpuMs: null, chargedMs: 1, slowestMs: 1, peakBytes: null, leaving: null };
    const living = (act: (view: View) => unknown): Seat => ({
      ...seat(act),
      make: async (_briefing, index, game) => {
        expect(game).toEqual({
          world: 'adding',
          rulesVersion: 1,
          ticksPerSecond: 1,
          seats: 2,
          seed: 1n,
          config: { ticks: 5 },
          maxTicks: null,
          tick: 0,
        });
        return {
          act: act as () => unknown,
          spent: () => spent,
          evidence: () => ({ stderr: ['oh'], input: 'view' }),
          end: async (result) => void ended.push([index, result]),
        };
      },
    });
    const match = createMatch(setup(living(() => 1), living(({ tick }) => (tick === 3 ? 'high' : 1)))); // prettier-ignore
    while (match.result === null) await match.stepAsync();
    await match.close();
    await match.close();
    expect(ended).toEqual([
      [1, null],
      [0, match.result],
    ]);
    expect(match.spent).toEqual([spent, spent]);
    expect(match.faults).toMatchObject([{ seat: 1, tick: 3, kind: 'illegal', stderr: ['oh'], input: 'view' }]);
  });

  it('a bot that is still being made when the match is given up is ended as well', async () => {
    let ended = 0;
    const make = async () => ({ act: () => 1, end: async () => void ended++ });
    const match = createMatch(setup({ ...seat(() => 1), make }, seat(() => 1))); // prettier-ignore
    await match.close();
    expect(ended).toBe(1);
  });
});

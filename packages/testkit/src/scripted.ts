import { type Bot, type Rng, type Seed, seedRng } from '@lockstep/kernel';

/** What a world's script does: an action (or raw action) for one seat at one tick, from the dice it is given. */
export type ActionMaker<Action> = (rng: Rng, tick: number, seat: number) => Action;

/** Seeded random play. Each (tick, seat) has dice of its own, so the order of asking does not matter. */
export function scripted<Action>(seed: Seed, make: ActionMaker<Action>): (tick: number, seat: number) => Action {
  return (tick, seat) => make(diceAt(seed, tick, seat), tick, seat);
}

/** The same play as a bot, which looks at nothing and counts its own ticks. */
export function scriptedBot<RawAction>(seed: Seed, seat: number, make: ActionMaker<RawAction>): Bot<unknown, RawAction> {
  const actionAt = scripted(seed, make);
  let tick = 0;
  return { act: () => actionAt(tick++, seat) };
}

function diceAt(seed: Seed, tick: number, seat: number): Rng {
  return seedRng(BigInt.asUintN(64, seed + 0x9e3779b97f4a7c15n * (BigInt(tick) * 64n + BigInt(seat) + 1n)));
}

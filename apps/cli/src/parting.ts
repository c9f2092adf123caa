import { writeAction } from '@lockstep/kernel';
import type { RecordedGame, Witness } from '@lockstep/match';

/** Watches where a game leaves the recorded one that it goes on from. */
export class Parting implements Witness {
  /** The tick whose actions are not the recorded ones, and whose they are; null as long as there is none. */
  left: { readonly tick: number; readonly seats: readonly number[] } | null = null;
  private readonly game: RecordedGame;
  private tick: number;

  constructor(game: RecordedGame, tick: number) {
    this.game = game;
    this.tick = tick;
  }

  note(actions: readonly unknown[]): void {
    const { game, left } = this;
    const tick = this.tick++;
    if (left !== null || tick >= game.ticks) return;
    const row = (action: unknown): Float64Array => writeAction(game.world, action);
    const then = game.actionsAt(tick).map(row); // before ours: those of a recorded seat are the same objects
    const seats = actions.map(row).flatMap((now, seat) => (now.every((value, i) => Object.is(value, then[seat]![i])) ? [] : [seat]));
    if (seats.length > 0) this.left = { tick, seats };
  }
}

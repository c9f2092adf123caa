import { type AnyEntry, InputError } from '@lockstep/kernel';
import type { GameLine } from '@lockstep/league';
import { rerun, type Seat } from '@lockstep/match';
import { Playback, type Replay, type ReplayBot } from '@lockstep/replay';
import { type Care, findSeat } from '../bots.ts';
import { differenceText, gameOf } from '../game.ts';
import { findWorld } from '../names.ts';
import { type Found, isNotOurs } from '../rerun.ts';
import { inSeatOrder } from './plans.ts';

export interface Again {
  /** What its bots did otherwise, by seat and tick. */
  readonly differences: readonly string[];
  /** Who could not be run, and why. */
  readonly absent: readonly string[];
}

/** The bots of a run's games once more: shown what they were shown, do they answer the same? */
export class RunAgain {
  private readonly bots: ReadonlyMap<string, readonly string[]>;
  private readonly care: Care;
  private readonly seats = new Map<string, Promise<Seat | string>>();

  constructor(bots: ReadonlyMap<string, readonly string[]>, care: Care) {
    this.bots = bots;
    this.care = care;
  }

  async play(game: GameLine, replay: Replay): Promise<Again> {
    const entry = findWorld(replay.world);
    const { names } = inSeatOrder(game);
    const found: Found[] = [];
    for (const [seat, bot] of replay.bots.entries()) found.push(await this.find(entry, names[seat]!, bot));
    const absent = found.flatMap((one, seat) => ('why' in one ? [`seat ${seat}: ${one.why}`] : []));
    const seats = found.map((one) => ('seat' in one ? one.seat : null));
    const differences = absent.length === found.length ? [] : await rerun(gameOf(new Playback(entry.world, replay)), seats);
    return { differences: differences.map(differenceText), absent };
  }

  /** Of all that was sent under this name the one that played. */
  private async find(entry: AnyEntry, name: string, bot: ReplayBot): Promise<Found> {
    const { kind, name: played, sha256 } = bot;
    if (isNotOurs(bot)) return { why: `${name} (${kind}) cannot be started from here` };
    const texts = this.bots.get(name) ?? [];
    if (texts.length === 0) return { why: `${name} is not in the plan of the run` };
    const others: string[] = [];
    for (const text of texts) {
      const seat = await this.seatOf(entry, text);
      if (typeof seat === 'string') others.push(seat);
      else if (seat.sha256 !== sha256) others.push(`its sha256 is ${seat.sha256}, not ${sha256}`);
      else if (seat.name === played && seat.kind === kind) return { seat };
      else others.push(`it is ${seat.name} (${seat.kind}), not ${played} (${kind})`);
    }
    return { why: `${name} is not the one that played: ${others.join('; ')}` };
  }

  private seatOf(entry: AnyEntry, text: string): Promise<Seat | string> {
    const known = this.seats.get(text);
    if (known !== undefined) return known;
    const found = findSeat(entry, text, this.care).catch((error: unknown) => {
      if (error instanceof InputError) return error.message;
      throw error;
    });
    this.seats.set(text, found);
    return found;
  }
}

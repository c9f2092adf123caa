import { type AnyWorld, type Bot, type Seed, type TickState, writeAction } from '@lockstep/kernel';
import { createMatch, type Fault, type Match, Misdeed, PASS, Played, reasonOf, type Seat, type SeatBot } from './match.ts';

/** A game that was played before, as whoever keeps it tells it. */
export interface RecordedGame {
  readonly world: AnyWorld;
  readonly config: unknown;
  readonly seed: Seed;
  readonly ticks: number;
  readonly faults: readonly Fault[];
  /** A fresh state at its beginning, or where its bots took over from others. */
  begin(): TickState;
  /** One action a seat, valid until the next call. */
  actionsAt(tick: number): readonly unknown[];
}

/** Plays what a seat played in a recorded game, whatever happens now; out where it was out then, idle when the recording is over. */
export function recordedSeat(game: RecordedGame, seat: number): Seat {
  const fault = faultOf(game, seat);
  return {
    name: 'recorded',
    kind: 'recorded',
    sha256: null,
    make(_briefing, _seat, { tick: first }) {
      let tick = first;
      const act = (): unknown => {
        const now = tick++;
        if (now === fault?.tick) throw new Misdeed(fault.kind, fault.reason);
        return now < game.ticks ? new Played(game.actionsAt(now)[seat]) : PASS;
      };
      return { act };
    },
  };
}

/** Where a bot that was run again did not do what it had done. */
export interface Difference {
  readonly seat: number;
  readonly tick: number;
  /** One line. */
  readonly says: string;
}

/**
 * Shows bots a recorded game again, each of them every view that it had, and compares their answers with the recorded actions, bit by bit:
 * the first difference of each seat. A seat without a bot is taken from the recording.
 */
export async function rerun(game: RecordedGame, seats: readonly (Seat | null)[], onTick?: (tick: number) => void): Promise<Difference[]> {
  const { world, config, seed } = game;
  const found = new Map<number, Difference>();
  let match: Match | null = null;
  const compared = seats.map(
    (seat, index) =>
    seat === null
      ? recordedSeat(game, index)
      : again(game, seat, index, () => match!.state, (difference) => void (found.has(index) || found.set(index, difference))), // prettier-ignore
  );
  match = createMatch({ world, config, seed, seats: compared, state: game.begin() });
  try {
    while (match.state.tick < game.ticks && match.result === null) {
      await match.stepAsync();
      onTick?.(match.state.tick);
    }
  } finally {
    await match.close();
  }
  return [...found.values()].sort((a, b) => a.tick - b.tick || a.seat - b.seat);
}

/** A bot that is compared: whatever it answers, the recorded action is played. */
function again(game: RecordedGame, seat: Seat, index: number, state: () => TickState, differs: (found: Difference) => void): Seat {
  const fault = faultOf(game, index);
  /** It was out then: so it should be now. */
  const caught = (tick: number, error: unknown): void => {
    if (tick === fault?.tick) throw error;
    differs({ seat: index, tick, says: `it is out (${reasonOf(error)}), which it was not` });
  };
  return {
    ...seat,
    async make(briefing, place, info) {
      let tick = info.tick;
      let gone = false;
      let bot: SeatBot = { act: () => PASS };
      try {
        bot = await seat.make(briefing, place, info);
      } catch (error) {
        gone = true;
        caught(tick, error);
      }
      const act = async (view: unknown): Promise<unknown> => {
        const now = tick++;
        try {
          if (gone) return new Played(game.actionsAt(now)[index]);
          const action = await answerOf(game.world, bot, view, state(), index, game.config);
          if (now !== fault?.tick) compare(game, index, now, action, differs);
          else differs({ seat: index, tick: now, says: `it was out (${fault.kind}: ${fault.reason}), which it is not` });
        } catch (error) {
          gone = true;
          caught(now, error);
        }
        if (now === fault?.tick) throw new Misdeed(fault.kind, fault.reason);
        return new Played(game.actionsAt(now)[index]);
      };
      return withAct(bot, act);
    },
  };
}

async function answerOf(world: AnyWorld, bot: Bot, view: unknown, state: TickState, seat: number, config: unknown): Promise<unknown> {
  const answer: unknown = await bot.act(view);
  if (answer instanceof Played) return answer.action;
  return answer === PASS ? world.idle(config, seat) : world.readAction(answer, state, seat);
}

function compare(game: RecordedGame, seat: number, tick: number, action: unknown, differs: (found: Difference) => void): void {
  const { world } = game;
  const [now, then] = [writeAction(world, action), writeAction(world, game.actionsAt(tick)[seat])];
  const at = then.findIndex((value, i) => !Object.is(value, now[i]));
  if (at >= 0) differs({ seat, tick, says: `value ${at + 1} of its action is ${now[at]}, recorded is ${then[at]}` });
}

const faultOf = ({ faults }: RecordedGame, seat: number): Fault | undefined => faults.find((fault) => fault.seat === seat);

/** The same bot with other answers. */
export function withAct(bot: SeatBot, act: SeatBot['act']): SeatBot {
  return {
    act,
    ...(bot.evidence === undefined ? {} : { evidence: () => bot.evidence!() }),
    ...(bot.spent === undefined ? {} : { spent: () => bot.spent!() }),
    ...(bot.end === undefined ? {} : { end: (result) => bot.end!(result) }),
  };
}

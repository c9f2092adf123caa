import { gameText, logText, rulesText } from '@lockstep/bots';
import { type AnyEntry, type Result, type Seed, type TickState } from '@lockstep/kernel';
import { type Fault, type Seat, withAct, type Witness } from '@lockstep/match';
import { Draft } from './files.ts';

/** Where files of a game go beside its replay: `{seed}` stands for the seed. null: not wanted. */
export interface FilePlan {
  /** Every state. */
  readonly log: string | null;
  /** Places and scores. */
  readonly results: string | null;
  /** One a seat: what it was told, letter by letter. */
  readonly dumps: readonly (string | null)[];
}

export const named = (file: string | null | undefined, seed: Seed): string | null => file?.replaceAll('{seed}', String(seed)) ?? null;

/** `PLACE:SCORE:ok|crash` a seat, then the seed: the results file of the contest's runner. */
export function resultsText({ ranks, scores }: Result, faults: readonly Fault[], seed: Seed): string {
  const lines = ranks.map((rank, seat) => `${rank}:${scores[seat]}:${faults.some((fault) => fault.seat === seat) ? 'crash' : 'ok'}\n`);
  return `${lines.join('')}${seed}\n`;
}

/**
 * Every state on a line of its own, the first one and the last included; before them a line of what the game is. In the form of the world's
 * own contest where it had one, otherwise what the seats see.
 */
export class GameLog implements Witness {
  private readonly draft: Draft;
  private readonly entry: AnyEntry;
  private readonly seats: number;

  constructor(file: string, entry: AnyEntry, config: unknown, seed: Seed, state: TickState, names: readonly string[]) {
    this.draft = new Draft(file);
    this.entry = entry;
    const { world } = entry;
    this.seats = world.seats(config);
    const { name, rulesVersion } = world;
    if (entry.logged === undefined)
      this.draft.line(JSON.stringify({ world: name, rulesVersion, seed: String(seed), config: world.writeConfig(config), names }));
    else this.draft.line(rulesText(world.brief(state, 0), seed));
    this.state(state, names);
  }

  afterStep(state: TickState): void {
    this.state(state, null);
  }

  private state(state: TickState, names: readonly string[] | null): void {
    const { world } = this.entry;
    const line = this.entry.logged?.(state, names);
    if (line !== undefined) return this.draft.line(logText(line));
    const views = Array.from({ length: this.seats }, (_, seat) => world.observe(state, seat));
    this.draft.line(JSON.stringify({ tick: state.tick, views }));
  }

  finish(): void {
    this.draft.finish();
  }

  drop(): void {
    this.draft.drop();
  }
}

/** A seat, all that is told to whose bot is written down as the contest's runner wrote it: the rules, then a line a tick. */
export function dumped(seat: Seat, file: string): Seat {
  return {
    ...seat,
    async make(briefing, index, game) {
      const draft = new Draft(file);
      draft.line(rulesText(briefing, game.seed));
      try {
        const bot = await seat.make(briefing, index, game);
        const act = (view: unknown): unknown => {
          draft.line(gameText(view, briefing));
          return bot.act(view);
        };
        return {
          ...withAct(bot, act),
          end: async (result) => {
            draft.finish();
            await bot.end?.(result);
          },
        };
      } catch (error) {
        draft.finish();
        throw error;
      }
    },
  };
}

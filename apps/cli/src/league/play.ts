import { resolve } from 'node:path';
import { InputError } from '@lockstep/kernel';
import type { GameLine, PlannedGame } from '@lockstep/league';
import type { Care } from '../bots.ts';
import type { GameReport } from '../game.ts';
import { findWorld } from '../names.ts';
import { GamePool } from '../pool.ts';
import { botsByName } from './plans.ts';
import type { RunFolder } from './run-folder.ts';

/** How the games of a run are played, as plain data. */
export interface GameSettings {
  readonly world: string;
  /** Of the world's door, without the preset. */
  readonly config: Readonly<Record<string, unknown>>;
  readonly care: Care;
  readonly replays: boolean;
}

/** Plays the games of a run and notes them down. */
export class Players {
  readonly pool: GamePool;
  private readonly settings: GameSettings;
  private readonly folder: RunFolder;
  /** Of those who have one bot in the whole run: its sum, as their first game has it. */
  private readonly sums = new Map<string, string | null>();
  private readonly constant: ReadonlySet<string>;

  constructor(settings: GameSettings, folder: RunFolder, threads: number) {
    this.settings = settings;
    this.folder = folder;
    this.pool = new GamePool(threads);
    const bots = botsByName(folder.plan, folder.path);
    this.constant = new Set([...bots].flatMap(([name, texts]) => (texts.length === 1 ? [name] : [])));
    for (const game of folder.games.values()) this.checkSums(game);
  }

  async play(game: PlannedGame): Promise<GameLine> {
    const { world, config, care, replays } = this.settings;
    const replay = replays ? this.folder.replayOf(game.id) : null;
    const rules = { preset: game.rules, ...config };
    const record = replay === null ? null : resolve(this.folder.path, replay);
    const plan = { world, config: rules, bots: game.seats.map(({ bot }) => bot), care, record, debug: null };
    const report = await this.pool.play({ plan, seed: game.seed });
    const line = lineOf(game, report, world, rules, replay);
    this.checkSums(line);
    this.folder.append(line);
    return line;
  }

  /** Games of two versions of a bot under one name would say nothing of either. */
  private checkSums({ bots }: GameLine): void {
    for (const { name, sha256 } of bots) {
      if (!this.constant.has(name)) continue;
      const before = this.sums.get(name);
      if (before === undefined) this.sums.set(name, sha256);
      else if (before !== sha256)
        throw new InputError(name, `the bot that played its games so far (sha256 ${before}); a new version begins a new run, or comes in under another name`, `one of sha256 ${sha256}`); // prettier-ignore
    }
  }
}

function lineOf(game: PlannedGame, report: GameReport, world: string, rules: GameLine['rules'], replay: string | null): GameLine {
  return {
    id: game.id,
    world,
    rules,
    rulesVersion: findWorld(world).world.rulesVersion,
    seed: game.seed,
    bots: game.seats.map(({ name }, seat) => ({ name, sha256: report.sha256[seat] ?? null })),
    seats: game.seats.map((_, seat) => seat),
    ranks: report.ranks,
    scores: report.scores,
    faults: report.faults.map(({ seat, tick, kind, reason }) => ({ seat, tick, kind, reason })),
    ticks: report.ticks,
    hash: report.hash,
    replay,
  };
}

/** Plays all of these, so many at a time; stops handing out when told to, and waits for those that are going on. */
export async function playEach<T>(
  items: Iterable<T>,
  atATime: number,
  play: (item: T) => Promise<void>,
  stop: () => boolean,
): Promise<void> {
  const queue = items[Symbol.iterator]();
  const lane = async (): Promise<void> => {
    for (let next = queue.next(); next.done !== true && !stop(); next = queue.next()) await play(next.value);
  };
  await Promise.all(Array.from({ length: atATime }, lane));
}

import { InputError, intAt, type Json, numberAt, objectAt, readSeed, type Seed } from '@lockstep/kernel';

/** One bot of a game, as its result line names it. */
export interface Player {
  readonly name: string;
  /** Of the bot's files; null where there are none. */
  readonly sha256: string | null;
}

export interface GameFault {
  readonly seat: number;
  readonly tick: number;
  readonly kind: string;
  readonly reason: string;
}

/** One line of a journal: everything about a game that standings, ratings and whoever doubts them need. */
export interface GameLine {
  /** Unique within a run; the plan of the run gives it, so a game that was played is known again. */
  readonly id: string;
  readonly world: string;
  /** The whole config, for the world's door. */
  readonly rules: Json;
  readonly rulesVersion: number;
  readonly seed: Seed;
  readonly bots: readonly Player[];
  /** The seat of each bot; ranks and scores are in the order of the bots. */
  readonly seats: readonly number[];
  readonly ranks: readonly number[];
  readonly scores: readonly number[];
  readonly faults: readonly GameFault[];
  readonly ticks: number;
  /** Of the final state. */
  readonly hash: string;
  /** The replay's place within the run's folder; null where none was kept. */
  readonly replay: string | null;
}

const FIELDS = ['kind', 'id', 'world', 'rules', 'rulesVersion', 'seed', 'bots', 'seats', 'ranks', 'scores', 'faults', 'ticks', 'hash', 'replay']; // prettier-ignore

export function writeGameLine(line: GameLine): string {
  return JSON.stringify({ kind: 'game', ...line, seed: String(line.seed) });
}

/** The door for a line of a journal or of a file of results. */
export function readGameLine(raw: unknown, path: string): GameLine {
  const line = objectAt(raw, path, FIELDS);
  const bots = listAt(line['bots'], `${path}.bots`).map((bot, i) => readPlayer(bot, `${path}.bots[${i}]`));
  if (bots.length === 0) throw new InputError(`${path}.bots`, 'at least one', line['bots']);
  const perBot = (key: string, read: (one: unknown, path: string) => number): number[] => {
    const values = listAt(line[key], `${path}.${key}`);
    if (values.length !== bots.length) throw new InputError(`${path}.${key}`, `${bots.length}, one a bot`, values.length);
    return values.map((one, i) => read(one, `${path}.${key}[${i}]`));
  };
  const seats = perBot('seats', (one, at) => intAt(one, at, 0, bots.length - 1));
  if (new Set(seats).size !== seats.length) throw new InputError(`${path}.seats`, 'each seat once', seats);
  return {
    id: textAt(line['id'], `${path}.id`),
    world: textAt(line['world'], `${path}.world`),
    rules: (line['rules'] ?? null) as Json,
    rulesVersion: intAt(line['rulesVersion'], `${path}.rulesVersion`, 0, 1e9),
    seed: readSeed(line['seed'], `${path}.seed`),
    bots,
    seats,
    ranks: perBot('ranks', (one, at) => intAt(one, at, 1, bots.length)),
    scores: perBot('scores', numberAt),
    faults: listAt(line['faults'], `${path}.faults`).map((fault, i) => readFault(fault, `${path}.faults[${i}]`, bots.length)),
    ticks: intAt(line['ticks'], `${path}.ticks`, 0, Number.MAX_SAFE_INTEGER),
    hash: textAt(line['hash'], `${path}.hash`),
    replay: line['replay'] === null ? null : textAt(line['replay'], `${path}.replay`),
  };
}

function readPlayer(raw: unknown, path: string): Player {
  const { name, sha256 } = objectAt(raw, path, ['name', 'sha256']);
  return { name: textAt(name, `${path}.name`), sha256: sha256 === null ? null : textAt(sha256, `${path}.sha256`) };
}

function readFault(raw: unknown, path: string, seats: number): GameFault {
  const { seat, tick, kind, reason } = objectAt(raw, path, ['seat', 'tick', 'kind', 'reason']);
  return {
    seat: intAt(seat, `${path}.seat`, 0, seats - 1),
    tick: intAt(tick, `${path}.tick`, 0, Number.MAX_SAFE_INTEGER),
    kind: textAt(kind, `${path}.kind`),
    reason: textAt(reason, `${path}.reason`),
  };
}

export function listAt(raw: unknown, path: string): readonly unknown[] {
  if (!Array.isArray(raw)) throw new InputError(path, 'a list', raw);
  return raw as readonly unknown[];
}

export function textAt(raw: unknown, path: string): string {
  if (typeof raw !== 'string' || raw === '') throw new InputError(path, 'a text', raw);
  return raw;
}

/** Points of bot a against bot b in one game: 1, ½ or 0. */
export function pointsAgainst({ ranks }: GameLine, a: number, b: number): number {
  if (ranks[a] === ranks[b]) return 0.5;
  return ranks[a]! < ranks[b]! ? 1 : 0;
}

/** Whether this bot was put out of the game. */
export function crashed({ faults, seats }: GameLine, bot: number): boolean {
  return faults.some(({ seat }) => seat === seats[bot]);
}

import { builtInSha256 } from '@lockstep/bots';
import { type AnyEntry, InputError, type Seed } from '@lockstep/kernel';
import type { Seat } from '@lockstep/match';
import { readReplay, type Replay, type ReplayBot } from '@lockstep/replay';
import { type Care, findSeat } from './bots.ts';
import { readFile } from './files.ts';

/** `REPLAY@TICK`, or a replay alone, which is its beginning. */
export async function fromOf(world: string | null, text: string): Promise<{ file: string; tick: number; seed: Seed; replay: Replay }> {
  const [, file, tick = '0'] = /^(.+?)(?:@(\d+))?$/s.exec(text) ?? [];
  if (file === undefined) throw new InputError('from', 'REPLAY@TICK', text);
  const replay = await readReplay(readFile(file), file);
  if (world !== null && replay.world !== world) throw new InputError('from', `a game of ${world}`, replay.world);
  return { file, tick: Number(tick), seed: replay.seed, replay };
}

/** `0=./mybot`, given once a seat. */
export function seatBots(texts: readonly string[], seats: number): Map<number, string> {
  const found = new Map<number, string>();
  for (const text of texts) {
    const [, seat, bot] = /^(\d+)=(.+)$/s.exec(text) ?? [];
    if (bot === undefined || Number(seat) >= seats) throw new InputError('seat', `SEAT=BOT with a seat 0..${seats - 1}`, text);
    if (found.has(Number(seat))) throw new InputError('seat', 'each seat once', text);
    found.set(Number(seat), bot);
  }
  return found;
}

/** A seat of a recorded game whose bot can be run again, or why it cannot. */
export type Found = { readonly seat: Seat } | { readonly why: string };

/** The bots of a replay, by the names that it keeps or as they are `given`. Whoever is not the one that played is not run. */
export async function botsOf(entry: AnyEntry, replay: Replay, given: ReadonlyMap<number, string>, care: Care): Promise<Found[]> {
  const found: Found[] = [];
  for (const [index, bot] of replay.bots.entries()) {
    const text = given.get(index);
    const one = await botOf(entry, bot, text, care);
    if (text !== undefined && 'why' in one) throw new InputError(`seat ${index}`, 'the bot that played', one.why);
    found.push(one);
  }
  return found;
}

/** Those that somebody else has to start, or that are nobody's program: a strategy of 2018 at a port is one, by its command it is not. */
export const isNotOurs = ({ kind, name }: ReplayBot): boolean => NOT_OURS.test(kind) || AT_A_PORT.test(name);
const NOT_OURS = /^(person|websocket|recorded|run|solver)$/;
const AT_A_PORT = /^tcp-\d+$/;

async function botOf(entry: AnyEntry, bot: ReplayBot, given: string | undefined, care: Care): Promise<Found> {
  const { name, kind, sha256 } = bot;
  if (given === undefined && isNotOurs(bot)) return { why: `${name} (${kind}) cannot be started from here` };
  if (given === undefined && kind === 'builtin' && sha256 !== null && sha256 !== builtInSha256(entry.world.name))
    return { why: `the built-in bots are not those of the recording any more` };
  try {
    const seat = await findSeat(entry, given ?? name, care);
    if (sha256 !== seat.sha256) return { why: `${given ?? name} is not the one that played: its sha256 is ${seat.sha256}, not ${sha256}` };
    return { seat };
  } catch (error) {
    if (!(error instanceof InputError) || given !== undefined) throw error;
    return { why: `${name} (${kind}) is not at hand` };
  }
}

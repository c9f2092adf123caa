import { type AnyEntry, InputError, intAt, type LedgerEntry } from '@lockstep/kernel';
import { BUDGETS, rerun } from '@lockstep/match';
import { Playback, readReplay, type Replay, verifyReplay } from '@lockstep/replay';
import type { Command } from 'commander';
import { type Care, chooseSandbox } from './bots.ts';
import { EXIT, leaveWith } from './exit.ts';
import { readFile } from './files.ts';
import { differenceText, gameOf } from './game.ts';
import { findWorld } from './names.ts';
import { counted, grouped, oneLine, Progress, remark, say, sayJson } from './output.ts';
import { botsOf, seatBots } from './rerun.ts';

interface Options {
  readonly json?: boolean;
}

interface VerifyOptions extends Options {
  readonly rerun?: boolean;
  readonly seat?: readonly string[];
}

export function addReplay(program: Command): void {
  const replay = program
    .command('replay')
    .summary('check and look into recorded games')
    .description('Checks and looks into recorded games.')
    .addHelpText(
      'after',
      `
A replay holds config, seed and actions, from which the whole game follows, and hashes to check it by. \`lockstep match … --record
game.replay\` writes one.

Examples:
  $ lockstep replay verify game.replay                 the same game again, every bit?
  $ lockstep replay info game.replay                   who played, how it ended, what happened
  $ lockstep replay ledger game.replay --tick 137      every random draw of a tick`,
    );
  replay
    .command('verify')
    .summary('play recorded games again and compare every tick')
    .description('Plays each game again from its config, seed and actions, and compares states, events and result with the recorded ones.')
    .argument('<files...>', 'replays')
    .option('--rerun', 'also run its bots again, where they are at hand, and compare what they do')
    .option(
      '--seat <n=bot>',
      'with --rerun: where the bot of a seat is now (may be repeated)',
      (one: string, all: string[] | undefined) => [...(all ?? []), one],
    )
    .option('--json', 'one JSON object a file on stdout')
    .addHelpText(
      'after',
      `
A game is sim-verified when its actions give the same states, and rerun-verified when, beyond that, all of its bots give the same actions
again: a bot that rolls dice or looks at a clock is found by seat and tick. Bots are known by their sha256.

Exit code 1 when a game comes out otherwise than recorded, 2 when a file cannot be read or is of other rules.

Examples:
  $ lockstep replay verify game.replay
  $ lockstep replay verify games/*.replay --json
  $ lockstep replay verify game.replay --rerun --seat 0=./mine`,
    )
    .action(verify);
  replay
    .command('info')
    .summary('what is in a replay')
    .description('Tells what a replay holds, without playing it.')
    .argument('<file>', 'a replay')
    .option('--json', 'one JSON object on stdout')
    .addHelpText('after', '\nExamples:\n  $ lockstep replay info game.replay\n  $ lockstep replay info game.replay --json | jq .result')
    .action(info);
  replay
    .command('events')
    .summary('everything that happened, as JSON lines')
    .description(
      'Prints what happened, an event a line as JSON with its tick. Where the file does not keep events, the game is played for them.',
    )
    .argument('<file>', 'a replay')
    .addHelpText('after', '\nExamples:\n  $ lockstep replay events game.replay | grep goal')
    .action(tellEvents);
  replay
    .command('ledger')
    .summary('every random draw of some ticks')
    .description('Prints every random draw of the given ticks as JSON lines: what was drawn, when within the tick, for whom.')
    .argument('<file>', 'a replay')
    .requiredOption('--tick <n|a..b>', 'the tick whose draws are wanted, or a range of ticks')
    .addHelpText(
      'after',
      '\nExamples:\n  $ lockstep replay ledger game.replay --tick 137\n  $ lockstep replay ledger game.replay --tick 100..199 | grep restitution',
    )
    .action(ledger);
}

async function verify(files: readonly string[], options: VerifyOptions): Promise<void> {
  const { json, rerun, seat } = options;
  if (seat !== undefined && rerun !== true) throw new InputError('seat', 'together with --rerun', seat[0]);
  let code: number = EXIT.ok;
  for (const file of files) {
    try {
      if (!(await verifyOne(file, options))) code = Math.max(code, EXIT.failed);
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      if (json) sayJson({ kind: 'verify', file, ok: false, honesty: 'unverified', error: error.message });
      remark(oneLine(error.message));
      code = EXIT.usage;
    }
  }
  leaveWith(code);
}

async function verifyOne(file: string, options: VerifyOptions): Promise<boolean> {
  const replay = await readReplay(readFile(file), file);
  const entry = findWorld(replay.world, `${file}: world`);
  const progress = new Progress(`verifying ${file}`);
  const started = performance.now();
  const onTick = (tick: number): void => progress.show(`${grouped(tick)} of ${counted(replay.ticks, 'tick')}`, tick / replay.ticks);
  const verdict = verifyReplay(entry.world, replay, onTick);
  const seconds = (performance.now() - started) / 1000;
  const again = options.rerun === true && verdict.ok ? await runAgain(entry, replay, options.seat ?? [], onTick) : null;
  progress.clear();
  const honesty = !verdict.ok ? 'unverified' : again?.complete === true ? 'rerun-verified' : 'sim-verified';
  const ok = verdict.ok && (again === null || again.differences.length === 0);
  const difference = verdict.difference ?? again?.differences[0] ?? null;
  const ticksPerSecond = replay.ticks / seconds;
  if (options.json) {
    const { differences = [], absent = [] } = again ?? {};
    const more = options.rerun === true ? { differences, absent } : {};
    sayJson({ kind: 'verify', file, ...verdict, ok, difference, honesty, ...more, world: replay.world, ticks: replay.ticks, seconds, ticksPerSecond }); // prettier-ignore
    return ok;
  }
  if (difference === null)
    say(
      `${oneLine(file)}: ok, ${honesty}, ${counted(replay.ticks, 'tick')}, final state ${verdict.hash}, ${grouped(ticksPerSecond)} ticks/s`,
    );
  else say(oneLine(`${file}: ${difference}`));
  for (const line of again?.differences.slice(1) ?? []) say(oneLine(`${file}: ${line}`));
  for (const line of again?.absent ?? []) say(oneLine(`${file}: not run again: ${line}`));
  return ok;
}

/** What its bots do when they are run again. */
interface Again {
  readonly differences: readonly string[];
  /** Who could not be run, and why. */
  readonly absent: readonly string[];
  readonly complete: boolean;
}

async function runAgain(entry: AnyEntry, replay: Replay, given: readonly string[], onTick: (tick: number) => void): Promise<Again> {
  const care: Care = { timeout: 20, budget: BUDGETS.bank, sandbox: chooseSandbox('auto').kind };
  const found = await botsOf(entry, replay, seatBots(given, replay.bots.length), care);
  const absent = found.flatMap((one, seat) => ('why' in one ? [`seat ${seat}: ${one.why}`] : []));
  const seats = found.map((one) => ('seat' in one ? one.seat : null));
  const differences = absent.length === found.length ? [] : await rerun(gameOf(new Playback(entry.world, replay)), seats, onTick);
  return { differences: differences.map(differenceText), absent, complete: absent.length + differences.length === 0 };
}

async function info(file: string, { json }: Options): Promise<void> {
  const bytes = readFile(file);
  const replay = await readReplay(bytes, file);
  const { world, rulesVersion, seed, config, bots, ticks, result, faults, sizes } = replay;
  const events = countEvents(replay);
  const chain = replay.links.at(-1) ?? null;
  const keyframes = replay.keyframes.length;
  if (json) {
    sayJson({
      kind: 'info',
      file,
      world,
      rulesVersion,
      seed,
      config,
      bots,
      ticks,
      result,
      faults,
      events,
      chain,
      keyframes,
      bytes: bytes.length,
      sizes,
    });
    return;
  }
  const line = (text: string): void => say(oneLine(text));
  line(`${file}: ${world} (rulesVersion ${rulesVersion}), seed ${seed}, ${counted(ticks, 'tick')}`);
  bots.forEach(({ name, kind, sha256 }, seat) => line(`  seat ${seat}: ${name} (${kind}${sha256 === null ? '' : `, sha256 ${sha256}`})`));
  line(`result: ${result === null ? 'none, the game was broken off' : `${result.scores.join(' : ')}, ${result.reason}`}`);
  for (const { seat, tick, kind, reason } of faults) line(`fault: seat ${seat}, tick ${tick}, ${kind}: ${reason}`);
  line(`events: ${eventsText(events)}`);
  for (const { tick, events } of replay.events ?? []) for (const event of events) line(`  tick ${tick}: ${JSON.stringify(event)}`);
  line(`config: ${JSON.stringify(config)}`);
  line(`hash chain: ${chain ?? 'empty'}; ${counted(keyframes, 'keyframe')}`);
  line(`size: ${grouped(bytes.length)} bytes (${Object.entries(sizes).map(([name, size]) => `${name} ${grouped(size)}`).join(', ')})`); // prettier-ignore
}

function countEvents({ events }: Replay): Record<string, number> | null {
  if (events === null) return null;
  const counts = new Map<string, number>();
  for (const { kind } of events.flatMap((one) => one.events)) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  return Object.fromEntries(counts);
}

function eventsText(counts: Readonly<Record<string, number>> | null): string {
  if (counts === null) return 'not kept, but bound by the hash chain; `lockstep replay events` plays the game for them';
  return Object.entries(counts).map(([kind, count]) => `${kind} ${count}`).join(', ') || 'none'; // prettier-ignore
}

async function tellEvents(file: string): Promise<void> {
  const replay = await readReplay(readFile(file), file);
  const playback = new Playback(findWorld(replay.world, `${file}: world`).world, replay);
  for (const { tick, events } of playback.events()) for (const event of events) sayJson({ tick, ...event });
}

async function ledger(file: string, { tick: range }: { readonly tick: string }): Promise<void> {
  const replay = await readReplay(readFile(file), file);
  const playback = new Playback(findWorld(replay.world, `${file}: world`).world, replay);
  if (replay.ticks === 0) throw new InputError(file, 'a game of at least one tick', '0 ticks');
  const [, first, last] = /^(\d+)(?:\.\.(\d+))?$/.exec(range) ?? [];
  const expected = replay.ticks - 1;
  if (first === undefined) throw new InputError('tick', `a whole number 0..${expected}, or two as a..b`, range);
  const from = intAt(Number(first), 'tick', 0, expected);
  const to = last === undefined ? from : intAt(Number(last), 'tick', from, expected);
  const state = playback.seek(from);
  while (state.tick <= to) {
    const { tick } = state;
    const entries: LedgerEntry[] = [];
    playback.step(state, [], entries);
    for (const entry of entries) sayJson({ tick, ...entry });
  }
}

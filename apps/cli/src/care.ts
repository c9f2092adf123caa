import { choiceAt, InputError, type Seed } from '@lockstep/kernel';
import { type Budget, type BudgetName, BUDGETS } from '@lockstep/match';
import { type Command, Option } from 'commander';
import { type Care, chooseSandbox, isProgram } from './bots.ts';
import { checkWritable } from './files.ts';
import { numberFlag } from './flags.ts';
import { type GamePlan, HONESTY, type Honesty } from './game.ts';
import { findWorld } from './names.ts';
import { remark } from './output.ts';

/** Options of every command that plays. */
export interface CareOptions {
  readonly timeout?: string;
  readonly budget: string;
  readonly sandbox: boolean;
  readonly requireSandbox?: boolean;
}

export function addCareOptions(command: Command): Command {
  return command
    .option('--budget <name>', `what bots may use: ${Object.keys(BUDGETS).join(', ')}`, 'bank')
    .option('--timeout <seconds>', 'a bot that lets the others wait longer for an answer is out (default: 20, or as the budget says)')
    .option('--no-sandbox', 'let programs see the network and the disk')
    .addOption(new Option('--require-sandbox', 'refuse to start programs where they cannot be kept apart').conflicts('sandbox'));
}

export function careFor(world: string, bots: readonly string[], { timeout, budget, sandbox, requireSandbox }: CareOptions): Care {
  const seconds = timeout === undefined ? null : numberFlag(timeout, 'timeout', 0.001, 86_400);
  const limits: Budget = BUDGETS[choiceAt(budget, 'budget', Object.keys(BUDGETS) as BudgetName[])];
  const entry = findWorld(world);
  const wish = requireSandbox === true ? 'require' : sandbox ? 'auto' : 'off';
  const kept = bots.some((bot) => isProgram(entry, bot)) ? chooseSandbox(wish) : { kind: null, line: null };
  if (kept.line !== null) remark(kept.line);
  return {
    timeout: seconds ?? 20,
    budget: seconds === null ? limits : { ...limits, tickMs: seconds * 1000 },
    sandbox: kept.kind,
  };
}

/** Files that a game writes. */
export interface FileOptions {
  readonly record?: string;
  readonly debugFile?: string;
  readonly resultsFile?: string;
  readonly logFile?: string;
}

export function addFileOptions(command: Command): Command {
  return command
    .option('--record <file>', 'write a replay; with many games {seed} in the name stands for the seed')
    .option('--results-file <file>', "write places and scores as the contest's runner did: PLACE:SCORE:ok|crash a seat, then the seed")
    .option('--log-file <file>', "write every state, a line each (for robot football as the contest's runner did)")
    .option('--debug-file <file>', 'write what bots say beside their actions, such as drawings');
}

/** The files of a plan, all of which can be written. */
export function filesFor(
  { record, debugFile, resultsFile, logFile }: FileOptions,
  seeds: readonly Seed[],
): Pick<GamePlan, 'record' | 'debug' | 'files'> {
  for (const [option, name] of Object.entries({ record, 'debug-file': debugFile, 'results-file': resultsFile, 'log-file': logFile }))
    if (name !== undefined) checkFile(option, name, seeds);
  return { record: record ?? null, debug: debugFile ?? null, files: { log: logFile ?? null, results: resultsFile ?? null, dumps: [] } };
}

export function checkFile(option: string, name: string, seeds: readonly Seed[]): void {
  if (name === '') throw new InputError(option, 'the name of a file', name);
  if (seeds.length > 1 && !name.includes('{seed}'))
    throw new InputError(option, 'a name with {seed} in it, for there are many games', name);
  for (const seed of seeds) checkWritable(name.replaceAll('{seed}', String(seed)));
}

/** `sim` and `rerun` as one says, or the whole word. */
export function honestyOf(text: string | undefined): Honesty {
  if (text === undefined) return 'unverified';
  const found = HONESTY.find((level) => level === text || level === `${text}-verified`);
  if (found === undefined) throw new InputError('verify', 'sim or rerun', text);
  return found;
}

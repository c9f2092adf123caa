import { InputError } from '@lockstep/kernel';
import { checkSprt, estimates, readCounts, type Sprt, sprtState } from '@lockstep/league';
import { type Command, Option } from 'commander';
import { numberFlag, valueOf } from '../flags.ts';
import { say, sayJson } from '../output.ts';
import { estimateText, verdictText } from './block.ts';

interface Options {
  readonly counts: string;
  readonly elo0: string;
  readonly elo1: string;
  readonly model: Sprt['model'];
  readonly alpha: string;
  readonly beta: string;
  readonly json?: boolean;
}

export function addSprt(program: Command): void {
  program
    .command('sprt')
    .summary('is it decided yet? a calculator')
    .description('The log-likelihood ratio of counts of results, with Elo and its error.')
    .requiredOption('--counts <list>', 'losses,draws,wins, or pairs of games with 0,½,1,1½,2 points')
    .option('--elo0 <n>', 'no better than this', '0')
    .option('--elo1 <n>', 'at least this much better', '5')
    .addOption(new Option('--model <name>', 'what elo0 and elo1 are').choices(['normalized', 'logistic']).default('normalized'))
    .option('--alpha <n>', 'the share of worthless changes that pass', '0.05')
    .option('--beta <n>', 'the share of good ones that fail', '0.05')
    .option('--json', 'one JSON object on stdout')
    .addHelpText(
      'after',
      `
Examples:
  $ lockstep sprt --counts 36027,68692,36433 --elo0 0 --elo1 2
  $ lockstep sprt --counts 365,16618,36229,16974,390 --elo0 0 --elo1 2 --json
  $ lockstep sprt --counts 21184,40708,21404 --elo0 0.5 --elo1 2.5 --model logistic`,
    )
    .action(sprt);
}

function sprt(options: Options): void {
  const counts = readCounts(options.counts.split(',').map((one) => valueOf(one.trim())), 'counts'); // prettier-ignore
  const test = readSprt(options);
  const state = sprtState(counts, test);
  const { elo, nElo, los } = estimates(counts);
  if (options.json) return sayJson({ kind: 'sprt', counts, ...test, ...state, elo, nElo, los });
  say(`LLR: ${state.llr.toFixed(2)} (${state.lower.toFixed(2)}, ${state.upper.toFixed(2)}) [${test.elo0.toFixed(2)}, ${test.elo1.toFixed(2)}] ${test.model}`); // prettier-ignore
  say(`Elo: ${estimateText(elo)}, nElo: ${estimateText(nElo)}, LOS: ${(los * 100).toFixed(2)} %`);
  say(verdictText(state.verdict));
}

interface Raw {
  readonly elo0: string;
  readonly elo1: string;
  readonly model: string;
  readonly alpha: string;
  readonly beta: string;
}

export function readSprt({ elo0, elo1, model, alpha, beta }: Raw): Sprt {
  if (model !== 'normalized' && model !== 'logistic') throw new InputError('model', 'normalized or logistic', model);
  const test: Sprt = {
    elo0: numberFlag(elo0, 'elo0', -1e4, 1e4),
    elo1: numberFlag(elo1, 'elo1', -1e4, 1e4),
    model,
    alpha: numberFlag(alpha, 'alpha', 0, 1),
    beta: numberFlag(beta, 'beta', 0, 1),
  };
  checkSprt(test);
  return test;
}

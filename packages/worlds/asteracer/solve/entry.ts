import { InputError } from '@lockstep/kernel';
import type { Answer, Quest, Question, WorldSolver } from '@lockstep/solve';
import { readConfig, writeConfig } from '../src/door.ts';
import { readInstructions, writeInstructions } from '../src/formats.ts';
import type { Config } from '../src/track.ts';
import { prove } from './proof.ts';
import { fly, isGood, type Run, type Thrusting } from './run.ts';
import { Solver, type Task } from './solver.ts';
import { type Job, Workshop } from './workshop.ts';

/** The ways between them are n² numbers that every job about orders carries. */
const MOST_GOALS = 500;

export const asteracerSolver: WorldSolver = {
  world: 'asteracer',
  open: (question) => questOf(new Solver(taskOf(question))),
  worker(question) {
    const workshop = new Workshop(readConfig(question.config), question.noTouch);
    return (job, tell) => workshop.run(job as Job, tell);
  },
  disproof(question, answer) {
    const { map, rules } = readConfig(question.config);
    const instructions = readInstructions(answer.text).instructions;
    const { finishedAt, collisions } = prove(map, rules, instructions);
    if (finishedAt !== answer.ticks || instructions.length !== answer.ticks)
      return `the solver says ${answer.ticks} ticks, the exact model ${finishedAt ?? 'that the run does not finish'}`;
    if (collisions !== answer.collisions) return `the solver says ${answer.collisions} collisions, the exact model ${collisions}`;
    return question.noTouch && collisions > 0 ? `a run that touches nothing has ${collisions} collisions` : null;
  },
};

function taskOf({ config: raw, seed, noTouch, from }: Question): Task {
  const config = readConfig(raw);
  const goals = config.map.goals.length;
  if (goals > MOST_GOALS) throw new InputError('map', `at most ${MOST_GOALS} goals`, goals);
  if (from === null) return { config, seed, noTouch, from };
  const given: Thrusting[] = readInstructions(from, 'from:').instructions.map(({ vx, vy }) => [vx, vy]);
  const run = fly(config.track, given);
  if (!run.isFinished) throw new InputError('from', `a run that reaches all ${goals} goals under ${config.rules}`, `${run.order.length}`);
  const touches = run.collisions[run.thrusts.length]!;
  if (!isGood(run, noTouch)) throw new InputError('from', 'a run without collisions', `${touches} of them`);
  return { config, seed, noTouch, from: given };
}

function questOf(solver: Solver): Quest {
  let told: Run | null = null;
  let answer: Answer | null = null;
  return {
    plan: (left) => solver.plan(left),
    take: (outcomes, jobs) => solver.take(outcomes, jobs as readonly Job[]),
    glance: (outcome) => solver.glance(outcome),
    get best() {
      if (solver.best !== told) {
        told = solver.best;
        answer = told === null ? null : answerOf(solver.task.config, told);
      }
      return answer;
    },
  };
}

function answerOf({ rules, map, track }: Config, { thrusts, collisions }: Run): Answer {
  const actions = thrusts.map(([vx, vy]) => ({ vx, vy }));
  return {
    ticks: thrusts.length,
    collisions: collisions[thrusts.length]!,
    text: writeInstructions(actions),
    config: writeConfig({ rules, map, track, ticks: Math.max(thrusts.length, 1) }),
    actions,
  };
}

/** What a piece of work came to. */
export interface Outcome {
  /** The work that it took, in the problem's own unit. */
  readonly nodes: number;
}

/**
 * Work in rounds: each job is a pure function of what is in it, each round of the outcomes of the rounds before. So the course of things
 * depends on nothing but the problem and the budget: not on how many work on it, nor on how fast they are.
 */
export interface Campaign<Job, Done extends Outcome> {
  /** The jobs of the next round, none when there is nothing left to do; together they may take `left` nodes. */
  plan(left: number): readonly Job[];
  /** The outcomes, one a job, in the order of the jobs. */
  take(outcomes: readonly Done[], jobs: readonly Job[]): void;
  /** An outcome as soon as it is there, in any order: for the anytime answer and for people that look on. Changes nothing in the course. */
  glance(outcome: Done): void;
}

/** Whoever does the work: threads, or the one that asks. */
export interface Crew<Job, Done extends Outcome> {
  run(job: Job): Done | Promise<Done>;
  /** How many jobs may run at once. */
  readonly hands: number;
}

/** Goes on until the nodes are used up, there is nothing left to do, or `stopped` says so; the last round is then left unfinished. */
export async function carryOut<Job, Done extends Outcome>(
  campaign: Campaign<Job, Done>,
  crew: Crew<Job, Done>,
  nodes: number,
  stopped: () => boolean = () => false,
): Promise<void> {
  let left = nodes;
  while (left > 0 && !stopped()) {
    const jobs = campaign.plan(left);
    if (jobs.length === 0) return;
    const outcomes: Done[] = [];
    let next = 0;
    const work = async (): Promise<void> => {
      while (next < jobs.length && !stopped()) {
        const index = next++;
        const outcome = await crew.run(jobs[index]!);
        outcomes[index] = outcome;
        campaign.glance(outcome);
      }
    };
    await Promise.all(Array.from({ length: Math.min(crew.hands, jobs.length) }, work));
    if (stopped()) return;
    campaign.take(outcomes, jobs);
    for (const outcome of outcomes) left -= outcome.nodes;
  }
}

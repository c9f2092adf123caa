import { readSeed, type Rng, type Seed, seedRng } from '@lockstep/kernel';

/**
 * Runs `attempt` many times, each time with dice of its own. A failure names the seed of its case; with LOCKSTEP_FUZZ_SEED set to it, only
 * that case runs. The cases are the same in every run: the name gives the first seed.
 */
export function fuzz(name: string, cases: number, attempt: (rng: Rng, seed: Seed) => void): void {
  const asked = process.env['LOCKSTEP_FUZZ_SEED'];
  const seeds = asked === undefined ? seedsOf(name, cases) : [readSeed(asked, 'LOCKSTEP_FUZZ_SEED')];
  let done = 0;
  for (const seed of seeds) {
    try {
      attempt(seedRng(seed), seed);
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      throw new Error(`${name}: case ${done} of ${cases} failed (again with LOCKSTEP_FUZZ_SEED=${seed}): ${why}`, { cause: error });
    }
    done++;
  }
}

function* seedsOf(name: string, cases: number): Generator<Seed> {
  let seed = 0n;
  for (const letter of name) seed = BigInt.asUintN(64, (seed ^ BigInt(letter.codePointAt(0)!)) * 0x100000001b3n + 0xcbf29ce484222325n);
  for (let i = 0; i < cases; i++) yield BigInt.asUintN(64, seed + BigInt(i) * 0x9e3779b97f4a7c15n);
}

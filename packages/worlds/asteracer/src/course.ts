import { type Course, intAt, numberAt, objectAt, readSeed } from '@lockstep/kernel';
import { readInstructions, writeMap, writeStates } from './formats.ts';
import { generate, type Recipe, RECIPE_LIMITS } from './generate.ts';
import { judge } from './judge.ts';
import { mapSvg } from './svg.ts';
import type { Config } from './track.ts';

const USUAL = { size: 300_000, density: 0.35, goals: 6 };

/** The world's files, for whoever has them as texts. */
export const course: Course<Config> = {
  judge(config, run, what, tell) {
    const { instructions, counted } = readInstructions(run, what);
    const verdict = judge(
      config,
      instructions,
      tell && ((state) => tell({ x: state.x, y: state.y, line: writeStates([state]).slice(0, -1) })),
    );
    return {
      ...verdict,
      remark: counted || instructions.length === 0 ? null : `${what}: the number of instructions is missing; all are taken`,
    };
  },
  picture: ({ map }, way) => mapSvg(map, way),
  newMap: (raw) => writeMap(generate(readRecipe(raw))),
  recipes: (['size', 'density', 'goals'] as const).map((name) => `${name} ${RECIPE_LIMITS[name].join('..')} (${USUAL[name]})`).join(', '),
};

/** [AR-4.6] The door for recipes. */
function readRecipe(raw: unknown): Recipe {
  const given: Record<string, unknown> = { ...USUAL, ...objectAt(raw, 'recipe', ['seed', 'size', 'density', 'goals']) };
  return {
    seed: readSeed(given['seed']),
    size: intAt(given['size'], 'size', ...RECIPE_LIMITS.size),
    density: numberAt(given['density'], 'density', ...RECIPE_LIMITS.density),
    goals: intAt(given['goals'], 'goals', ...RECIPE_LIMITS.goals),
  };
}

import { randomBytes } from 'node:crypto';
import { catalog } from '@lockstep/catalog';
import type { Command } from 'commander';
import { findCourse, writeText } from './course.ts';
import { checkWritable } from './files.ts';
import { valueOf } from './flags.ts';
import { remark } from './output.ts';

interface Options {
  readonly seed?: string;
  readonly size?: string;
  readonly density?: string;
  readonly goals?: string;
  readonly output?: string;
  readonly svg?: string;
}

export function addNewMap(program: Command): void {
  program
    .command('new-map')
    .summary('make a map by seed')
    .description('Makes a map that can always be finished. The same seed and options give the same map.')
    .argument('<world>', 'which world')
    .option('--seed <n>', 'seed of the map, 0..18446744073709551615 (default: a random one, which is told)')
    .option('--size <n>', 'side of the map')
    .option('--density <share>', 'how much of it is rock: 0 is none, 0.5 dense')
    .option('--goals <n>', 'how many goals')
    .option('-o, --output <file>', 'where to write the map (default: stdout)')
    .option('--svg <file>', 'a picture of it')
    .addHelpText(
      'after',
      `
What a world takes, and what it takes by itself:
${catalog.flatMap(({ world, course }) => (course === undefined ? [] : [`  ${world.name}: ${course.recipes}`])).join('\n')}

Examples:
  $ lockstep new-map asteracer --seed 7 -o seven.txt --svg seven.svg
  $ lockstep new-map asteracer --seed 7 --size 1000000 --density 0.5 --goals 20 > big.txt`,
    )
    .action(newMap);
}

function newMap(name: string, { seed: given, size, density, goals, output, svg }: Options): void {
  const { entry, course } = findCourse(name);
  for (const file of [output, svg]) if (file !== undefined) checkWritable(file);
  const seed = given ?? String(randomBytes(6).readUIntBE(0, 6));
  const numbers = Object.entries({ size, density, goals }).filter(([, text]) => text !== undefined);
  const recipe = { seed, ...Object.fromEntries(numbers.map(([key, text]) => [key, valueOf(text!)])) };
  const map = course.newMap(recipe);
  if (given === undefined) remark(`seed ${seed} (repeat with --seed ${seed})`);
  if (output === undefined) process.stdout.write(map);
  else writeText(output, map);
  if (svg !== undefined) writeText(svg, course.picture(entry.world.readConfig({ map }), []));
}

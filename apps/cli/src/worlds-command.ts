import { catalog } from '@lockstep/catalog';
import type { Command } from 'commander';
import { counted, say, sayJson } from './output.ts';

export function addWorlds(program: Command): void {
  program
    .command('worlds')
    .summary('list worlds, their presets and bots')
    .description('Lists the worlds with their presets (the first is the default) and built-in bots.')
    .option('--json', 'one JSON object a world on stdout')
    .addHelpText(
      'after',
      `
A preset is chosen by \`lockstep match <world> … --rules <preset>\`; a match needs one bot a seat.

Examples:
  $ lockstep worlds
  $ lockstep worlds --json | jq -r .name`,
    )
    .action(worlds);
}

function worlds({ json }: { readonly json?: boolean }): void {
  for (const { world, bots, conform } of catalog) {
    const { name, rulesVersion, ticksPerSecond } = world;
    const presets = Object.keys(world.presets);
    const seats = world.seats(world.readConfig({ preset: presets[0] }));
    const names = Object.keys(bots);
    if (json) {
      sayJson({ kind: 'world', name, rulesVersion, ticksPerSecond, seats, presets, bots: names, conform: conform !== undefined });
      continue;
    }
    say(`${name} (rulesVersion ${rulesVersion}, ${counted(seats, 'seat')}, ${ticksPerSecond} ticks/s)`);
    say(`  presets: ${presets.join(', ')}`);
    say(`  bots:    ${names.join(', ')}`);
  }
}

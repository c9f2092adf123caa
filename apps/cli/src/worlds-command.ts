import { catalog } from '@lockstep/catalog';
import type { Command } from 'commander';
import { layoutText } from './layout.ts';
import { findWorld } from './names.ts';
import { counted, say, sayJson } from './output.ts';

export function addWorlds(program: Command): void {
  program
    .command('worlds')
    .summary('list worlds, their presets and bots')
    .description('Lists the worlds with their presets (the first is the default) and built-in bots.')
    .option('--json', 'one JSON object a world on stdout')
    .option('--layout <world>', 'what a bot of this world is told, sees and answers, field by field')
    .addHelpText(
      'after',
      `
A preset is chosen by \`lockstep match <world> … --rules <preset>\`; a match needs one bot a seat.

Examples:
  $ lockstep worlds
  $ lockstep worlds --json | jq -r .name
  $ lockstep worlds --layout codeball`,
    )
    .action(worlds);
}

function worlds({ json, layout }: { readonly json?: boolean; readonly layout?: string }): void {
  if (layout !== undefined) return say(layoutText(findWorld(layout)).trimEnd());
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

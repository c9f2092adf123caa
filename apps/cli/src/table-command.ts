import { catalog } from '@lockstep/catalog';
import { InputError, type Json, type Tables } from '@lockstep/kernel';
import type { Command } from 'commander';
import { readFile } from './files.ts';
import { oneOf } from './names.ts';
import { oneLine, say, sayJson } from './output.ts';

interface Options {
  readonly world?: string;
  readonly json?: boolean;
}

export function addTable(program: Command): void {
  const table = program
    .command('table')
    .summary('tables that people write: their schema, a check')
    .description('Tables are JSON files that people write and worlds are played on (`lockstep match … --table FILE`).')
    .addHelpText('after', '\nExamples:\n  $ lockstep table schema > table.schema.json\n  $ lockstep table check mine.json');
  table
    .command('schema')
    .summary('the JSON Schema of tables')
    .description('Prints the JSON Schema by which tables are read, for editors and other validators.')
    .option('--world <world>', 'whose tables (default: the first world that has some)')
    .addHelpText('after', '\nExamples:\n  $ lockstep table schema > table.schema.json')
    .action(({ world }: Options) => say(JSON.stringify(tablesOf(world).schema, null, 2)));
  table
    .command('show')
    .summary('a table of ours, to begin with')
    .description('Prints a table of ours: a good beginning for one of your own.')
    .argument('<name>', 'which one')
    .option('--world <world>', 'whose tables (default: the first world that has some)')
    .addHelpText('after', '\nExamples:\n  $ lockstep table show learner > mine.json')
    .action((name: string, { world }: Options) => say(JSON.stringify(shownTable(tablesOf(world), name), null, 2)));
  table
    .command('check')
    .summary('can this table be played?')
    .description('Reads a table and builds it. What is wrong is one line: where, what was expected, what came. Exit code 2 then.')
    .argument('<file>', 'a table')
    .option('--world <world>', 'whose table (default: the first world that has some)')
    .option('--json', 'one JSON object on stdout')
    .addHelpText('after', '\nExamples:\n  $ lockstep table check mine.json')
    .action(check);
}

function check(file: string, { world, json }: Options): void {
  const remark = tablesOf(world).check(readTable(file), `${file}: table`);
  if (json) sayJson({ kind: 'table', file, ok: true, remark });
  else say(oneLine(`${file}: ok, ${remark}`));
}

function shownTable({ ours }: Tables, name: string): Json {
  const found = ours[name];
  if (found === undefined) throw new InputError('name', oneOf(name, Object.keys(ours)), name);
  return found;
}

/** A table's data, for whoever reads it next. */
export function readTable(file: string): unknown {
  const text = new TextDecoder().decode(readFile(file));
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new InputError(file, 'a table as JSON', (error as Error).message);
  }
}

function tablesOf(name: string | undefined): Tables {
  const having = catalog.filter(({ tables }) => tables !== undefined);
  const found = name === undefined ? having[0] : having.find(({ world }) => world.name === name);
  if (found?.tables !== undefined) return found.tables;
  throw new InputError('world', oneOf(name ?? '', having.map(({ world }) => world.name), ' that has tables'), name); // prettier-ignore
}

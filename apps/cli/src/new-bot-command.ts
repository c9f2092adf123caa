import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, extname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { onPath } from '@lockstep/bots';
import { catalog } from '@lockstep/catalog';
import { InputError } from '@lockstep/kernel';
import type { Command } from 'commander';
import { TOOLS } from './bots.ts';
import { reasonOf } from './files.ts';
import { findWorld, oneOf } from './names.ts';
import { remark, say } from './output.ts';

const KITS = fileURLToPath(new URL('../../../../kits', import.meta.url));
/** The way languages are called on a command line, and their folders. */
const LANGUAGES: Readonly<Record<string, string>> = {
  ts: 'typescript',
  js: 'javascript',
  python: 'python',
  cpp: 'cpp',
  rust: 'rust',
  go: 'go',
  java: 'java',
  wasm: 'wasm',
};

interface Options {
  readonly world: string;
  readonly lang: string;
}

export function addNewBot(program: Command): void {
  program
    .command('new')
    .summary('begin something of your own')
    .description('Begins something of your own.')
    .addHelpText('after', '\nExamples:\n  $ lockstep new bot mine --world codeball --lang python')
    .command('bot')
    .summary('write a bot that plays at once')
    .description('Writes a folder with a bot that plays at once, for you to make it better.')
    .argument('<name>', 'of the bot and of its folder')
    .option('--world <world>', 'which world it plays', catalog[0]!.world.name)
    .option('--lang <language>', `what it is written in: ${Object.keys(LANGUAGES).join(', ')}`, 'js')
    .addHelpText(
      'after',
      '\nExamples:\n  $ lockstep new bot mine --world codeball --lang python\n  $ lockstep match codeball ./mine quickstart',
    )
    .action(write);
}

function write(path: string, { world, lang }: Options): void {
  const { world: found } = findWorld(world);
  const folder = resolve(path);
  const name = basename(folder);
  if (!/^[\p{L}\p{M}\p{N}_.-]{1,60}$/u.test(name)) throw new InputError('name', 'letters, digits, dots, dashes', name);
  if (existsSync(folder)) throw new InputError('name', 'the name of a folder that does not exist yet', path);
  const language = LANGUAGES[lang];
  if (language === undefined) throw new InputError('lang', oneOf(lang, Object.keys(LANGUAGES)), lang);
  const kit = join(KITS, language);
  const files = readdirSync(kit);
  const worldOf = (file: string): string | undefined =>
    catalog.find(({ world: { name: one } }) => one === basename(file, extname(file)))?.world.name;
  const strategy = files.find((file) => worldOf(file) === found.name);
  if (strategy === undefined) throw new InputError('world', oneOf(world, files.flatMap((file) => worldOf(file) ?? []), ` for ${language}`), world); // prettier-ignore
  try {
    mkdirSync(folder);
    for (const file of files) if (worldOf(file) === undefined) cpSync(join(kit, file), join(folder, file));
    cpSync(join(kit, strategy), join(folder, `bot${extname(strategy)}`));
    const manifest = JSON.parse(readFileSync(join(kit, 'bot.json'), 'utf8')) as object;
    writeFileSync(join(folder, 'bot.json'), `${JSON.stringify({ ...manifest, name, worlds: [found.name] }, null, 2)}\n`);
  } catch (error) {
    throw new InputError(path, 'a folder that can be written', reasonOf(error));
  }
  const tool = toolOf(folder);
  if (tool !== null) remark(`${tool} is not on the path, and this bot needs it (\`lockstep doctor\` tells what is here)`);
  const here = relative(process.cwd(), folder);
  say(`${here}/bot${extname(strategy)} is yours. It plays:`);
  const seats = found.seats(found.readConfig(Object.keys(found.presets)[0]));
  const others = Object.keys(findWorld(world).bots).slice(0, seats - 1);
  say(`  lockstep match ${[found.name, `./${here}`, ...others].join(' ')}`);
  say(`  lockstep check ./${here}`);
}

/** The compiler or interpreter that it needs and that is not there. */
function toolOf(folder: string): string | null {
  const { build, run } = JSON.parse(readFileSync(join(folder, 'bot.json'), 'utf8')) as { build?: string; run: readonly string[] };
  const tool = build?.split(' ')[0] ?? run[0]!;
  return onPath(tool) !== null || TOOLS.some((place) => existsSync(join(place, tool))) ? null : tool;
}

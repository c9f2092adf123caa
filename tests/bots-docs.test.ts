import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { catalog } from '@lockstep/catalog';
import { BUDGETS } from '@lockstep/match';
import { describe, expect, it } from 'vitest';
import { layoutText } from '../apps/cli/src/layout.ts';
import { PRICE } from '../packages/bots/src/portable/wasm/meter.ts';
import { jsonLines, workshop } from './cli-run.ts';

const { folder, lockstep, shell } = workshop();
const docs = join(import.meta.dirname, '../docs');
const page = (name: string): string => readFileSync(join(docs, name), 'utf8');

describe('docs/bots.md', () => {
  const NEEDS: Readonly<Record<string, readonly [program: string, version: string]>> = {
    Python: ['python3', '--version'],
    'C++': ['g++', '--version'],
    Rust: ['rustc', '--version'],
    Go: ['go', 'version'],
    Java: ['javac', '-version'],
  };
  const sections = page('bots.md').split(/^## /m).slice(1).flatMap((text) => {
    const commands = /^```sh\n([^`]*)```/m.exec(text)?.[1];
    return commands === undefined ? [] : [{ language: text.split('\n')[0]!, commands }];
  }); // prettier-ignore
  const isHere = ({ language }: { language: string }): boolean => {
    const [program, version] = NEEDS[language] ?? [];
    return program === undefined || spawnSync(program, [version!]).status === 0;
  };

  let final: string | undefined;

  it('has a section for every language that lockstep new bot knows', () => {
    expect(sections.map(({ language }) => language)).toEqual([
      'JavaScript',
      'TypeScript',
      'Python',
      'C++',
      'Rust',
      'Go',
      'Java',
      'WebAssembly',
    ]);
  });

  for (const { language, commands } of sections)
    it.skipIf(!isHere({ language }))(`${language}: the commands do what they say, and it plays the same game as the others`, async () => {
      const { code, out, err } = await shell(commands.trim().split('\n').join(' && '));
      expect([code, err]).toEqual([0, expect.not.stringContaining('expected')]);
      const [, state] = /final state (\w+)/.exec(out)!;
      final ??= state;
      expect(state).toBe(final);
      if (language === 'JavaScript') expect(out).toMatch(/plays by the rules +yes/);
    });

  it('its bot.toml is one', async () => {
    const toml = /```toml\n([^`]*)```/.exec(page('bots.md'))![1]!;
    await lockstep('new', 'bot', 'with-toml', '--lang', 'js');
    const old = join(folder, 'with-toml/bot.json');
    spawnSync('rm', [old]);
    writeFileSync(
      join(folder, 'with-toml/bot.toml'),
      toml.replace('"python3", "bot.py"', '"node", "bot.mjs"').replace('Python', 'JavaScript'),
    );
    const { code, out } = await lockstep('match', 'codeball', './with-toml', 'idle', '--seed', '1', '--ticks', '20', '--json');
    expect([code, jsonLines(out)[0]]).toEqual([0, expect.objectContaining({ bots: ['mine', 'idle'], faults: [] })]);
  });
});

describe('docs/layouts.md', () => {
  it('is what the worlds tell, show and take (LOCKSTEP_BLESS=1 writes it)', () => {
    const head = `# What bots are told, see and answer

Generated from the worlds; \`lockstep worlds --layout WORLD\` prints the same. A line is a double of a row ([wasm.md](wasm.md)) or of a binary frame
([protocol.md](protocol.md)), in this order; in JSON it is a field of that name. Under a list stand the fields of one item, which are there as many times
as the number before them says. "Not in all": not every item has it; read the briefing as text then. "Of its own kind": none was seen in the game that was looked at.
`;
    const text = `${head}${catalog.map((entry) => `\n## ${entry.world.name}\n\n\`\`\`\n${layoutText(entry).trimEnd()}\n\`\`\`\n`).join('')}`;
    if (process.env['LOCKSTEP_BLESS'] === '1') writeFileSync(join(docs, 'layouts.md'), text);
    expect(page('layouts.md')).toBe(text);
  });

  it.each(catalog.map((entry) => [entry.world.name, entry] as const))('the example action of %s is one, for every preset and seat', (_name, entry) => {
    const { world } = entry;
    for (const preset of Object.keys(world.presets)) {
      const config = world.readConfig(preset);
      const state = world.create(config, 1n);
      for (let seat = 0; seat < world.seats(config); seat++) expect(() => world.readAction(entry.example(config, seat), state, seat)).not.toThrow();
    }
  }); // prettier-ignore
});

describe('docs/protocol.md', () => {
  it('has the messages that programs get, field by field', async () => {
    const heard = join(folder, 'heard.cjs');
    writeFileSync(
      heard,
      `const lines = [];
       console.log('{"type":"ready"}');
       require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
         const message = JSON.parse(line);
         lines.push(Object.keys(message).join());
         if (message.type === 'view') console.log(JSON.stringify({ type: 'action', tick: message.tick, action: { vx: 0, vy: 0 }, debug: [...new Set(lines)] }));
         if (message.type === 'result') console.error(Object.keys(message).join());
       });`,
    );
    const { code } = await lockstep('match', 'asteracer', `node ${heard}`, '--seed', '1', '--ticks', '5', '--debug-file', 'heard.debug');
    expect(code).toBe(0);
    const got = (jsonLines(readFileSync(join(folder, 'heard.debug'), 'utf8')).at(-1) as { debug: string[] }).debug;
    const told = [...page('protocol.md').matchAll(/^\| lockstep \| `(\{.*\})` \|/gm)].map(([, text]) => Object.keys(JSON.parse(text!.replaceAll('{…}', '{}')) as object).join());
    expect(told.slice(0, 2)).toEqual(got);
    expect(told[2]).toBe('type,seat,result');
  }); // prettier-ignore

  it('names every kind of fault and every budget', () => {
    for (const kind of ['crash', 'illegal', 'timeout', 'memory', 'protocol', 'disconnect', 'no-start']) expect(page('protocol.md')).toContain(`| \`${kind}\` |`);
    for (const budget of Object.keys(BUDGETS)) expect(page('protocol.md')).toMatch(new RegExp(`\`(--budget )?${budget}\``));
  }); // prettier-ignore
});

describe('docs/wasm.md', () => {
  it('tells the prices and the budgets that are taken', () => {
    const text = page('wasm.md');
    const { plain, division, call, indirect, outside, entry, page: aPage } = PRICE;
    expect(text).toContain(`| an instruction; \`block\`, \`loop\`, \`else\`, \`end\`, \`nop\` | ${plain}; 0 |`);
    expect(text).toContain(`| a division, remainder or square root | ${division} |`);
    expect(text).toContain(`| a call; an indirect call; a call of an import | ${call}; ${indirect}; ${outside} |`);
    expect(text).toContain(`| entering a function | ${entry}, and 1 for each of its locals |`);
    expect(text).toContain(`| \`memory.grow\` | ${aPage} more for every page |`);
    const number = (value: number): string => value.toLocaleString('en-US');
    for (const [names, { start, tick, base, perTick }] of [['`bank`, `strikes`', BUDGETS.bank.gas], ['`gas`', BUDGETS.gas.gas]] as const)
      expect(text).toContain(`| ${names} | ${number(start)} | ${number(tick)} | ${number(base)} + ${number(perTick)} × the longest game |`);
  }); // prettier-ignore
});

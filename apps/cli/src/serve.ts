import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join, normalize, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { InputError } from '@lockstep/kernel';
import { answerOfRuns } from './league/serve-runs.ts';

export interface ServeOptions {
  /** 0 = any free one. */
  readonly port: number;
  /** Left out: nobody but this machine can reach it. */
  readonly host?: string;
  /** The folder whose runs are shown; none where left out. */
  readonly runs?: string;
}

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.wasm': 'application/wasm',
  '.map': 'application/json; charset=utf-8',
};

/** The page loads nothing from anywhere else, and nobody frames it. */
const HEADERS: Readonly<Record<string, string>> = {
  'Content-Security-Policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; worker-src 'self'; connect-src 'self'; img-src 'self' data: blob:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
};

/** Serves the built studio. */
export async function serveStudio({ port, host = '127.0.0.1', runs }: ServeOptions): Promise<{ url: string; close(): Promise<void> }> {
  const root = await studioFolder();
  const server = createServer((request, response) => {
    answer(root, runs ?? null, request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  const bound = server.address() as AddressInfo;
  const shownHost = bound.family === 'IPv6' ? `[${bound.address}]` : bound.address;
  return {
    url: `http://${shownHost}:${bound.port}/`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Beside this file when it runs from sources, one further up when it was built. */
async function studioFolder(): Promise<string> {
  for (const place of ['../../studio/dist', '../../../studio/dist']) {
    const folder = fileURLToPath(new URL(place, import.meta.url));
    if (await isFile(join(folder, 'index.html'))) return folder;
  }
  throw new InputError('studio', 'a built apps/studio/dist (npm run build makes it)', undefined);
}

async function answer(root: string, runs: string | null, request: IncomingMessage, response: ServerResponse): Promise<void> {
  for (const [name, value] of Object.entries(HEADERS)) response.setHeader(name, value);
  if (request.method !== 'GET' && request.method !== 'HEAD') return refuse(response, 405);
  if (request.url?.startsWith('/api/') === true) {
    const found = runs === null ? null : await answerOfRuns(runs, request.url);
    if (found === null) return refuse(response, 404);
    response.writeHead(200, { 'Content-Type': found.type, 'Cache-Control': 'no-store' });
    response.end(request.method === 'HEAD' ? undefined : found.body);
    return;
  }
  const file = fileFor(root, request.url ?? '/');
  if (file === null || !(await isFile(file))) return refuse(response, 404);
  // Vite names everything in assets/ by its content.
  const forGood = file.startsWith(join(root, 'assets') + sep);
  response.setHeader('Cache-Control', forGood ? 'public, max-age=31536000, immutable' : 'no-cache');
  response.setHeader('Content-Type', TYPES[extname(file)] ?? 'application/octet-stream');
  response.setHeader('Content-Length', (await stat(file)).size);
  if (request.method === 'HEAD') response.end();
  else
    createReadStream(file)
      .on('error', () => response.destroy())
      .pipe(response);
}

/** null for a path that is malformed or leads out of the folder. */
function fileFor(root: string, url: string): string | null {
  let path: string;
  try {
    path = decodeURIComponent(url.split(/[?#]/, 1)[0]!);
  } catch {
    return null;
  }
  if (!path.startsWith('/') || path.includes('\0') || path.includes('\\')) return null;
  const file = normalize(join(root, path.endsWith('/') ? `${path}index.html` : path));
  return file.startsWith(root + sep) ? file : null;
}

async function isFile(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isFile();
  } catch {
    return false;
  }
}

function refuse(response: ServerResponse, status: number): void {
  response.writeHead(status, { 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': 'no-store' });
  response.end(status === 404 ? 'Not found\n' : 'Only GET and HEAD\n');
}

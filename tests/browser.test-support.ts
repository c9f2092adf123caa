import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type Browser, chromium, type Page } from 'playwright-core';
import { serveStudio } from '../apps/cli/src/serve.ts';
import type { StudioDoor } from '../apps/studio/src/door.ts';

declare global {
  interface Window {
    __studio: StudioDoor;
  }
}

export const root = fileURLToPath(new URL('..', import.meta.url));
/** A picture may take long where there is no graphics card and much else to do. */
export const PATIENCE = 90_000;

const found = existsSync(`${root}.cache/browser.json`)
  ? (JSON.parse(readFileSync(`${root}.cache/browser.json`, 'utf8')) as { path: string; env?: Record<string, string> })
  : { path: '' };
const built = existsSync(`${root}apps/studio/dist/index.html`);
export const whyNoBrowser = found.path === '' ? 'no browser was found (npm test looks for one)' : '';
/** Why the studio cannot be driven here; empty where it can. */
export const why = whyNoBrowser !== '' ? whyNoBrowser : built ? '' : 'the studio is not built (npm test builds it)';
if (why !== '') console.warn(`tests in a browser are skipped: ${why}`);

const FLAGS =
  '--no-sandbox --use-angle=swiftshader --enable-unsafe-swiftshader --disable-quic --no-first-run --disable-background-networking --disable-component-update --disable-sync';

/** The studio as its server gives it, and a browser to look at it. */
export interface Theatre {
  readonly url: string;
  readonly browser: Browser;
  close(): Promise<void>;
}

export function openBrowser(): Promise<Browser> {
  const env = { ...process.env, ...found.env } as Record<string, string>;
  return chromium.launch({ executablePath: found.path, env, args: FLAGS.split(' ') });
}

export async function openTheatre({ runs }: { readonly runs?: string } = {}): Promise<Theatre> {
  const server = await serveStudio({ port: 0, host: '127.0.0.1', ...(runs === undefined ? {} : { runs }) });
  const browser = await openBrowser();
  return {
    url: server.url,
    browser,
    async close() {
      await browser.close();
      await server.close();
    },
  };
}

/** Errors and warnings of the page, those that `isOurs` aside, are added to `complaints`. */
export function listenForComplaints(page: Page, complaints: string[], isOurs: (text: string) => boolean = () => false): void {
  page.on('console', (message) => {
    const text = message.text();
    if ((message.type() === 'error' || message.type() === 'warning') && !isOurs(text)) complaints.push(text);
  });
  page.on('pageerror', (error) => complaints.push(error.message));
}

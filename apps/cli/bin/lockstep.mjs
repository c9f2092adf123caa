#!/usr/bin/env node
import { existsSync } from 'node:fs';

const main = new URL('../dist/src/main.js', import.meta.url);
if (!existsSync(main)) {
  console.error('lockstep: expected a built checkout, got none: run `npm start` or `npm test` once in the project folder');
  process.exit(2);
}
await import(main.href);

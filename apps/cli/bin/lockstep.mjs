#!/usr/bin/env node
import { existsSync, readFileSync, statSync } from 'node:fs';

const modules = new URL('../dist/src/main.js', import.meta.url);
const few = new URL('../dist/run/main.js', import.meta.url);
if (!existsSync(modules)) {
  console.error('lockstep: expected a built checkout, got none: run `npm start` or `npm test` once in the project folder');
  process.exit(2);
}
await import(isFresh() ? few.href : modules.href);

/** Whether no package was compiled after the few files were made of them all. */
function isFresh() {
  const root = new URL('../../../', import.meta.url);
  const made = timeOf(few);
  const { references } = JSON.parse(readFileSync(new URL('tsconfig.json', root), 'utf8'));
  return made > 0 && references.every(({ path }) => timeOf(new URL(`${path}/dist/tsconfig.tsbuildinfo`, root)) <= made);
}

function timeOf(file) {
  return statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

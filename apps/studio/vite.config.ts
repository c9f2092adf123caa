import { builtInSha256 } from '@lockstep/bots';
import { catalog } from '@lockstep/catalog';
import { defaultClientConditions, defineConfig } from 'vite';

/** What replays note of the built-in bots: the page has no sources to sum up, and the command line would note the same. */
const botsSha256 = Object.fromEntries(catalog.map(({ world }) => [world.name, builtInSha256(world.name)]));

/** Packages are taken from their sources, so a build of the studio can never hold a stale world. */
export default defineConfig({
  resolve: { conditions: ['lockstep-source', ...defaultClientConditions] },
  define: { BOTS_SHA256: JSON.stringify(botsSha256) },
  worker: { format: 'es' },
  build: {
    rolldownOptions: { input: ['index.html', 'league.html'] },
    target: 'es2022',
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 1200,
  },
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
});

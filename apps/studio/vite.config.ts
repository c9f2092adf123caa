import { defaultClientConditions, defineConfig } from 'vite';

/** Packages are taken from their sources, so a build of the studio can never hold a stale world. */
export default defineConfig({
  resolve: { conditions: ['lockstep-source', ...defaultClientConditions] },
  worker: { format: 'es' },
  build: { target: 'es2022', assetsInlineLimit: 0, chunkSizeWarningLimit: 1200 },
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
});

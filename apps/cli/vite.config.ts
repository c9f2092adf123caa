import { defaultServerConditions, defineConfig } from 'vite';

const conditions = ['lockstep-source', ...defaultServerConditions];

/**
 * The command line once more, as a few files: Node takes thrice as long to start from four hundred (docs/decisions/009-few-files.md).
 * What is a thread's program begins in a file of its own, so that no thread runs main.ts. The benches look for files beside themselves.
 */
export default defineConfig({
  resolve: { conditions },
  ssr: { external: ['@lockstep/bench'], resolve: { conditions } },
  build: {
    ssr: true,
    outDir: 'dist/run', // as deep as dist/src: what is found from there is found from here
    rolldownOptions: {
      input: ['main', 'pool', 'module-thread', 'solve-threads'].map((name) => `src/${name}.ts`),
      output: { entryFileNames: '[name].js', chunkFileNames: 'part-[name].js', topLevelVar: false },
    },
    target: 'es2022',
  },
});

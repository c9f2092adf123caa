import { availableParallelism } from 'node:os';
import { defaultServerConditions } from 'vite';
import { defineConfig } from 'vitest/config';

/** Tests run from the sources: packages find each other through this export condition, so no build can be stale. */
const conditions = ['lockstep-source', ...defaultServerConditions];
const exclude = ['**/node_modules/**', '**/dist/**'];
/** These start processes and servers, and look at what is left of them. */
const WITH_PROCESSES = ['packages/bots/**/*.test.ts', 'packages/store/**/*.test.ts'];

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions, externalConditions: conditions } },
  test: {
    // three on two cores: half of the tests wait for a browser or for processes
    maxWorkers: Math.ceil(availableParallelism() * 1.5),
    reporters: ['default', './tests/ci-reporter.ts'],
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['packages/**/*.test.ts', 'bench/**/*.test.ts', 'apps/**/*.test.ts'],
          exclude: [...exclude, ...WITH_PROCESSES],
          // functions without side effects: files may share a process, and each module is loaded once in it
          isolate: false,
          testTimeout: 60_000,
        },
      },
      {
        extends: true,
        test: {
          name: 'e2e',
          include: ['tests/**/*.test.ts', ...WITH_PROCESSES],
          exclude,
          testTimeout: 120_000,
          hookTimeout: 120_000,
          // a browser or a process that the machine has let down gets a second chance; the reporter names who took it
          retry: 1,
        },
      },
    ],
  },
});

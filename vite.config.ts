import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'

const exclude = ['**/node_modules/**', '**/dist/**']
/** These render the whole modal, whose parts hold what is shown in their modules: each file begins with modules of its own. */
const isolated = ['apps/modal-host/src/modal/**/*.test.{ts,tsx}']

/**
 * One configuration for every workspace: each app and package extends it with its own entries. Tests give what they test all that it needs as
 * arguments, so that files can share a process and the modules in it; to load them anew for each file took longer than the tests.
 */
export default defineConfig({
  test: {
    // Vitest would leave one processor to its own process, which idles while tests run.
    maxWorkers: availableParallelism(),
    testTimeout: 20_000,
    hookTimeout: 60_000,
    projects: [
      {
        extends: true,
        test: {
          name: 'gateway',
          include: ['apps/gateway/**/*.test.ts'],
          exclude,
          isolate: false,
          globalSetup: 'apps/gateway/src/testing/global-setup.ts',
        },
      },
      {
        extends: true,
        test: {
          name: 'modules',
          include: ['{packages,apps,scripts}/**/*.test.{ts,tsx}'],
          exclude: [...exclude, 'apps/gateway/**', ...isolated],
          isolate: false,
        },
      },
      { extends: true, test: { name: 'modal', include: isolated, exclude } },
    ],
  },
})

import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

const siwx = fileURLToPath(new URL('packages/siwx/src', import.meta.url))
const exclude = ['**/node_modules/**', '**/dist/**']
/** These render the whole modal, whose parts hold what is shown in their modules: each file begins with modules of its own. */
const isolated = ['apps/modal-host/src/boot/**/*.test.{ts,tsx}', 'apps/modal-host/src/features/**/*.test.tsx']

/**
 * One configuration for every workspace: each app and package extends it with its own entries. Tests give what they test all that it needs as
 * arguments, so that files can share a process and the modules in it; to load them anew for each file took longer than the tests.
 */
export default defineConfig({
  // As `paths` in tsconfig.json: tests of other workspaces read the package's source, so that none of them waits for its build.
  resolve: {
    alias: [
      { find: /^@postern\/siwx$/, replacement: `${siwx}/index.ts` },
      { find: /^@postern\/siwx\/(server|verifiers)$/, replacement: `${siwx}/$1/index.ts` },
    ],
  },
  test: {
    // Vitest would leave one processor to its own process, which idles while tests run.
    maxWorkers: availableParallelism(),
    // For a machine that is busy with other things: nothing waits this long where all is well.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 15_000 } },
    projects: [
      {
        extends: true,
        test: {
          name: 'gateway',
          include: ['apps/gateway/**/*.test.ts'],
          exclude,
          isolate: false,
          globalSetup: 'apps/gateway/src/testing/global-setup.ts',
          setupFiles: 'scripts/lib/properties.ts',
        },
      },
      {
        extends: true,
        test: {
          name: 'modules',
          include: ['{packages,apps,scripts}/**/*.test.{ts,tsx}'],
          exclude: [...exclude, 'apps/gateway/**', ...isolated],
          isolate: false,
          setupFiles: 'scripts/lib/properties.ts',
        },
      },
      { extends: true, test: { name: 'modal', include: isolated, exclude } },
    ],
  },
})

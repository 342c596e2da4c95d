import { randomInt } from 'node:crypto'
import { createRequire } from 'node:module'
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { sveltePlugin } from './packages/client-sdk/scripts/svelte-plugin'
import { TestOrder } from './scripts/lib/test-order'

const siwx = fileURLToPath(new URL('packages/siwx/src', import.meta.url))
const testing = fileURLToPath(new URL('packages/testing/src', import.meta.url))
const older = fileURLToPath(new URL('packages/older-versions/node_modules', import.meta.url))
const wagmi2 = createRequire(new URL('packages/older-versions/package.json', import.meta.url)).resolve('@wagmi/core')
const client = fileURLToPath(new URL('packages/client-sdk/src', import.meta.url))
const exclude = ['**/node_modules/**', '**/dist/**']
/** These render the whole modal, whose modules have state: one module registry per file. */
const isolated = [
  'apps/modal-host/src/{boot,sign-in-with-wallet}/**/*.test.{ts,tsx}',
  'apps/modal-host/src/{features,view-kit}/**/*.test.tsx',
  'apps/wallet/src/{approval,window}/**/*.test.tsx',
]
/** These use WalletConnect's library in the modal. */
const walletConnectInModal = [
  'apps/modal-host/src/connectors/walletconnect/**/*.test.ts',
  'apps/modal-host/src/connectors/eip155/one-click*.test.ts',
]
/** A process per file: WalletConnect's clients are global, and go on reconnecting after a test. */
const walletConnect = [...walletConnectInModal, 'packages/devnet/src/mobile-wallet/**/*.test.ts']

// A new seed for each run, the same in all workers. With `PROPERTY_SEED` a run repeats that of another.
if (process.env.VITEST !== undefined && process.env.PROPERTY_SEED === undefined) {
  process.env.PROPERTY_SEED = String(randomInt(2 ** 31))
  process.stdout.write(`Property tests: PROPERTY_SEED=${process.env.PROPERTY_SEED}\n`)
}

/**
 * Shared by every workspace, which adds its own entries. Tests pass all dependencies as arguments, so that files can
 * share a process and its modules; loading modules per file took longer than the tests.
 */
export default defineConfig({
  // What the build of the SDK sets.
  define: { __POSTERN_VERSION__: '"0.0.0"', __POSTERN_HOST__: '"https://modal.example"' },
  // Same as `paths` in tsconfig.json, so that no test waits for a build.
  resolve: {
    alias: [
      { find: /^@postern\/client$/, replacement: `${client}/index.ts` },
      { find: /^@postern\/siwx$/, replacement: `${siwx}/index.ts` },
      { find: /^@postern\/siwx\/(server|verifiers)$/, replacement: `${siwx}/$1/index.ts` },
      { find: /^@postern\/testing\/(.*)$/, replacement: `${testing}/$1/index.ts` },
    ],
  },
  test: {
    // Vitest would reserve one for its main process, which idles. With one more, the modules that a worker loads cost more
    // than the waits that it fills: 493 s against 380 s.
    maxWorkers: availableParallelism(),
    // For a busy machine.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 15_000, interval: 10 } },
    sequence: { sequencer: TestOrder },
    projects: [
      {
        extends: true,
        test: {
          name: 'gateway',
          include: ['apps/gateway/**/*.test.ts', 'fuzz/src/gateway.test.ts'],
          exclude,
          isolate: false,
          globalSetup: 'apps/gateway/src/testing/global-setup.ts',
          setupFiles: ['scripts/lib/properties.ts', 'apps/gateway/src/platform/schema-words.ts'],
        },
      },
      {
        extends: true,
        test: {
          name: 'modules',
          include: ['{packages,apps,scripts,bench}/**/*.test.{ts,tsx}'],
          exclude: [
            ...exclude,
            'apps/gateway/**',
            'packages/client-sdk/src/svelte.test.ts',
            ...isolated,
            ...walletConnect,
          ],
          isolate: false,
          setupFiles: 'scripts/lib/properties.ts',
        },
      },
      {
        extends: true,
        // Svelte's package has another entry for a server.
        resolve: { conditions: ['browser'] },
        plugins: [sveltePlugin],
        test: {
          name: 'svelte',
          include: ['packages/client-sdk/src/svelte.test.ts'],
          server: { deps: { inline: ['svelte'] } },
        },
      },
      {
        // The build's other version of the library; `modules` runs the same tests with the default.
        extends: true,
        resolve: {
          alias: [{ find: '@walletconnect/universal-provider', replacement: '@walletconnect/universal-provider-2.25' }],
        },
        test: {
          name: 'walletconnect-2.25',
          include: walletConnectInModal,
          exclude,
          isolate: false,
          setupFiles: 'scripts/lib/properties.ts',
        },
      },
      {
        // The oldest React and wagmi that are supported; `modules` runs the same tests with the newest.
        extends: true,
        resolve: {
          alias: [
            { find: '@wagmi/core', replacement: wagmi2 },
            { find: /^react$/, replacement: `${older}/react/index.js` },
            { find: /^react\/(.*)$/, replacement: `${older}/react/$1.js` },
            { find: /^react-dom\/(.*)$/, replacement: `${older}/react-dom/$1.js` },
          ],
        },
        test: {
          name: 'older-versions',
          include: ['packages/client-sdk/src/react/**/*.test.tsx', 'packages/wagmi/src/connector.test.ts'],
          exclude,
          setupFiles: 'scripts/lib/properties.ts',
        },
      },
      {
        extends: true,
        test: {
          name: 'fuzz',
          include: ['fuzz/**/*.test.ts'],
          // In the project `gateway`, for its databases.
          exclude: [...exclude, 'fuzz/src/gateway.test.ts'],
          setupFiles: 'scripts/lib/properties.ts',
        },
      },
      {
        extends: true,
        test: {
          name: 'modal',
          include: isolated,
          exclude,
          isolate: false,
          setupFiles: ['scripts/lib/properties.ts', 'scripts/lib/new-modules.ts'],
        },
      },
      {
        extends: true,
        test: { name: 'walletconnect', include: walletConnect, exclude, setupFiles: 'scripts/lib/properties.ts' },
      },
    ],
  },
})

/**
 * `npm run knip` runs twice:
 *
 * 1. Everything, tests included: unused files and packages, and values exported without need.
 * 2. `--production`: code that only tests use. Patterns that end in `!` are what ships.
 */
import type { KnipConfig } from 'knip'

const isProduction = process.argv.includes('--production')
const shipped = ['src/**/*.{ts,tsx}!', '!src/**/*.test.{ts,tsx}!', '!src/**/testing/**!', '!src/**/testing.ts!']

const config: KnipConfig = {
  // A type of a signature is exported with it. In production an export may serve the tests of its file.
  ignoreExportsUsedInFile: isProduction ? true : { type: true, interface: true },
  // The devnet is for tests. In production mode knip does not follow the SDK's npm entry, nor those for frameworks and servers.
  ignore: isProduction
    ? [
        'packages/devnet/**',
        'packages/client-sdk/src/{react,server,frameworks}/**',
        'packages/client-sdk/src/{load-modal,plain-alert}.ts',
      ]
    : [],
  ignoreIssues: {
    // Loaded by the object that `instance.ts` is given, whose type names it.
    'packages/client-sdk/src/modal/alert/alert.ts': ['exports'],
    // Loaded by the function that `frame.ts` is given.
    'apps/wallet/src/approval/place/worth.ts': ['nsExports'],
  },
  workspaces: {
    '.': {
      // The reporter is named on the command line of Vitest.
      entry: ['scripts/*.ts', 'scripts/results/vitest-reporter.ts'],
      project: ['scripts/**/*.ts'],
      // TypeScript 7 is called by its file: scripts/lib/typescript.ts.
      ignoreDependencies: ['@arethetypeswrong/cli', 'publint', '@changesets/config', 'typescript-native'],
      ignoreBinaries: ['ss', 'setpriv'],
    },
    'packages/base': { project: shipped },
    'packages/protocol': { entry: ['scripts/*.ts'], project: shipped },
    'packages/client-sdk': {
      entry: [
        'src/{index,connectors/index,elements/index,server/index,modal/index,namespaces/index,adapters/index}.ts!',
        'src/react.{ts,tsx}!',
        'src/{vue,svelte}.ts!',
        'scripts/*.ts',
        'src/script/{index,modal,namespaces,adapters,elements}.ts!',
      ],
      project: shipped,
      ignoreDependencies: ['react', 'vue', 'svelte'],
    },
    'packages/siwx': {
      // `examples` are the code blocks of the guide.
      entry: ['src/index.ts!', 'src/{server,verifiers}/index.ts!', 'src/examples/*.ts!', 'scripts/*.mjs'],
      project: shipped,
      // Its plugin takes the entries of the build for development's.
      ...(isProduction && { vite: false }),
    },
    'packages/wagmi': { project: shipped },
    'packages/create-postern': {
      entry: ['src/index.ts!', 'scripts/*.mjs'],
      project: shipped,
      // As in `packages/siwx`.
      ...(isProduction && { vite: false }),
    },
    'packages/evm-wallet': { project: shipped },
    'packages/testing': {
      entry: ['src/{wallets,modal,playwright}/index.ts!'],
      project: shipped,
      // As in `packages/siwx`.
      ...(isProduction && { vite: false }),
    },
    'packages/older-versions': { entry: ['src/*.tsx'], ignoreDependencies: ['react-dom', '@wagmi/core', 'typescript'] },
    'packages/devnet': {
      // The reporter is named on the command line of Vitest.
      entry: ['scripts/*.ts', 'scripts/results/vitest-reporter.ts'],
      project: ['src/**/*.{ts,tsx}'],
      ignoreDependencies: [
        '@foundry-rs/anvil',
        '@safe-global/safe-4337',
        '@safe-global/safe-contracts',
        '@uniswap/v2-core',
        '@uniswap/v2-periphery',
      ],
    },
    'packages/link': { project: shipped },
    'packages/chains': { project: shipped, ignoreDependencies: ['buffer'] },
    'packages/ui': { project: shipped, ignoreDependencies: ['@fontsource-variable/inter', 'simple-icons'] },
    'apps/modal-host': {
      entry: ['src/connectors/walletconnect/client/no-storage.ts!', 'scripts/*.ts', 'gallery/**/*.{ts,tsx}'],
      project: shipped,
      ignoreDependencies: ['@walletconnect/universal-provider-2.25', 'buffer'],
    },
    'apps/wallet': { entry: ['src/{frame/main.ts,window/main.tsx}!'], project: shipped },
    'apps/console': { project: shipped },
    // A test makes a certificate.
    'apps/gateway': {
      entry: ['src/{main,cli}.ts!', 'scripts/*.ts!'],
      project: shipped,
      // Of packages/chains, which the build aliases to its browser form.
      ignoreDependencies: ['@solana/web3.js'],
      ignoreBinaries: ['mount', 'openssl', 'umount'],
    },
    'apps/docs': {
      // `.vitepress/` and the component import them; knip reads neither.
      entry: ['src/*.ts!', 'src/configurator/{code,controls,preview}.ts!'],
      project: shipped,
    },
    'apps/demo': { entry: ['src/safe/main.ts!', 'src/lab/script-tag.tsx!', 'scripts/*.ts'], project: shipped },
    e2e: {
      entry: ['**/*.spec.ts', 'dapps/*/main.tsx', 'kits/*.kit.ts', 'kits/playwright.config.ts'],
      project: ['**/*.{ts,tsx}'],
      // `scripts/lib/system.ts` installs them.
      ignoreBinaries: ['Xvfb', 'openbox', 'WebKitWebDriver'],
    },
    // ConnectKit imports the connectors of wagmi without naming them.
    dapps: { entry: ['*/main.tsx'], project: ['**/*.{ts,tsx}'], ignoreDependencies: ['@wagmi/connectors'] },
    // `scripts/fuzz.ts` finds the targets.
    fuzz: { entry: ['src/*.test.ts'], project: ['src/**/*.ts'] },
    // It imports the workspaces that its package.json names by path.
    bench: { entry: ['src/{main,devnet}.ts'], project: ['src/**/*.ts'], ignoreDependencies: ['@postern/.*'] },
  },
}

export default config

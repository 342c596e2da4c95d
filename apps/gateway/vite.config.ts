import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vite'
import { licencesPlugins } from '../../scripts/vite/licences-plugin.ts'

/** The browser build uses the global `fetch`; Node's brings its own client. */
const solana = fileURLToPath(new URL('index.browser.esm.js', import.meta.resolve('@solana/web3.js')))
const siwx = fileURLToPath(new URL('../../packages/siwx/src', import.meta.url))

/**
 * Builds for plain Node, with everything inside for a small npm package, except the embedded database, which finds its
 * WebAssembly beside its code, and the unused `pg-native`.
 */
export default defineConfig({
  plugins: [licencesPlugins().page],
  build: {
    ssr: true,
    target: 'node20',
    outDir: 'dist',
    emptyOutDir: true,
    minify: false,
    rollupOptions: {
      input: { main: 'src/main.ts', cli: 'src/cli.ts' },
      output: { entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js' },
    },
  },
  // The package's source, as in the root tsconfig.json: no build is needed first.
  resolve: {
    alias: [
      { find: /^@postern\/siwx\/(server|verifiers)$/, replacement: `${siwx}/$1/index.ts` },
      { find: /^@solana\/web3\.js$/, replacement: solana },
    ],
  },
  ssr: { noExternal: true, external: ['@electric-sql/pglite', 'pg-native'] },
})

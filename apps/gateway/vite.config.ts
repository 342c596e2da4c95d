import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vite'
import { licencesPlugins } from '../../scripts/vite/licences-plugin.ts'

/** Its build for browsers uses the global `fetch`; the one for Node brings a client of its own. */
const solana = fileURLToPath(new URL('index.browser.esm.js', import.meta.resolve('@solana/web3.js')))
const siwx = fileURLToPath(new URL('../../packages/siwx/src', import.meta.url))

/**
 * Builds for plain Node. Everything is in the build, so that the npm package installs fast and small, except the embedded
 * database, which finds its WebAssembly beside its own code. `pg` asks for `pg-native`, which is optional and not used.
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
  // The package's source, as in the root tsconfig.json, so no build is needed first.
  resolve: {
    alias: [
      { find: /^@postern\/siwx\/(server|verifiers)$/, replacement: `${siwx}/$1/index.ts` },
      { find: /^@solana\/web3\.js$/, replacement: solana },
    ],
  },
  ssr: { noExternal: true, external: ['@electric-sql/pglite', 'pg-native'] },
})

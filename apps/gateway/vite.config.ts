import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vite'

const siwx = fileURLToPath(new URL('../../packages/siwx/src', import.meta.url))

/** `dist/main.js` and `dist/cli.js` for plain Node. Packages stay outside; the workspaces' TypeScript comes in. */
export default defineConfig({
  build: {
    ssr: true,
    target: 'node20',
    outDir: 'dist',
    emptyOutDir: true,
    minify: false,
    rollupOptions: {
      input: { main: 'src/main.ts', cli: 'src/cli.ts' },
      // Flat: `config.ts` finds the package one folder up from wherever it runs.
      output: { entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js' },
    },
  },
  // As `paths` in the root's tsconfig.json: the package's source, so that this needs none of its builds.
  resolve: { alias: [{ find: /^@postern\/siwx\/(server|verifiers)$/, replacement: `${siwx}/$1/index.ts` }] },
  // `@postern/siwx` has another `@scure/base` than the gateway: each brings its own.
  ssr: { noExternal: [/^@postern\//, '@scure/base'] },
})

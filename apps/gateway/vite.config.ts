import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vite'

const siwx = fileURLToPath(new URL('../../packages/siwx/src', import.meta.url))

/** Builds for plain Node. npm packages stay external; the workspaces' TypeScript is bundled. */
export default defineConfig({
  build: {
    ssr: true,
    target: 'node20',
    outDir: 'dist',
    emptyOutDir: true,
    minify: false,
    rollupOptions: {
      input: { main: 'src/main.ts', cli: 'src/cli.ts' },
      // `config.ts` expects the package one folder above the running file.
      output: { entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js' },
    },
  },
  // The package's source, as in the root tsconfig.json, so no build is needed first.
  resolve: { alias: [{ find: /^@postern\/siwx\/(server|verifiers)$/, replacement: `${siwx}/$1/index.ts` }] },
  // `@postern/siwx` and the gateway need different versions of `@scure/base`.
  ssr: { noExternal: [/^@postern\//, '@scure/base'] },
})

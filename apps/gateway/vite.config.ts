import { defineConfig } from 'vite'

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
  ssr: { noExternal: [/^@postern\//] },
})

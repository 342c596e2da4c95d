import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vite'

const from = (path: string) => fileURLToPath(new URL(path, import.meta.url))

/** `dependencies` are external, except the tables of namespaces. */
export default defineConfig({
  root: from('.'),
  build: {
    target: 'es2022',
    sourcemap: true,
    minify: false,
    lib: {
      entry: {
        index: from('src/index.ts'),
        server: from('src/server/index.ts'),
        verifiers: from('src/verifiers/index.ts'),
      },
      formats: ['es'],
    },
    rolldownOptions: { external: (id) => !/^([./\0]|@postern\/(base|protocol)\/)/.test(id) },
  },
})

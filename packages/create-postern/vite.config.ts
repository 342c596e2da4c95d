import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vite'

const from = (path: string) => fileURLToPath(new URL(path, import.meta.url))

/** `scripts/templates.mjs` puts the templates beside it. */
export default defineConfig({
  root: from('.'),
  build: {
    target: 'node20',
    minify: false,
    lib: { entry: from('src/index.ts'), formats: ['es'], fileName: 'index' },
    rolldownOptions: { external: /^node:/, output: { banner: '#!/usr/bin/env node' } },
  },
})

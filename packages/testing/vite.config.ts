import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vite'

const from = (path: string) => fileURLToPath(new URL(path, import.meta.url))

/** Three ES module entries. Unpublished packages are bundled; dependencies and peers are external. */
export default defineConfig({
  root: from('.'),
  build: {
    target: 'es2022',
    sourcemap: true,
    minify: false,
    lib: {
      entry: {
        wallets: from('src/wallets/index.ts'),
        modal: from('src/modal/index.ts'),
        playwright: from('src/playwright/index.ts'),
      },
      formats: ['es'],
    },
    rolldownOptions: { external: /^(viem|zod|playwright-core|@postern\/client)($|\/)/ },
  },
})

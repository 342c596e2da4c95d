import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { compressPlugin } from '../../scripts/vite/compress-plugin.ts'
import { leanErrorsPlugin } from '../../scripts/vite/lean-errors-plugin.ts'
import { preloadPlugin } from '../../scripts/vite/preload-plugin.ts'
import { cataloguePlugin } from './scripts/catalogue-plugin.ts'
import { firstPaintPlugin } from './scripts/first-paint-plugin.ts'
import { preloadFontPlugin } from './scripts/preload-font-plugin.ts'
import { createScopedNames } from './scripts/scoped-name.ts'

/** The modal host's page; the gateway serves `dist` with each project's data in `index.html`. */
export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  base: '/',
  plugins: [
    react(),
    cataloguePlugin(),
    leanErrorsPlugin(),
    firstPaintPlugin(),
    preloadPlugin(),
    preloadFontPlugin(),
    compressPlugin(),
  ],
  resolve: {
    alias: {
      '@walletconnect/keyvaluestorage': fileURLToPath(
        new URL('src/connectors/walletconnect/no-storage.ts', import.meta.url),
      ),
    },
  },
  css: { modules: { generateScopedName: createScopedNames() } },
  build: {
    target: ['chrome111', 'firefox121', 'safari16.4'],
    // The content policy allows no `data:` fonts or styles.
    assetsInlineLimit: 0,
    sourcemap: 'hidden',
  },
})

import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { cataloguePlugin } from '../../scripts/vite/catalogue-plugin.ts'
import { compressPlugin } from '../../scripts/vite/compress-plugin.ts'
import { licencesPlugins } from '../../scripts/vite/licences-plugin.ts'

/** Its exports name the development build only. */
const reactRouter = fileURLToPath(new URL('../production/index.mjs', import.meta.resolve('react-router')))

/** The operator's console; the gateway serves `dist` on its admin port. */
export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  base: '/',
  plugins: [react(), cataloguePlugin(), licencesPlugins().page, compressPlugin()],
  resolve: { alias: { 'react-router': reactRouter } },
  build: {
    target: ['chrome111', 'firefox121', 'safari16.4'],
    // The content policy allows no `data:` fonts or styles.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    sourcemap: 'hidden',
  },
})

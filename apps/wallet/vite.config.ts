import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vite'
import { cataloguePlugin } from '../../scripts/vite/catalogue-plugin.ts'
import { compressPlugin } from '../../scripts/vite/compress-plugin.ts'
import { licencesPlugins } from '../../scripts/vite/licences-plugin.ts'
import { preloadPlugin } from '../../scripts/vite/preload-plugin.ts'

const licences = licencesPlugins()
/** Its exports name the development build only. */
const reactRouter = fileURLToPath(new URL('../production/index.mjs', import.meta.resolve('react-router')))
const page = (name: string) => fileURLToPath(new URL(name, import.meta.url))

/** Builds the wallet's frame (`sdk.html`) and window (`window.html`). Its own build, so that the wallet's origin shares no file with the modal's. */
export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  base: '/',
  plugins: [cataloguePlugin(), preloadPlugin(), licences.page, compressPlugin()],
  resolve: { alias: { 'react-router': reactRouter } },
  worker: { format: 'es', plugins: () => [licences.worker, compressPlugin()] },
  build: {
    target: ['chrome111', 'firefox121', 'safari16.4'],
    assetsInlineLimit: 0,
    sourcemap: 'hidden',
    rolldownOptions: { input: [page('sdk.html'), page('window.html')] },
  },
})

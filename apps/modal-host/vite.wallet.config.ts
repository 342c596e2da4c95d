import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vite'
import { compressPlugin } from './scripts/compress-plugin.ts'
import { leanErrorsPlugin } from './scripts/lean-errors-plugin.ts'
import { preloadPlugin } from './scripts/preload-plugin.ts'

const page = (name: string) => fileURLToPath(new URL(name, import.meta.url))

/**
 * Builds the pages of the wallet's own origin beside the modal's, in a run of its own: the two origins share no file, and nothing of the modal's interface can
 * slip into the frame that holds keys.
 */
export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  base: '/',
  plugins: [leanErrorsPlugin(), preloadPlugin(), compressPlugin()],
  worker: { format: 'es', plugins: () => [leanErrorsPlugin(), compressPlugin()] },
  build: {
    target: ['chrome111', 'firefox121', 'safari16.4'],
    assetsInlineLimit: 0,
    sourcemap: 'hidden',
    // The modal's build came first and emptied the folder.
    emptyOutDir: false,
    rolldownOptions: { input: [page('sdk.html'), page('window.html')] },
  },
})

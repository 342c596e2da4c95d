/**
 * Replaces the bundler's preload by `packages/ui/src/preload.ts`, before each `import()` of a page.
 * It gets all files of the chunk, even if there is only one.
 */
import { fileURLToPath } from 'node:url'
import type { Plugin } from 'vite'

const helper = '\0vite/preload-helper.js'
const ours = fileURLToPath(new URL('../../packages/ui/src/preload.ts', import.meta.url))

export function preloadPlugin(): Plugin {
  return {
    name: 'postern-preload',
    apply: 'build',
    enforce: 'pre',
    config: () => ({
      build: {
        modulePreload: {
          // Browsers with the CSS in use (color-mix, :has, oklch) support modulepreload.
          polyfill: false,
          resolveDependencies: (file, files, { hostType }) =>
            hostType === 'js' ? [...new Set([file, ...files])] : files,
        },
      },
    }),
    load: {
      filter: { id: /^\0vite\/preload-helper\.js$/ },
      handler: (id) => (id === helper ? `export { preload as __vitePreload } from ${JSON.stringify(ours)}` : null),
    },
  }
}

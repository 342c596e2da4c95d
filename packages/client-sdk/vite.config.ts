import { readFileSync } from 'node:fs'
import { defineConfig } from 'vite'

const { version } = JSON.parse(readFileSync(new URL('package.json', import.meta.url), 'utf8'))

/** Where the modal is served when a dapp does not say: set `POSTERN_HOST` when building for your own deployment. */
const host = process.env.POSTERN_HOST ?? 'http://modal.postern.localhost:4400'

const define = { __POSTERN_VERSION__: JSON.stringify(version), __POSTERN_HOST__: JSON.stringify(host) }
const from = (path: string) => new URL(path, import.meta.url).pathname

/** `--mode script` builds the one file for a script tag, every other mode the modules for npm. */
export default defineConfig(({ mode }) => ({
  root: from('.'),
  define,
  build: {
    target: 'es2022',
    emptyOutDir: mode !== 'script',
    sourcemap: true,
    minify: 'oxc',
    ...(mode === 'script'
      ? {
          lib: { entry: from('src/script.ts'), formats: ['iife'], name: 'PosternScript', fileName: () => 'postern.js' },
        }
      : {
          lib: {
            entry: {
              index: from('src/index.ts'),
              react: from('src/react.tsx'),
              elements: from('src/elements/index.ts'),
            },
            formats: ['es'],
          },
          rolldownOptions: { external: ['react', 'react/jsx-runtime'] },
        }),
  },
}))

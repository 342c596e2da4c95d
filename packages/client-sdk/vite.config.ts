import { readFileSync } from 'node:fs'
import { defineConfig } from 'vite'
import { integrityOf, parts } from './scripts/integrity.mjs'

const { version } = JSON.parse(readFileSync(new URL('package.json', import.meta.url), 'utf8'))

/** Set `POSTERN_HOST` for your own deployment. */
const host = process.env.POSTERN_HOST ?? 'http://modal.postern.localhost:4400'

const define = {
  __POSTERN_VERSION__: JSON.stringify(version),
  __POSTERN_HOST__: JSON.stringify(host),
  'typeof __POSTERN_INTEGRITY__': '"undefined"',
}
const from = (path: string) => new URL(path, import.meta.url).pathname

const npm = {
  lib: {
    entry: {
      index: from('src/index.ts'),
      react: from('src/react.tsx'),
      vue: from('src/vue.ts'),
      svelte: from('src/svelte.ts'),
      server: from('src/server/index.ts'),
      connectors: from('src/connectors/index.ts'),
      elements: from('src/elements/index.ts'),
    },
    formats: ['es' as const],
  },
  rolldownOptions: {
    external: ['react', 'react/jsx-runtime', 'vue', 'svelte', 'svelte/store'],
    output: {
      minify: true,
      // For server components: the bundler drops the source's directive.
      banner: ({ name }: { name: string }) => (name === 'react' ? "'use client';" : ''),
    },
  },
}
/**
 * V8 compiles all functions of such a file while it loads, beside the page's thread; otherwise each on its first call,
 * which takes the page 2 ms.
 * The source's comments would not stay in the first line.
 */
const compileAhead = { postBanner: '//# allFunctionsCalledOnLoad' }
const script = {
  lib: {
    entry: from('src/script/index.ts'),
    formats: ['iife' as const],
    name: 'PosternScript',
    fileName: () => 'postern.js',
  },
  rolldownOptions: { output: compileAhead },
}
/** Next to `postern.js`. */
const scriptPart = (part: string) => ({
  lib: {
    entry: from(`src/script/${part}.ts`),
    formats: ['es' as const],
    fileName: () => `postern-${part}.js`,
  },
  rolldownOptions: { output: { ...compileAhead, minify: true } },
})

/** A hash does not compress, so the shorter one is used. */
const integrityOfParts = () =>
  JSON.stringify(Object.fromEntries(parts.map((part) => [part, integrityOf(`postern-${part}.js`, 'sha256')])))

/** Drops the server code. */
const scriptDefine = () => ({
  ...define,
  __POSTERN_INTEGRITY__: integrityOfParts(),
  'typeof __POSTERN_INTEGRITY__': '"object"',
  'typeof window': '"object"',
})

/** `--mode script` and `--mode script-<part>` build the script tag, any other the npm modules. */
export default defineConfig(({ mode }) => ({
  root: from('.'),
  define: mode === 'script' ? scriptDefine() : define,
  build: {
    target: 'es2022',
    emptyOutDir: !mode.startsWith('script'),
    sourcemap: true,
    ...(mode === 'script' ? script : mode.startsWith('script-') ? scriptPart(mode.slice(7)) : npm),
  },
}))

import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vite'

const from = (path: string) => fileURLToPath(new URL(path, import.meta.url))

export default defineConfig({
  root: from('.'),
  build: {
    target: 'es2022',
    sourcemap: true,
    lib: { entry: { index: from('src/index.ts') }, formats: ['es'] },
    rolldownOptions: { external: [/^@postern\//, /^@wagmi\//], output: { minify: true } },
  },
})

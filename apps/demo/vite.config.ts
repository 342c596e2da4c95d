import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

const file = (name: string) => fileURLToPath(new URL(name, import.meta.url))

/**
 * `index.html` is the shop. In `lab/`, `index.html` uses npm and React, `script.html` the script tag; `safe.html`
 * frames it as Safe would.
 */
export default defineConfig({
  root: file('.'),
  plugins: [react()],
  build: {
    target: 'es2022',
    // The pages' content policy allows `data:` only for images.
    assetsInlineLimit: 0,
    sourcemap: true,
    rolldownOptions: { input: ['index.html', 'lab/index.html', 'lab/script.html', 'safe.html'].map(file) },
  },
})

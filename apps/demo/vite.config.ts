import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

const file = (name: string) => fileURLToPath(new URL(name, import.meta.url))

/** Three pages: `index.html` by npm and React, `script.html` by script tag, `safe.html` around the first as a Safe would be. */
export default defineConfig({
  root: file('.'),
  plugins: [react()],
  build: {
    target: 'es2022',
    // The pages' content policy allows no `data:` assets but pictures.
    assetsInlineLimit: 0,
    sourcemap: true,
    rolldownOptions: { input: [file('index.html'), file('script.html'), file('safe.html')] },
  },
})

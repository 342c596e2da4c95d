import { defineConfig } from 'vite'

export default defineConfig({
  root: 'src/mobile-wallet/page',
  base: '/',
  build: {
    outDir: '../../../dist/mobile-wallet',
    emptyOutDir: true,
    target: 'es2022',
    // Served from the same machine.
    chunkSizeWarningLimit: 2_000,
    sourcemap: true,
  },
  define: { global: 'globalThis' },
})

import { defineConfig } from 'vite'

/** The mobile wallet's page. */
export default defineConfig({
  root: 'src/mobile-wallet/page',
  base: '/',
  build: {
    outDir: '../../../dist/mobile-wallet',
    emptyOutDir: true,
    target: 'es2022',
    // A development wallet is read from the same machine.
    chunkSizeWarningLimit: 2_000,
    sourcemap: true,
  },
  define: { global: 'globalThis' },
})

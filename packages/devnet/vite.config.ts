import { defineConfig } from 'vite'

/** The wallet for the page as one classic script. */
export default defineConfig({
  build: {
    lib: {
      entry: 'src/page-wallet/script.ts',
      formats: ['iife'],
      name: 'devnetPageWallet',
      fileName: () => 'page-wallet.js',
    },
    // The mobile wallet's page lies beside it.
    emptyOutDir: false,
    sourcemap: true,
    target: 'es2022',
  },
})

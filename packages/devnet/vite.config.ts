import { defineConfig } from 'vite'

/** One classic script. */
export default defineConfig({
  build: {
    lib: {
      entry: 'src/extension-wallets/script.ts',
      formats: ['iife'],
      name: 'devnetExtensionWallets',
      fileName: () => 'page-wallet.js',
    },
    // Does not delete the mobile wallet's page in the same folder.
    emptyOutDir: false,
    sourcemap: true,
    target: 'es2022',
  },
})

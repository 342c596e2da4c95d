import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { bootTextPlugin, cataloguePlugin } from '../../scripts/vite/catalogue-plugin.ts'
import { compressPlugin } from '../../scripts/vite/compress-plugin.ts'
import { licencesPlugins } from '../../scripts/vite/licences-plugin.ts'
import { preloadPlugin } from '../../scripts/vite/preload-plugin.ts'
import { preloadFontPlugin } from './scripts/preload-font-plugin.ts'

/** `POSTERN_WALLETCONNECT=2.25` selects the newer library; see docs/guides/walletconnect.md. */
const walletConnect = process.env.POSTERN_WALLETCONNECT ?? '2.21'
if (!['2.21', '2.25'].includes(walletConnect)) {
  throw new Error(`POSTERN_WALLETCONNECT is "${walletConnect}". Set 2.21 or 2.25.`)
}

/**
 * The chunks, by folder; an earlier row takes what several need. `boot` is what the entry imports statically: one
 * request.
 */
const chunks = [
  { name: 'boot', tags: ['$initial' as const] },
  { name: 'session', test: /\/modal-host\/src\/(host|connections|requests|services|snapshot)\// },
  { name: 'page-wallets', test: /\/modal-host\/src\/connectors\/page\// },
  {
    name: 'views',
    test: /\/modal-host\/src\/(views\/(?!embedded\/)|view-kit\/|features\/account\/)|\/packages\/ui\/src\/(?!locales\/(?!en\.))/,
  },
  { name: 'embedded-views', test: /\/modal-host\/src\/views\/embedded\// },
]

/** The gateway serves `dist` with each project's data in `index.html`. */
export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  base: '/',
  plugins: [
    react(),
    cataloguePlugin(),
    bootTextPlugin(),
    preloadPlugin(),
    preloadFontPlugin(),
    licencesPlugins().page,
    compressPlugin(),
  ],
  resolve: {
    alias: {
      '@walletconnect/keyvaluestorage': fileURLToPath(
        new URL('src/connectors/walletconnect/client/no-storage.ts', import.meta.url),
      ),
      ...(walletConnect === '2.25' && {
        '@walletconnect/universal-provider': '@walletconnect/universal-provider-2.25',
      }),
    },
  },
  build: {
    target: ['chrome111', 'firefox121', 'safari16.4'],
    // The content policy allows no `data:` fonts or styles.
    assetsInlineLimit: 0,
    sourcemap: 'hidden',
    rolldownOptions: {
      // WalletConnect 2.21 uses Node's global `Buffer`; in a browser it is the `buffer` package.
      transform: { inject: { Buffer: ['buffer', 'Buffer'] } },
      // The first script names every file, and a hash does not compress.
      output: {
        codeSplitting: { groups: chunks },
        chunkFileNames: 'assets/[name]-[hash:7].js',
        assetFileNames: 'assets/[name]-[hash:7][extname]',
      },
    },
  },
})

/**
 * `postern.js`, the script tag: creates the instance, defines the elements, sets `window.Postern` and dispatches
 * `postern:ready` with the instance as `detail`.
 */

import { defineElementsWith } from '../elements/define'
import { createPosternWith, type Loaders } from '../instance/create-postern'
import { version } from '../instance/version'
import { showAlert } from '../modal/alert/alert'
import type { PosternGlobal, PosternOptions } from '../types/index'
import { createChunkLoader, partUrl, preloadModule } from './chunk-loader'
import { readScriptOptions } from './options'

declare const __POSTERN_INTEGRITY__: Readonly<Record<string, string>>

const script = document.currentScript
const { console: page } = window
if (script instanceof HTMLScriptElement) {
  const { dataset, nonce, src } = script
  const beside = createChunkLoader(
    { src, version, integrity: __POSTERN_INTEGRITY__ },
    {
      preload: (url, integrity) => preloadModule(document, nonce, url, integrity),
      load: (url) => import(/* @vite-ignore */ url),
    },
  )
  const loadModal = (): Promise<typeof import('./modal')> => beside('modal')
  const loaders: Loaders = {
    loadModal,
    loadAlert: async () => ({ showAlert }),
    async loadNamespaces() {
      const { createNamespacesWith }: typeof import('./namespaces') = await beside('namespaces')
      return { createNamespaces: (options) => createNamespacesWith(() => beside('adapters'), options) }
    },
    hostFiles: Object.entries(__POSTERN_INTEGRITY__).map(([part, integrity]) => ({
      url: partUrl(part, src, version),
      integrity,
    })),
  }
  const createPostern = (options: PosternOptions) => createPosternWith(loaders, options)
  const options = readScriptOptions(dataset, src, (text) => page.error(`Postern: ${text}.`))
  const postern: PosternGlobal = { ...createPostern(options), createPostern, version }
  window.Postern = postern
  defineElementsWith(window, () => beside('elements'))
  window.dispatchEvent(new CustomEvent('postern:ready', { detail: postern }))
} else page.error('Postern: postern.js must be a classic script of an HTML page.')

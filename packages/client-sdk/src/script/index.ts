/**
 * `postern.js`, for a script tag: creates the instance, defines the elements, sets `window.Postern`, and dispatches
 * `postern:ready` on the window with the instance as `detail`.
 *
 * Lazy code is next to this file: `postern-modal.js` loads on intent, `postern-namespaces.js` and `postern-adapters.js`
 * for Solana and Bitcoin.
 */
import { createPosternWith, type Loaders } from '../create-postern'
import { defineElements } from '../elements/define'
import * as alert from '../modal/alert'
import type { Postern, PosternOptions } from '../types'
import { version } from '../version'
import { createChunkLoader } from './chunk-loader'
import { readScriptOptions } from './options'

export type PosternGlobal = Postern & {
  readonly createPostern: (options: PosternOptions) => Postern
  readonly version: string
}

declare global {
  interface Window {
    Postern?: PosternGlobal
  }
}

const script = document.currentScript
const { console: page } = window
if (script instanceof HTMLScriptElement) {
  const { dataset, src } = script
  const beside = createChunkLoader(src, version, (url) => import(/* @vite-ignore */ url))
  const loadRest = (): Promise<typeof import('./modal')> => beside('modal')
  const loaders: Loaders = {
    loadModal: loadRest,
    loadAlert: async () => alert,
    loadDiagnose: loadRest,
    loadNamespaces: () => beside('namespaces'),
    loadAdapters: () => beside('adapters'),
  }
  const createPostern = (options: PosternOptions) => createPosternWith(loaders, options)
  const options = readScriptOptions(dataset, src, (text) => page.error(`Postern: ${text}.`))
  const postern: PosternGlobal = { ...createPostern(options), createPostern, version }
  window.Postern = postern
  defineElements(window)
  window.dispatchEvent(new CustomEvent('postern:ready', { detail: postern }))
}

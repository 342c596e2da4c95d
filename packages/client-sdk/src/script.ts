/**
 * `postern.js`, for a script tag: makes the instance that its attributes describe, defines the elements, puts the instance at
 * `window.Postern` and says so with a `postern:ready` event on the window, whose `detail` is the instance.
 */
import { createPostern, version } from './create-postern'
import { defineElements } from './elements/define'
import { readScriptOptions } from './script-options'
import type { Postern } from './types'

export type PosternGlobal = Postern & { readonly createPostern: typeof createPostern; readonly version: string }

declare global {
  interface Window {
    Postern?: PosternGlobal
  }
}

const script = document.currentScript
const { console: page } = window
if (script instanceof HTMLScriptElement) {
  const options = readScriptOptions(script.dataset, script.src, (text) => page.error(`Postern: ${text}.`))
  const postern = createPostern(options)
  window.Postern = { ...postern, createPostern, version }
  defineElements(window)
  window.dispatchEvent(new CustomEvent('postern:ready', { detail: window.Postern }))
}

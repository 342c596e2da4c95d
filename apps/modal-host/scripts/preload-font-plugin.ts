/** Preloads the first paint's font before the style sheet is parsed. */
import type { Plugin } from 'vite'

const firstFont = /inter-latin-wght-normal.*\.woff2$/

export function preloadFontPlugin(): Plugin {
  return {
    name: 'postern-preload-font',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler(_html, { bundle }) {
        const font = Object.keys(bundle ?? {}).find((name) => firstFont.test(name))
        if (font === undefined) return []
        const attrs = { rel: 'preload', href: `/${font}`, as: 'font', type: 'font/woff2', crossorigin: true }
        return [{ tag: 'link', attrs, injectTo: 'head' }]
      },
    },
  }
}

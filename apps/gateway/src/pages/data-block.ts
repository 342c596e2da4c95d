/** Built pages with what they need to know written into them, so that they need no round trip for it. */
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { type StoredFile, tagOf } from './files'
import type { HeaderTable } from './headers'

export type Renderer = {
  /**
   * @param name of the page and whom it is for; the last rendering under it is kept.
   * @param elementId of the block that holds `data` as JSON.
   */
  render(name: string, page: StoredFile, elementId: string, data: object, headers: HeaderTable): StoredFile
}

/** @param mostKept renderings; more than that are forgotten all at once. */
export function createRenderer(mostKept = 512): Renderer {
  const rendered = new Map<string, StoredFile>()
  return {
    render(name, page, elementId, data, headers) {
      const html = injectData(page.body.toString('utf8'), elementId, data)
      // The headers are part of what a 304 confirms.
      const tag = tagOf(`${html}\0${JSON.stringify(headers)}`)
      const kept = rendered.get(name)
      if (kept?.tag === tag) return kept
      const body = Buffer.from(html)
      const br = brotliCompressSync(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 6 } })
      const file: StoredFile = { body, tag, type: page.type, encoded: { br, gzip: gzipSync(body) } }
      if (rendered.size >= mostKept) rendered.clear()
      rendered.set(name, file)
      return file
    },
  }
}

/** Puts the data into the page as a data block: no browser runs it, so no policy has to allow it. */
export function injectData(html: string, elementId: string, data: object): string {
  // `<` is all that could end the block or open a comment in it; JSON writes it as well as an escape.
  const json = JSON.stringify(data).replaceAll('<', '\\u003c')
  const block = `<script type="application/json" id="${elementId}">${json}</script>\n  </head>`
  const parts = html.split('</head>')
  if (parts.length !== 2) throw new Error('A built page must have exactly one </head>')
  return parts.join(block)
}

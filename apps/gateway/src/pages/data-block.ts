/** Built pages with what they need to know written into them, so that they need no round trip for it. */
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { type StoredFile, tagOf } from './files'
import type { HeaderTable } from './headers'

export type Renderer = {
  /**
   * @param name of the page and whom it is for; the last rendering under it is kept.
   * @param project what `contents` is made of: while page and project are the very same objects, it is not asked for again.
   * @param elementId of the block that holds the data as JSON.
   */
  render(name: string, page: StoredFile, project: object, elementId: string, contents: () => Contents): Rendering
}

export type Contents = { readonly data: object; readonly headers: HeaderTable }

export type Rendering = { readonly file: StoredFile; readonly headers: HeaderTable }

/** Renderings; more than that are forgotten all at once. */
const mostKept = 512

export function createRenderer(): Renderer {
  const rendered = new Map<string, Rendering & { readonly page: StoredFile; readonly project: object }>()
  return {
    render(name, page, project, elementId, contents) {
      const kept = rendered.get(name)
      if (kept?.page === page && kept.project === project) return kept
      const { data, headers } = contents()
      const html = injectData(page.body.toString('utf8'), elementId, data)
      // The headers are part of what a 304 confirms.
      const tag = tagOf(`${html}\0${JSON.stringify(headers)}`)
      const file = kept?.file.tag === tag ? kept.file : store(html, tag, page.type)
      const rendering = { file, headers, page, project }
      if (rendered.size >= mostKept) rendered.clear()
      rendered.set(name, rendering)
      return rendering
    },
  }
}

function store(html: string, tag: string, type: string): StoredFile {
  const body = Buffer.from(html)
  const br = brotliCompressSync(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 6 } })
  return { body, tag, type, encoded: { br, gzip: gzipSync(body) } }
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

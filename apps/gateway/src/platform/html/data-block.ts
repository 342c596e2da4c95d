import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { type StoredFile, tagOf } from './files'
import type { HeaderTable } from './headers'

export type Renderer = {
  /**
   * @param name page and recipient: the cache key. @param project with `page`, decides whether `contents` is called.
   */
  render(name: string, page: StoredFile, project: object, elementId: string, contents: () => Contents): Rendering
}

export type Contents = { readonly data: object; readonly headers: HeaderTable }

export type Rendering = { readonly file: StoredFile; readonly headers: HeaderTable }

const maxCached = 512

export function createRenderer(): Renderer {
  const rendered = new Map<string, Rendering & { readonly page: StoredFile; readonly project: object }>()
  return {
    render(name, page, project, elementId, contents) {
      const cached = rendered.get(name)
      if (cached?.page === page && cached.project === project) return cached
      const { data, headers } = contents()
      const html = injectData(page.body.toString('utf8'), elementId, data)
      // A 304 confirms the headers too.
      const tag = tagOf(`${html}\0${JSON.stringify(headers)}`)
      const file = cached?.file.tag === tag ? cached.file : store(html, tag, page.type)
      const rendering = { file, headers, page, project }
      if (rendered.size >= maxCached) rendered.clear()
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

/** Browsers do not run a data block: no policy must allow it. */
export function injectData(html: string, elementId: string, data: object): string {
  // `<` could end the block or start a comment.
  const json = JSON.stringify(data).replaceAll('<', '\\u003c')
  const block = `<script type="application/json" id="${elementId}">${json}</script>\n  </head>`
  const parts = html.split('</head>')
  if (parts.length !== 2) throw new Error('A built page must have exactly one </head>')
  return parts.join(block)
}

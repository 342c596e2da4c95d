/** Files of a built folder, read on first use and again when they change on disk. */
import { createHash } from 'node:crypto'
import { readFile, stat } from 'node:fs/promises'
import path from 'node:path'
import { isCode } from '../db/lock'

export type Encoding = 'br' | 'gzip'

export type StoredFile = {
  readonly body: Buffer
  /** Strong entity tag without quotes, of the plain bytes. */
  readonly tag: string
  readonly type: string
  /** Precompressed `.br` and `.gz` siblings, where the build wrote them. */
  readonly encoded: { readonly [E in Encoding]?: Buffer }
}

export type Files = { read(name: string): Promise<StoredFile | null> }

const types: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.ico': 'image/x-icon',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json',
  '.map': 'application/json',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.wasm': 'application/wasm',
  '.webp': 'image/webp',
  '.woff2': 'font/woff2',
}

/** Segments of plain names only: no `..`, no hidden file, no separator of another system, nothing percent-encoded. */
const safeName = /^(?:[A-Za-z0-9_-][A-Za-z0-9._-]*\/)*[A-Za-z0-9_-][A-Za-z0-9._-]*$/

/** A name that is not safe, not of a known type or not there reads as null. */
export function createFiles(dir: string): Files {
  const cache = new Map<string, { readonly stamp: string; readonly file: StoredFile }>()
  return {
    async read(name) {
      const type = types[path.extname(name)]
      if (type === undefined || !safeName.test(name)) return null
      const file = path.join(dir, name)
      const stamp = await stampOf(file)
      if (stamp === null) {
        cache.delete(name)
        return null
      }
      const cached = cache.get(name)
      if (cached?.stamp === stamp) return cached.file
      const [body, br, gzip] = await Promise.all([readFile(file), readIfThere(`${file}.br`), readIfThere(`${file}.gz`)])
      const stored = { body, tag: tagOf(body), type, encoded: { ...(br && { br }), ...(gzip && { gzip }) } }
      cache.set(name, { stamp, file: stored })
      return stored
    },
  }
}

export function tagOf(body: Buffer | string): string {
  return createHash('sha256').update(body).digest('base64url').slice(0, 22)
}

async function stampOf(file: string): Promise<string | null> {
  try {
    const found = await stat(file, { bigint: true })
    return found.isFile() ? `${found.mtimeNs}:${found.size}` : null
  } catch (error) {
    if (isCode(error, 'ENOENT') || isCode(error, 'ENOTDIR') || isCode(error, 'ENAMETOOLONG')) return null
    throw error
  }
}

async function readIfThere(file: string): Promise<Buffer | undefined> {
  return (await stampOf(file)) === null ? undefined : readFile(file)
}

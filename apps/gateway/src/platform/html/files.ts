import { createHash } from 'node:crypto'
import { readFile, stat } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, gzip as gzipCompress } from 'node:zlib'
import { isCode } from '../error-code'

export type Encoding = 'br' | 'gzip'

export type StoredFile = {
  readonly body: Buffer<ArrayBuffer>
  /** Hash of the uncompressed bytes. */
  readonly tag: string
  readonly type: string
  /** The build's `.br` and `.gz`; other text is compressed here. */
  readonly encoded: { readonly [E in Encoding]?: Buffer<ArrayBuffer> }
}

export type Files = { read(name: string): Promise<StoredFile | null> }

/** Files with other endings are not served. */
export const contentTypes: Readonly<Record<string, string>> = {
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

/** No `..`, hidden files, other separators or percent-encoding. */
const safeName = /^(?:[A-Za-z0-9_-][A-Za-z0-9._-]*\/)*[A-Za-z0-9_-][A-Za-z0-9._-]*$/

const compressBrotli = promisify<Buffer, Buffer<ArrayBuffer>>(brotliCompress)
const compressGzip = promisify<Buffer, Buffer<ArrayBuffer>>(gzipCompress)

/** No new check for this long, in ms. */
const trusted = 250

/** Null for an unsafe name, an unknown type or a missing file. @param clock monotonic, in ms. */
export function createFiles(dir: string, clock: () => number = () => performance.now()): Files {
  const cache = new Map<string, { readonly stamp: string; readonly file: Promise<StoredFile>; checkedAt: number }>()
  return {
    async read(name) {
      const type = contentTypes[path.extname(name)]
      if (type === undefined || !safeName.test(name)) return null
      const cached = cache.get(name)
      const at = clock()
      if (cached !== undefined && at - cached.checkedAt < trusted) return cached.file
      const file = path.join(dir, name)
      const stamp = await stampOf(file)
      if (stamp === null) {
        cache.delete(name)
        return null
      }
      const known = cache.get(name)
      if (known?.stamp === stamp) {
        known.checkedAt = at
        return known.file
      }
      // Shared by concurrent requests: compression takes a CPU core.
      const stored = readStored(file, type)
      const entry = { stamp, file: stored, checkedAt: at }
      cache.set(name, entry)
      stored.catch(() => {
        if (cache.get(name) === entry) cache.delete(name)
      })
      return stored
    },
  }
}

async function readStored(file: string, type: string): Promise<StoredFile> {
  const body = await readFile(file)
  const siblings = { br: await readIfThere(`${file}.br`), gzip: await readIfThere(`${file}.gz`) }
  return { body, tag: tagOf(body), type, encoded: isText(type) ? await encode(body, siblings) : {} }
}

export function tagOf(body: Buffer | string): string {
  return createHash('sha256').update(body).digest('base64url').slice(0, 22)
}

function isText(type: string): boolean {
  return /^text\/|json|javascript|svg|wasm/.test(type)
}

type Siblings = { readonly [E in Encoding]: Buffer<ArrayBuffer> | undefined }

async function encode(body: Buffer, { br, gzip }: Siblings): Promise<StoredFile['encoded']> {
  return { br: br ?? (await compressBrotli(body)), gzip: gzip ?? (await compressGzip(body)) }
}

async function stampOf(file: string): Promise<string | null> {
  try {
    const stats = await stat(file, { bigint: true })
    return stats.isFile() ? `${stats.mtimeNs}:${stats.size}` : null
  } catch (error) {
    if (isCode(error, 'ENOENT') || isCode(error, 'ENOTDIR') || isCode(error, 'ENAMETOOLONG')) return null
    throw error
  }
}

async function readIfThere(file: string): Promise<Buffer<ArrayBuffer> | undefined> {
  return (await stampOf(file)) === null ? undefined : readFile(file)
}

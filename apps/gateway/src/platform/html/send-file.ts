import type { Context } from 'hono'
import type { Encoding, StoredFile } from './files'

/** For files with a content hash in their name; others are revalidated. */
export const immutable = 'public, max-age=31536000, immutable'
export const revalidate = 'no-cache'

/** A 304, or the smallest encoding that the client accepts. */
export function sendFile(context: Context, file: StoredFile, headers: Readonly<Record<string, string>>): Response {
  const encoding = chooseEncoding(context.req.header('Accept-Encoding'), file.encoded)
  // Each encoding has its own strong tag (RFC 9110 §8.8.3).
  const etag = `"${file.tag}${encoding === undefined ? '' : `-${encoding}`}"`
  const common = { ...headers, ETag: etag, Vary: vary(headers) }
  if (matchesTag(context.req.header('If-None-Match'), etag)) return context.body(null, 304, common)
  const body = (encoding === undefined ? undefined : file.encoded[encoding]) ?? file.body
  return context.body(body, 200, {
    ...common,
    'Content-Type': file.type,
    'Content-Length': String(body.byteLength),
    ...(encoding === undefined ? {} : { 'Content-Encoding': encoding }),
  })
}

function vary(headers: Readonly<Record<string, string>>): string {
  return headers.Vary === undefined ? 'Accept-Encoding' : `${headers.Vary}, Accept-Encoding`
}

/** Brotli before gzip; `q=0` excludes an encoding (RFC 9110 §12.5.3). */
export function chooseEncoding(accept: string | undefined, available: StoredFile['encoded']): Encoding | undefined {
  if (accept === undefined) return undefined
  const accepted = new Map<string, boolean>()
  for (const part of accept.split(',')) {
    const [name = '', ...parameters] = part.trim().toLowerCase().split(';')
    accepted.set(name.trim(), !parameters.some((parameter) => /^\s*q=0(\.0{0,3})?\s*$/.test(parameter)))
  }
  const takes = (encoding: Encoding) =>
    available[encoding] !== undefined && (accepted.get(encoding) ?? accepted.get('*') ?? false)
  if (takes('br')) return 'br'
  return takes('gzip') ? 'gzip' : undefined
}

function matchesTag(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false
  return header.split(',').some((tag) => tag.trim() === '*' || tag.trim().replace(/^W\//, '') === etag)
}

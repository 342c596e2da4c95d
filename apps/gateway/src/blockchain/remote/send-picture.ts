import type { Context } from 'hono'

/** A picture that somebody else made, as an answer. */
export function sendPicture(
  context: Context,
  { type, bytes }: { readonly type: string; readonly bytes: Uint8Array<ArrayBuffer> },
): Response {
  return context.body(bytes, 200, {
    'Content-Type': type,
    // Opened by itself it is a document of this origin: it may neither run nor load anything.
    'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
    'X-Content-Type-Options': 'nosniff',
    'Cache-Control': 'private, max-age=300',
  })
}

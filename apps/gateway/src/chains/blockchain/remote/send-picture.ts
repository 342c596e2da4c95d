import type { Context } from 'hono'

export function sendPicture(
  context: Context,
  { type, bytes }: { readonly type: string; readonly bytes: Uint8Array<ArrayBuffer> },
): Response {
  return context.body(bytes, 200, {
    'Content-Type': type,
    // If opened directly, it must not run scripts or load anything.
    'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
    'X-Content-Type-Options': 'nosniff',
    'Cache-Control': 'private, max-age=300',
  })
}

import type { IncomingMessage, ServerResponse } from 'node:http'
import { siwx } from './siwx'

type Next = (error?: unknown) => void

/** `app.use('/siwx', siwxForExpress)`, before any body parser. */
export async function siwxForExpress(req: IncomingMessage & { originalUrl: string }, res: ServerResponse, next: Next) {
  try {
    const answer = await siwx(toRequest(req))
    if (answer === undefined) return next()
    res.statusCode = answer.status
    res.setHeaders(answer.headers).end(await answer.text())
  } catch (error) {
    next(error)
  }
}

/** Throws for TRACE, which `Request` does not allow. */
function toRequest(req: IncomingMessage & { originalUrl: string }): Request {
  const headers = new Headers()
  for (const [name, value] of Object.entries(req.headers)) headers.set(name, String(value))
  const chunks = req[Symbol.asyncIterator]()
  const body = new ReadableStream<Uint8Array>({
    pull: async (stream) => {
      const { done, value } = await chunks.next()
      done ? stream.close() : stream.enqueue(value)
    },
  })
  const init = { method: req.method ?? 'GET', headers, ...(req.method === 'POST' && { body, duplex: 'half' }) }
  return new Request(new URL(req.originalUrl, 'https://example.com'), init)
}

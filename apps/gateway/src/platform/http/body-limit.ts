import type { MiddlewareHandler } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { problem } from './problem'

/** Refuses a longer body with 413, unread. */
export function limitBody(maxBytes: number): MiddlewareHandler {
  return bodyLimit({
    maxSize: maxBytes,
    onError: () => {
      throw problem(413, 'body', `The body is over ${maxBytes} bytes`)
    },
  })
}

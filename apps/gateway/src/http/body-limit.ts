import type { MiddlewareHandler } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { problem } from './problem'

/** Refuses a longer body with 413, and reads no more of it. @param most bytes */
export function limitBody(most: number): MiddlewareHandler {
  return bodyLimit({
    maxSize: most,
    onError: () => {
      throw problem(413, 'body', `The body is over ${most} bytes`)
    },
  })
}

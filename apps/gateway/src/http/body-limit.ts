import type { MiddlewareHandler } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { problem } from './problem'

/**
 * Responds with 413 without reading the rest.
 * @param most in bytes
 */
export function limitBody(most: number): MiddlewareHandler {
  return bodyLimit({
    maxSize: most,
    onError: () => {
      throw problem(413, 'body', `The body is over ${most} bytes`)
    },
  })
}

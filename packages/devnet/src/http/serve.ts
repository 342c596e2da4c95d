import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import type * as z from 'zod'
import { close, endWith, listen } from './listen'

export type HttpCall = {
  readonly method: string
  /** Has the requested host, so that a service can refer to itself like its caller. */
  readonly url: URL
  readonly headers: IncomingHttpHeaders
  /** Empty for a GET. */
  readonly body: string
  /** Aborts when the caller disconnects. */
  readonly gone: AbortSignal
}

export type Answer = {
  /** Default: 200. */
  readonly status?: number
  readonly headers?: Readonly<Record<string, string | readonly string[]>>
  readonly body?: string
  /** The connection breaks after the body; the headers announce a longer one. */
  readonly isCut?: true
}

export type RunningServer = {
  readonly port: number
  /** Waits until the port is free. Idempotent. */
  stop(): Promise<void>
}

const defaultMaxBody = 1_048_576

/** An error that is sent as a plain-text response. */
export class Refusal extends Error {
  override readonly name = 'Refusal'
  readonly status: number
  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

export const json = (value: unknown, status = 200): Answer => ({
  status,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(value),
})

export const redirect = (location: string, headers: Answer['headers'] = {}): Answer => ({
  status: 303,
  headers: { ...headers, location },
})

/** Parses a JSON body. @throws {Refusal} 400 for any other shape */
export function parseJson<T>(schema: z.ZodType<T>, body: string): T {
  try {
    return schema.parse(JSON.parse(body))
  } catch {
    throw new Refusal(400, 'The body is not valid.')
  }
}

const isLocal = (host: string) => /^([a-z0-9-]+\.)*localhost$|^127\.0\.0\.1$/.test(host)

/**
 * Admits only programs and pages of this machine. Checking the host prevents DNS rebinding.
 * `Origin: null`, of a sandboxed or local page, could be any page.
 */
function mayAsk({ host, origin }: IncomingHttpHeaders): boolean {
  try {
    const named = isLocal(new URL(`http://${host ?? ''}`).hostname)
    return named && (origin === undefined || isLocal(new URL(origin).hostname))
  } catch {
    return false
  }
}

/**
 * Starts a server.
 *
 * 1. It listens on loopback only. It serves only requests to a loopback host, from a loopback page or from a program.
 * 2. A {@link Refusal} becomes a plain-text response with its status, any other error a 500 without details, and a body
 *    over the limit a 413.
 * 3. Pages on loopback may read responses (CORS), without credentials.
 * 4. Rejects if the port is taken or `signal` aborts. A later abort stops it.
 */
export async function serve({
  port,
  answer,
  maxBody = defaultMaxBody,
  signal,
}: {
  /** 0 takes a free port. */
  readonly port: number
  readonly answer: (call: HttpCall) => Answer | Promise<Answer>
  /** In characters. */
  readonly maxBody?: number
  readonly signal?: AbortSignal | undefined
}): Promise<RunningServer> {
  signal?.throwIfAborted()
  const server = createServer((request, response) => {
    void respond(request, response).catch(() => response.destroy())
  })
  async function respond(request: IncomingMessage, response: ServerResponse) {
    const { status = 200, headers = {}, body = '', isCut = false } = await answered(request, response)
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value)
    if (!response.hasHeader('cache-control')) response.setHeader('cache-control', 'no-store')
    response.setHeader('x-content-type-options', 'nosniff')
    if (!isCut) response.writeHead(status).end(body)
    else if (body === '') response.destroy()
    else response.writeHead(status, { 'content-length': body.length + 1 }).write(body, () => response.destroy())
  }
  async function answered(request: IncomingMessage, response: ServerResponse): Promise<Answer> {
    try {
      const { method = 'GET', headers } = request
      if (!mayAsk(headers)) throw new Refusal(403, 'Only loopback may send requests.')
      if (headers.origin !== undefined) {
        response.setHeader('access-control-allow-origin', headers.origin)
        response.setHeader('vary', 'origin')
      }
      if (method === 'OPTIONS')
        return {
          status: 204,
          headers: { 'access-control-allow-methods': 'GET, POST, DELETE', 'access-control-allow-headers': '*' },
        }
      const url = urlOf(request)
      const gone = new AbortController()
      response.once('close', () => gone.abort())
      const body = method === 'GET' || method === 'HEAD' ? '' : await read(request, maxBody)
      return await answer({ method, url, headers, body, gone: gone.signal })
    } catch (cause) {
      const [status, text] = cause instanceof Refusal ? [cause.status, cause.message] : [500, 'Something went wrong.']
      return { status, headers: { 'content-type': 'text/plain; charset=utf-8' }, body: text }
    }
  }

  const listening = await listen(server, port)
  return { port: listening, stop: await endWith(signal, () => close(server)) }
}

/** The request target need not be a path (`//`). */
function urlOf({ url = '/', headers }: IncomingMessage): URL {
  try {
    return new URL(`http://${headers.host}${url.startsWith('/') ? '' : '/'}${url}`)
  } catch {
    throw new Refusal(400, 'The request target is not a URL.')
  }
}

async function read(request: IncomingMessage, maxBody: number): Promise<string> {
  let body = ''
  for await (const chunk of request.setEncoding('utf8')) {
    body += chunk
    if (body.length > maxBody) throw new Refusal(413, 'The body is too large.')
  }
  return body
}

import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import * as z from 'zod/mini'
import { errorView, RpcError, stringify } from './wire'

const Request = z.object({
  jsonrpc: z.literal('2.0'),
  id: z.optional(z.union([z.string(), z.number(), z.null()])),
  method: z.string(),
  params: z.optional(z.unknown()),
})

export type Answer = (method: string, params: unknown) => unknown

/** In bytes: a hundred transactions of maximum size. */
const maxBody = 256_000
const maxBatch = 100

/** Every request gets one response. */
export async function answerText(text: string, answer: Answer): Promise<string> {
  let message: unknown
  try {
    message = JSON.parse(text)
  } catch {
    return failure(null, new RpcError(-32700, 'Parse error'))
  }
  if (!Array.isArray(message)) return await answerOne(message, answer)
  if (message.length === 0 || message.length > maxBatch) return failure(null, new RpcError(-32600, 'Invalid request'))
  const answers: string[] = []
  for (const one of message) answers.push(await answerOne(one, answer))
  return `[${answers.join(',')}]`
}

async function answerOne(message: unknown, answer: Answer): Promise<string> {
  const request = z.safeParse(Request, message)
  if (!request.success) return failure(null, new RpcError(-32600, 'Invalid request'))
  const { id = null, method, params } = request.data
  try {
    const result = await answer(method, params)
    return stringify({ jsonrpc: '2.0', result, id })
  } catch (cause) {
    return failure(id, cause)
  }
}

const failure = (id: unknown, cause: unknown) => stringify({ jsonrpc: '2.0', error: errorView(cause), id })

/** Dapps and wallets of every origin may ask. `control` handles `/devnet/`; null for an unknown path. */
export function createHandler(
  answer: Answer,
  control: (path: string, query: URLSearchParams) => unknown,
): RequestListener {
  return (request, response) => {
    void handle(request, response, answer, control).catch(() => response.destroy())
  }
}

async function handle(
  request: IncomingMessage,
  response: ServerResponse,
  answer: Answer,
  control: (path: string, query: URLSearchParams) => unknown,
) {
  response.setHeader('access-control-allow-origin', '*')
  response.setHeader('access-control-allow-headers', '*')
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://127.0.0.1')
  if (request.method === 'OPTIONS') {
    response.writeHead(204, { 'access-control-allow-methods': 'POST', 'access-control-max-age': '86400' }).end()
    return
  }
  if (request.method === 'GET' && pathname === '/health') {
    response.writeHead(200, { 'content-type': 'text/plain' }).end('ok')
    return
  }
  if (request.method !== 'POST') {
    response.writeHead(405, { allow: 'POST, OPTIONS' }).end()
    return
  }
  response.setHeader('content-type', 'application/json')
  if (pathname.startsWith('/devnet/')) {
    try {
      const result = await control(pathname.slice('/devnet/'.length), searchParams)
      response.writeHead(result === null ? 404 : 200).end(stringify(result))
    } catch (cause) {
      response.writeHead(400).end(stringify(errorView(cause)))
    }
    return
  }
  let body = ''
  for await (const chunk of request.setEncoding('utf8')) {
    body += chunk
    if (body.length > maxBody) {
      response.writeHead(413).end(failure(null, new RpcError(-32600, 'The request is too large')))
      return
    }
  }
  const text = await answerText(body, answer)
  response.writeHead(200).end(text)
}

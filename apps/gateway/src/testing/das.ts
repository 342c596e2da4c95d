/** A minimal Digital Asset Standard node for tests. */
import { createServer } from 'node:http'
import * as z from 'zod/mini'

const Request = z.object({
  id: z.number(),
  method: z.string(),
  params: z.object({
    ownerAddress: z.optional(z.string()),
    page: z.optional(z.int()),
    limit: z.optional(z.int()),
    compressed: z.optional(z.boolean()),
    id: z.optional(z.string()),
  }),
})

export type DasNode = {
  readonly url: string
  readonly requests: readonly string[]
  /** The assets of every owner. */
  tell(items: readonly unknown[]): void
  setUp(isUp: boolean): void
  stop(): Promise<void>
}

export async function startDas(port: number): Promise<DasNode> {
  let items: readonly unknown[] = []
  let isUp = true
  const requests: string[] = []

  function answer({ method, params }: z.infer<typeof Request>): unknown {
    requests.push(method)
    const { page = 1, limit = 1_000, compressed } = params
    if (method === 'getAsset') return { result: items.find((item) => idOf(item) === params.id) ?? null }
    if (method !== 'searchAssets' || compressed !== true)
      return { error: { code: -32_601, message: 'Method not found' } }
    const pageItems = items.slice((page - 1) * limit, page * limit)
    return { result: { total: pageItems.length, limit, page, items: pageItems } }
  }

  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request.setEncoding('utf8')) body += chunk
    if (!isUp) return response.writeHead(503).end()
    const call = Request.parse(JSON.parse(body))
    response.setHeader('Content-Type', 'application/json')
    return response.end(JSON.stringify({ jsonrpc: '2.0', id: call.id, ...Object(answer(call)) }))
  })
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${port}/?api-key=operators`,
    requests,
    tell: (next) => {
      items = next
    },
    setUp: (next) => {
      isUp = next
    },
    stop: () => new Promise((resolve) => server.close(() => resolve())),
  }
}

function idOf(item: unknown): unknown {
  return typeof item === 'object' && item !== null && 'id' in item ? item.id : undefined
}

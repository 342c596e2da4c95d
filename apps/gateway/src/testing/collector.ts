/** An OpenTelemetry collector: takes traces by OTLP, as JSON over HTTP, and keeps them. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import { json, text } from 'node:stream/consumers'
import * as z from 'zod/mini'

const Attribute = z.object({
  key: z.string(),
  value: z.object({ stringValue: z.optional(z.string()), intValue: z.optional(z.number()) }),
})
const Export = z.object({
  resourceSpans: z.array(
    z.object({
      resource: z.object({ attributes: z.array(Attribute) }),
      scopeSpans: z.array(
        z.object({
          spans: z.array(
            z.object({
              traceId: z.string(),
              spanId: z.string(),
              parentSpanId: z.optional(z.string()),
              name: z.string(),
              attributes: z.array(Attribute),
              status: z.object({ code: z.number(), message: z.optional(z.string()) }),
            }),
          ),
        }),
      ),
    }),
  ),
})

export type CollectedSpan = {
  readonly trace: string
  readonly id: string
  readonly parent: string | undefined
  readonly name: string
  readonly attributes: Readonly<Record<string, string | number | undefined>>
  /** 2 is an error. */
  readonly status: number
}

export async function startCollector() {
  const spans: CollectedSpan[] = []
  const services: (string | undefined)[] = []
  /** Everything that was received. */
  const bodies: string[] = []
  const server = createServer(async (request, response) => {
    if (request.method !== 'POST' || request.url !== '/v1/traces') {
      await text(request)
      response.writeHead(404).end()
      return
    }
    const body = await json(request)
    bodies.push(JSON.stringify(body))
    for (const { resource, scopeSpans } of Export.parse(body).resourceSpans) {
      services.push(valuesOf(resource.attributes)['service.name']?.toString())
      for (const span of scopeSpans.flatMap((scope) => scope.spans)) {
        spans.push({
          trace: span.traceId,
          id: span.spanId,
          parent: span.parentSpanId,
          name: span.name,
          attributes: valuesOf(span.attributes),
          status: span.status.code,
        })
      }
    }
    response.writeHead(200, { 'Content-Type': 'application/json' }).end('{}')
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('not listening on a port')
  return {
    url: `http://127.0.0.1:${address.port}`,
    spans,
    services,
    bodies,
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}

function valuesOf(attributes: readonly z.infer<typeof Attribute>[]): Record<string, string | number | undefined> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, value.stringValue ?? value.intValue]))
}

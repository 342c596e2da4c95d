/**
 * OpenTelemetry spans; without `start.ts` they do nothing.
 *
 * A span has a method, route pattern, status, configured host or kind of query: never a path, address, email, IP,
 * project, user or error text.
 */
import { type Attributes, type Span, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api'
import {
  ATTR_DB_OPERATION_NAME,
  ATTR_DB_SYSTEM_NAME,
  ATTR_ERROR_TYPE,
  ATTR_HTTP_REQUEST_METHOD,
  ATTR_HTTP_RESPONSE_STATUS_CODE,
  ATTR_SERVER_ADDRESS,
  DB_SYSTEM_NAME_VALUE_POSTGRESQL,
} from '@opentelemetry/semantic-conventions'

/** An error marks the span by its type alone. */
export function inSpan<T>(
  name: string,
  { kind, attributes }: { readonly kind: SpanKind; readonly attributes?: Attributes },
  work: (span: Span) => Promise<T>,
): Promise<T> {
  return trace
    .getTracer('@postern/gateway')
    .startActiveSpan(name, { kind, ...(attributes && { attributes }) }, async (span) => {
      try {
        return await work(span)
      } catch (error) {
        markFailed(span, error instanceof Error ? error.name : typeof error)
        throw error
      } finally {
        span.end()
      }
    })
}

/** @param type of a fixed list, or an error's name. */
export function markFailed(span: Span, type: string): void {
  span.setAttribute(ATTR_ERROR_TYPE, type)
  span.setStatus({ code: SpanStatusCode.ERROR })
}

/** For configured servers. Sends no trace header: the servers belong to others. */
export function traceFetch(fetch: typeof globalThis.fetch): typeof globalThis.fetch {
  return (input, init) => {
    const { url, method } = input instanceof Request ? input : { url: String(input), method: init?.method ?? 'GET' }
    const { host } = new URL(url)
    const attributes = { [ATTR_HTTP_REQUEST_METHOD]: method, [ATTR_SERVER_ADDRESS]: host }
    return inSpan(`${method} ${host}`, { kind: SpanKind.CLIENT, attributes }, async (span) => {
      const response = await fetch(input, init)
      span.setAttribute(ATTR_HTTP_RESPONSE_STATUS_CODE, response.status)
      if (response.status >= 400) markFailed(span, String(response.status))
      return response
    })
  }
}

/** A span per query. Calls with a callback are the pool's own, and have a span already. */
export function traceQueries(target: { query(...values: never[]): unknown }): void {
  const query = target.query.bind(target)
  Object.defineProperty(target, 'query', {
    value: (...values: unknown[]): unknown => {
      const run = () => Reflect.apply(query, target, values)
      if (typeof values.at(-1) === 'function') return run()
      const operation = operationOf(values[0])
      const attributes = {
        [ATTR_DB_SYSTEM_NAME]: DB_SYSTEM_NAME_VALUE_POSTGRESQL,
        [ATTR_DB_OPERATION_NAME]: operation,
      }
      return inSpan(operation, { kind: SpanKind.CLIENT, attributes }, async () => run())
    },
  })
}

function operationOf(query: unknown): string {
  const text = typeof query === 'object' && query !== null && 'text' in query ? query.text : query
  return (typeof text === 'string' ? /^\s*([a-z]+)/i.exec(text)?.[1] : undefined)?.toUpperCase() ?? 'QUERY'
}

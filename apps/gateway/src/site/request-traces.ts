import { context as contexts, propagation, ROOT_CONTEXT, SpanKind } from '@opentelemetry/api'
import {
  ATTR_HTTP_REQUEST_METHOD,
  ATTR_HTTP_RESPONSE_STATUS_CODE,
  ATTR_HTTP_ROUTE,
} from '@opentelemetry/semantic-conventions'
import type { Env, Hono } from 'hono'
import { methodLabel } from '../platform/metrics/metrics'
import { inSpan, markFailed } from '../platform/tracing/spans'
import { routeOf } from './request-log'

/** Load balancers call these every few seconds. */
const untraced: ReadonlySet<string> = new Set(['/health', '/ready'])

/** A span per request, until its response begins. */
export function traceRequests<E extends Env>(app: Hono<E>): void {
  app.use((context, next) => {
    if (untraced.has(context.req.path)) return next()
    const method = methodLabel(context.req.method)
    // Empty unless the operator enabled it: anyone can write this header.
    const caller = propagation.extract(ROOT_CONTEXT, { traceparent: context.req.header('traceparent') })
    return contexts.with(caller, () =>
      inSpan(method, { kind: SpanKind.SERVER, attributes: { [ATTR_HTTP_REQUEST_METHOD]: method } }, async (span) => {
        await next()
        const route = routeOf(context)
        const { status } = context.res
        span.updateName(`${method} ${route}`)
        span.setAttributes({ [ATTR_HTTP_ROUTE]: route, [ATTR_HTTP_RESPONSE_STATUS_CODE]: status })
        if (status >= 500) markFailed(span, String(status))
      }),
    )
  })
}

import * as z from 'zod/mini'

export type TracingConfig = {
  /** Requests continue the trace of `traceparent`. Only for a proxy that writes that header. */
  readonly joinsCallers: boolean
}

const endpoints = ['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', 'OTEL_EXPORTER_OTLP_ENDPOINT'] as const
const Endpoint = z.url({ protocol: /^https?$/ })

/** Adds what is wrong to `problems`. @returns undefined without traces. */
export function readTracing(
  env: Readonly<Record<string, string | undefined>>,
  problems: string[],
): TracingConfig | undefined {
  const named = endpoints.filter((name) => env[name] !== undefined)
  if (named.length === 0 || env.OTEL_SDK_DISABLED === 'true' || env.OTEL_TRACES_EXPORTER === 'none') return undefined
  for (const name of named) {
    if (!Endpoint.safeParse(env[name]).success) {
      problems.push(`${name} must be an http or https URL, such as http://collector:4318`)
    }
  }
  const only = (name: string, allowed: readonly string[], why: string) => {
    const value = env[name]
    if (value !== undefined && !allowed.includes(value)) {
      problems.push(`${name} must be ${allowed.join(' or ')}, or unset: ${why}`)
    }
  }
  only('OTEL_TRACES_EXPORTER', ['otlp', 'none'], 'traces are sent by OTLP')
  const json = 'traces are sent as JSON over HTTP, which a collector takes on port 4318'
  only('OTEL_EXPORTER_OTLP_PROTOCOL', ['http/json'], json)
  only('OTEL_EXPORTER_OTLP_TRACES_PROTOCOL', ['http/json'], json)
  only('OTEL_PROPAGATORS', ['none', 'tracecontext'], 'the gateway reads no other header')
  return { joinsCallers: env.OTEL_PROPAGATORS === 'tracecontext' }
}

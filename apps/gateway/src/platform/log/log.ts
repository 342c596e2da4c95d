import { TraceFlags, trace } from '@opentelemetry/api'
import { DrizzleQueryError } from 'drizzle-orm'
import { type DestinationStream, type Logger, pino } from 'pino'

export type Log = Logger

const secretNames = ['email', 'token', 'share', 'otp', 'authorization', 'cookie', 'address', 'url', 'query']

/** To standard output, or to `destination` in tests. */
export function createLog(level: string, destination?: DestinationStream): Log {
  const options = {
    level,
    base: { piece: 'gateway' },
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
    // The line's trace, if it is sent.
    mixin: traceOf,
    serializers: { err: describeError },
    redact: { paths: secretNames.flatMap((name) => [name, `*.${name}`]), censor: '[hidden]' },
  }
  return destination ? pino(options, destination) : pino(options)
}

function traceOf(): object {
  const span = trace.getActiveSpan()?.spanContext()
  return span !== undefined && (span.traceFlags & TraceFlags.SAMPLED) !== 0 ? { traceId: span.traceId } : {}
}

/** Without a failed query's message, which repeats its parameters. Of the stack, only the frames. */
function describeError(error: unknown): object {
  if (!(error instanceof Error)) return { type: typeof error }
  const frames = (error.stack ?? '').split('\n').filter((line) => /^\s+at /.test(line))
  return {
    type: error.name,
    ...(error instanceof DrizzleQueryError ? {} : { message: error.message }),
    ...('code' in error ? { code: error.code } : {}),
    ...(error.cause === undefined ? {} : { cause: describeError(error.cause) }),
    stack: frames.join('\n'),
  }
}

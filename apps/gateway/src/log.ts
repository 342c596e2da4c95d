import { DrizzleQueryError } from 'drizzle-orm'
import { type DestinationStream, type Logger, pino } from 'pino'

export type Log = Logger

/** The last line of defence: whatever a caller hands over under these names never reaches the log. */
const secretNames = ['email', 'token', 'share', 'otp', 'authorization', 'cookie', 'address', 'url', 'query']

/** JSON lines on standard output, or on `destination` where a test wants to read them. */
export function createLog(level: string, destination?: DestinationStream): Log {
  const options = {
    level,
    base: { piece: 'gateway' },
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
    serializers: { err: describeError },
    redact: { paths: secretNames.flatMap((name) => [name, `*.${name}`]), censor: '[hidden]' },
  }
  return destination ? pino(options, destination) : pino(options)
}

/** A failed query's message repeats its parameters, which may be anything: its cause says enough. Only frames are kept of the stack. */
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

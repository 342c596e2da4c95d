import { type DestinationStream, type Logger, pino } from 'pino'

export type Log = Logger

/** The last line of defence: whatever a caller hands over, these never reach the log. */
const secretPaths = ['email', 'token', 'share', 'otp', 'authorization', 'cookie', 'address', 'url', 'query']

/** JSON lines on standard output, or on `destination` where a test wants to read them. */
export function createLog(level: string, destination?: DestinationStream): Log {
  const options = {
    level,
    base: { piece: 'gateway' },
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
    redact: { paths: secretPaths.flatMap((path) => [path, `*.${path}`]), censor: '[hidden]' },
  }
  return destination ? pino(options, destination) : pino(options)
}

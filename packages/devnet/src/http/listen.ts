import type { Server } from 'node:http'

/** Loopback only; port 0 takes a free one. Rejects if the port is taken. */
export async function listen(server: Server, port: number): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', resolve)
  })
  const address = server.address()
  return typeof address === 'object' && address !== null ? address.port : port
}

/** Closes every connection; resolves when the port is free. */
export function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve())
    server.closeAllConnections()
  })
}

/**
 * Runs `end` once: by call, or when `signal` aborts.
 *
 * @throws the signal's reason, after ending, if already aborted.
 */
export async function endWith(signal: AbortSignal | undefined, end: () => Promise<void>): Promise<() => Promise<void>> {
  let ending: Promise<void> | undefined
  const stop = () => {
    signal?.removeEventListener('abort', stop)
    ending ??= end()
    return ending
  }
  signal?.addEventListener('abort', stop, { once: true })
  if (signal?.aborted) {
    await stop()
    signal.throwIfAborted()
  }
  return stop
}

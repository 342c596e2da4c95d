import type { Server } from 'node:http'

/**
 * Listens on loopback alone; answers with the port, which differs from the one asked for where that is 0: a free one.
 * Rejects when the port is taken.
 */
export async function listen(server: Server, port: number): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', resolve)
  })
  const address = server.address()
  return typeof address === 'object' && address !== null ? address.port : port
}

/** Ends every connection, and settles when the port is free. */
export function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve())
    server.closeAllConnections()
  })
}

/**
 * What ends something once, however often it is asked to, and when `signal` aborts.
 *
 * @throws the signal's reason, once it has ended, where that aborted already.
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

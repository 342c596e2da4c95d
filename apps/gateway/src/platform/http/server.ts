import { createAdaptorServer } from '@hono/node-server'
import type { Hono } from 'hono'
import { watchUnusedConnections } from './unused-connections'

/** For open requests on close. */
const gracePeriodMs = 10_000
/** Connections that wait to be accepted. Node's 511 fit a hundred visitors; the rest retry after 1, 3 and 7 s. */
const backlog = 4_096

export type GatewayServer = {
  /** Takes no new connection. Resolves once the last one is closed. */
  close(): Promise<void>
}

/** @param onListening called with the port. @param onError called if the server cannot listen. */
export function startServer(
  fetch: Hono['fetch'],
  {
    host,
    port,
    onListening,
    onError,
  }: {
    readonly host: string
    readonly port: number
    readonly onListening: (port: number) => void
    readonly onError: (error: Error) => void
  },
): GatewayServer {
  const server = createAdaptorServer({
    fetch,
    hostname: host,
    serverOptions: {
      headersTimeout: 10_000,
      requestTimeout: 30_000,
      keepAliveTimeout: 65_000,
      maxHeaderSize: 16_384,
    },
  })
  server.listen({ host, port, backlog }, () => {
    const address = server.address()
    onListening(address !== null && typeof address === 'object' ? address.port : port)
  })
  const closeUnusedConnections = watchUnusedConnections(server)
  server.on('error', onError)

  return {
    async close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      closeUnusedConnections()
      if ('closeIdleConnections' in server) {
        // A request that ends now leaves its keep-alive connection open.
        const idle = setInterval(() => server.closeIdleConnections(), 50)
        const limit = setTimeout(() => server.closeAllConnections(), gracePeriodMs)
        await closed
        clearInterval(idle)
        clearTimeout(limit)
      }
      await closed
    },
  }
}

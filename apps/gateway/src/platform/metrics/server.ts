import { createServer, type Server } from 'node:http'
import type { Metrics } from './metrics'

/** Serves `/metrics` on its own port, never the public one. */
export function serveMetrics(
  metrics: Pick<Metrics, 'contentType' | 'read'>,
  { host, port }: { readonly host: string; readonly port: number },
  onError: (error: Error) => void,
): Server {
  const server = createServer(async (request, response) => {
    if (request.method !== 'GET' || request.url !== '/metrics') {
      response.writeHead(404).end()
      return
    }
    try {
      const text = await metrics.read()
      response.writeHead(200, { 'Content-Type': metrics.contentType }).end(text)
    } catch {
      response.writeHead(500).end()
    }
  })
  server.on('error', onError)
  server.listen(port, host)
  return server
}

import type { Server, Socket } from 'node:net'

/**
 * Tracks connections without a request. Node counts them as busy until `headersTimeout`: a browser's preconnect would
 * delay a stop.
 *
 * @returns closes those open now
 */
export function watchUnusedConnections(server: Pick<Server, 'on'>): () => void {
  const open = new Set<Socket>()
  server.on('connection', (socket) => {
    open.add(socket)
    socket.once('close', () => open.delete(socket))
  })
  return () => {
    for (const socket of open) if (socket.bytesRead === 0) socket.destroy()
  }
}

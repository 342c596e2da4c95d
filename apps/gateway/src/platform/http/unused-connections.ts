import type { Server, Socket } from 'node:net'

/**
 * Node counts a browser's preconnect as busy until `headersTimeout`, which would delay a stop.
 *
 * @returns closes connections without a request
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

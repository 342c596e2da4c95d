import type { Server, Socket } from 'node:net'

/**
 * Closes the connections of a server on which nothing was ever asked. Browsers open some ahead of need, and Node takes them for busy until its
 * `headersTimeout`, so that a server that stops would wait for them.
 *
 * @returns closes those that are open now
 */
export function watchSilentConnections(server: Pick<Server, 'on'>): () => void {
  const open = new Set<Socket>()
  server.on('connection', (socket) => {
    open.add(socket)
    socket.once('close', () => open.delete(socket))
  })
  return () => {
    for (const socket of open) if (socket.bytesRead === 0) socket.destroy()
  }
}

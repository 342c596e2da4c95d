import { connect, createServer, type Socket } from 'node:net'

const port = 4739

/**
 * Waits until no other story holds the devnet's second chain, and holds it: for one that makes its blocks by hand, so that nobody else waits for
 * blocks that do not come. Resolves with what lets it go.
 */
export async function secondChainAlone(): Promise<() => Promise<void>> {
  for (;;) {
    const waiting = new Set<Socket>()
    const server = createServer((socket) => {
      waiting.add(socket.on('error', () => {}))
    })
    const isHeld = await new Promise<boolean>((resolve, reject) => {
      server.once('listening', () => resolve(true))
      server.once('error', (error) => ('code' in error && error.code === 'EADDRINUSE' ? resolve(false) : reject(error)))
      server.listen(port, '127.0.0.1')
    })
    if (isHeld)
      return () =>
        new Promise((resolve) => {
          server.close(() => resolve())
          for (const socket of waiting) socket.destroy()
        })
    // Whoever holds it hangs up at the end.
    await new Promise((resolve) =>
      connect(port, '127.0.0.1')
        .on('error', () => {})
        .once('close', resolve),
    )
  }
}

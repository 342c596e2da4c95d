import { connect, createServer, type Socket } from 'node:net'

const port = 4739

/**
 * For a test that mines the second chain by hand: waits until no other test uses it. Resolves with the release
 * function.
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
    // The holder hangs up on release.
    await new Promise((resolve) =>
      connect(port, '127.0.0.1')
        .on('error', () => {})
        .once('close', resolve),
    )
  }
}

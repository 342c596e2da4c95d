import { connect, createServer, type Socket } from 'node:net'

/**
 * For a test that mines the second chain by hand: waits until no other test uses it. Resolves with the release
 * function.
 */
export const secondChainAlone = (): Promise<() => Promise<void>> => alone(4739)

/** Acts while no other test breaks a provider of social accounts, or uses one that may be broken. */
export async function providersAlone<R>(act: () => Promise<R>): Promise<R> {
  const letGo = await alone(4738)
  try {
    return await act()
  } finally {
    await letGo()
  }
}

/** The process that listens on the port has what the port stands for. */
async function alone(port: number): Promise<() => Promise<void>> {
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

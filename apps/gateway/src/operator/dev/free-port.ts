import { once } from 'node:events'
import { createServer } from 'node:net'
import { isCode } from '../../platform/error-code'

/** `localhost` may mean both. */
const loopback = ['127.0.0.1', '::1'] as const

/** The first port from `first` on that no program listens on. */
export async function findFreePort(first: number): Promise<number> {
  for (let port = first; port < first + 100; port++) {
    const free = await Promise.all(loopback.map((host) => isFree(port, host)))
    if (free.every(Boolean)) return port
  }
  throw new Error(`The ports ${first} to ${first + 99} are taken. Set PORT to a free one.`)
}

async function isFree(port: number, host: string): Promise<boolean> {
  const server = createServer()
  try {
    server.listen({ port, host })
    await once(server, 'listening')
    return true
  } catch (error) {
    if (isCode(error, 'EADDRINUSE')) return false
    // A machine without IPv6.
    if (isCode(error, 'EADDRNOTAVAIL') || isCode(error, 'EAFNOSUPPORT')) return true
    throw error
  } finally {
    if (server.listening) await new Promise((resolve) => server.close(resolve))
  }
}

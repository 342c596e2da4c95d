/** Pages on other sites than the modal host's: `*.localhost` names differ by site, ports alone do not. */
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'

export type Sites = {
  /** The origin under which `name` is served, for instance `http://dapp.localhost:41234`. */
  origin(name: string): string
  stop(): Promise<void>
}

/** Serves `pages` by path to every host name, on a free port of the loopback. */
export async function serveSites(pages: Readonly<Record<string, { type: string; body: string }>>): Promise<Sites> {
  const server = createServer((request, response) => {
    const page = pages[new URL(request.url ?? '/', 'http://site.localhost').pathname]
    response.writeHead(page ? 200 : 404, { 'content-type': page?.type ?? 'text/plain', 'cache-control': 'no-store' })
    response.end(page?.body ?? 'Not found')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return { origin: (name) => `http://${name}.localhost:${port}`, stop: () => close(server) }
}

function close(server: Server): Promise<void> {
  server.closeAllConnections()
  return new Promise((resolve, reject) => server.close((error) => (error ? reject(error) : resolve())))
}

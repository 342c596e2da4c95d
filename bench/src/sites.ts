/** `*.localhost` names are different sites, ports alone are not. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export type Page = {
  readonly type: string
  readonly body: string
  /** For browsers that take it. */
  readonly brotli?: Buffer
}

export type Sites = {
  /** `http://dapp.localhost:41234`, serving every page. */
  origin(name: string): string
  readonly port: number
  readonly pages: Map<string, Page>
  stop(): Promise<void>
}

export async function serveSites(): Promise<Sites> {
  const pages = new Map<string, Page>()
  const server = createServer((request, response) => {
    const page = pages.get(new URL(request.url ?? '/', 'http://site.localhost').pathname)
    const brotli = request.headers['accept-encoding']?.includes('br') ? page?.brotli : undefined
    response.writeHead(page ? 200 : 404, {
      'content-type': page?.type ?? 'text/plain',
      'cache-control': 'no-store',
      ...(brotli !== undefined && { 'content-encoding': 'br' }),
    })
    response.end(brotli ?? page?.body ?? 'Not found')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    pages,
    port,
    origin: (name) => `http://${name}.localhost:${port}`,
    stop() {
      server.closeAllConnections()
      return new Promise((resolve, reject) => server.close((error) => (error ? reject(error) : resolve())))
    },
  }
}

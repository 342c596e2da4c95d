/**
 * Other people's web sites: a server on loopback that answers for any `*.localhost` name, with pages that a test writes.
 * Every site is a real origin of its own to the browser, so framing, storage and `postMessage` behave as they do in the wild.
 */

import { readFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { fileURLToPath } from 'node:url'

/** What a site answers at a path. */
export type Resource = {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

export type Sites = {
  readonly port: number
  /** `http://<name>.localhost:<port>`. */
  origin(name: string): string
  /** Puts a page (or a script, by its `content-type`) on a site and returns its address. */
  serve(name: string, path: string, resource: Resource | string): string
  /** Takes everything down that `serve` put up. */
  clear(): void
  close(): Promise<void>
}

const scripts = {
  /** The devnet's page wallet, as an extension would bring it. */
  '/page-wallet.js': '../../packages/devnet/dist/page-wallet.js',
  /** The SDK as a dapp bundles it from npm. */
  '/client.js': '../../packages/client-sdk/dist/index.js',
} as const

/** Every site also serves the scripts above. */
export async function startSites(port: number): Promise<Sites> {
  const resources = new Map<string, Resource>()
  const builtIn = new Map<string, Resource>([
    // A site without an icon logs an error in the console.
    ['/favicon.ico', { status: 204 }],
  ])
  for (const [path, file] of Object.entries(scripts)) {
    const body = await readFile(fileURLToPath(new URL(file, import.meta.url)), 'utf8')
    builtIn.set(path, { headers: { 'content-type': 'text/javascript; charset=utf-8' }, body })
  }

  const answer = (request: IncomingMessage, response: ServerResponse) => {
    const { pathname } = new URL(request.url ?? '/', 'http://site')
    const name = (request.headers.host ?? '').replace(/\.localhost(:\d+)?$/, '')
    const found = resources.get(`${name} ${pathname}`) ?? builtIn.get(pathname) ?? { status: 404, body: 'No such page' }
    response.writeHead(found.status ?? 200, { 'content-type': 'text/html; charset=utf-8', ...found.headers })
    response.end(found.body ?? '')
  }

  const server = createServer(answer)
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', resolve)
  })

  const origin = (name: string) => `http://${name}.localhost:${port}`
  return {
    port,
    origin,
    serve(name, path, resource) {
      resources.set(`${name} ${path}`, typeof resource === 'string' ? { body: resource } : resource)
      return `${origin(name)}${path}`
    },
    clear: () => resources.clear(),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/**
 * Other people's web sites: a server on loopback that answers for any `*.localhost` name, with pages that a test writes.
 * Every site is a real origin of its own to the browser, so framing, storage and `postMessage` behave as they do in the wild.
 */

import { readdir, readFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { dappModule, dapps } from '../dapps/build'

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

const pageWallet = new URL('../../packages/devnet/dist/page-wallet.js', import.meta.url)
const client = new URL('../../packages/client-sdk/dist/', import.meta.url)
const siwx = new URL('../../packages/siwx/dist/', import.meta.url)

/**
 * Every site also serves the devnet's page wallet as `/page-wallet.js`, as an extension would bring it, and the SDK's modules as a dapp
 * bundles them from npm under `/client/`, and once more under `/hot/`, as after a hot reload; those of sign-in under `/siwx/`. Dapps of other people's libraries are modules
 * under `/dapps/`.
 */
export async function startSites(port: number): Promise<Sites> {
  const resources = new Map<string, Resource>()
  const builtIn = new Map<string, Resource>([
    ['/page-wallet.js', await script(pageWallet)],
    // A site without an icon logs an error in the console.
    ['/favicon.ico', { status: 204 }],
  ])
  for (const file of (await readdir(client)).filter((name) => name.endsWith('.js'))) {
    const module = await script(new URL(file, client))
    builtIn.set(`/client/${file}`, module).set(`/hot/${file}`, module)
  }

  for (const file of (await readdir(siwx)).filter((name) => name.endsWith('.js')))
    builtIn.set(`/siwx/${file}`, await script(new URL(file, siwx)))

  for (const name of dapps) builtIn.set(`/dapps/${name}.js`, await script(dappModule(name)))

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

async function script(file: URL): Promise<Resource> {
  return { headers: { 'content-type': 'text/javascript; charset=utf-8' }, body: await readFile(file, 'utf8') }
}

/**
 * Third-party websites on any `*.localhost` name. Real origins, so framing, storage and `postMessage` behave as in
 * production.
 */

import { readdir, readFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { dappFolder } from '../dapps/build'

export type Resource = {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

export type Sites = {
  readonly port: number
  /** `http://<name>.localhost:<port>` */
  origin(name: string): string
  /** Adds a page (or a script, by its `content-type`); returns its URL. */
  serve(name: string, path: string, resource: Resource | string): string
  clear(): void
  close(): Promise<void>
}

const pageWallet = new URL('../../packages/devnet/dist/page-wallet.js', import.meta.url)
const client = new URL('../../packages/client-sdk/dist/', import.meta.url)
const siwx = new URL('../../packages/siwx/dist/', import.meta.url)

/**
 * Every site also has the page wallet as `/page-wallet.js`; the SDK's npm modules under `/client/`, and again under
 * `/hot/`, as after a hot reload; sign-in's under `/siwx/`; third-party dapps under `/dapps/`.
 */
export async function startSites(port: number): Promise<Sites> {
  const resources = new Map<string, Resource>()
  const builtIn = new Map<string, Resource>([
    ['/page-wallet.js', await script(pageWallet)],
    // Without it, the console logs an error.
    ['/favicon.ico', { status: 204 }],
  ])
  for (const file of (await readdir(client)).filter((name) => name.endsWith('.js'))) {
    const module = await script(new URL(file, client))
    builtIn.set(`/client/${file}`, module).set(`/hot/${file}`, module)
  }

  for (const file of (await readdir(siwx)).filter((name) => name.endsWith('.js')))
    builtIn.set(`/siwx/${file}`, await script(new URL(file, siwx)))

  for (const file of await readdir(dappFolder)) {
    const type = file.endsWith('.css') ? 'text/css' : 'text/javascript'
    builtIn.set(`/dapps/${file}`, await read(new URL(file, dappFolder), type))
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

const script = (file: URL): Promise<Resource> => read(file, 'text/javascript')

async function read(file: URL, type: string): Promise<Resource> {
  return { headers: { 'content-type': `${type}; charset=utf-8` }, body: await readFile(file, 'utf8') }
}

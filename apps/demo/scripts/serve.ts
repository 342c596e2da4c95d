/**
 * Serves the built demo on port 4500 (or `PORT`) with a strict content policy, and its sign-in backend under `/siwx`.
 * In development it adds the devnet's page wallet.
 */
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { createServer } from 'node:http'
import { extname, resolve, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createSignInServer } from './sign-in'

const folder = (name: string) => fileURLToPath(new URL(name, import.meta.url))
const dist = folder('../dist')
const walletScript = folder('../../../packages/devnet/dist/page-wallet.js')
const modal = process.env.MODAL_ORIGIN ?? 'http://modal.postern.localhost:4400'
const port = Number(process.env.PORT ?? 4500)

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
  '.map': 'application/json',
}

/** Postern requires the script, the frame and the modal host's API. */
const policy = [
  "default-src 'none'",
  `script-src 'self' ${modal}`,
  "style-src 'self'",
  "font-src 'self'",
  `img-src 'self' data: ${modal}`,
  `connect-src 'self' ${modal} http://127.0.0.1:*`,
  // `self`: safe.html frames the lab.
  `frame-src 'self' ${modal}`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'self'",
].join('; ')

/** Maps an invalid request target, such as `//`, to a missing path. */
function pathOf(target = '/'): string {
  const site = 'http://demo.localhost'
  return URL.canParse(target, site) ? new URL(target, site).pathname : target
}

/** By path, without its last slash. */
const pages: Readonly<Record<string, string>> = { '': 'index.html', '/lab': 'lab/index.html' }

function fileOf(pathname: string): string | null {
  if (pathname === '/page-wallet.js') return walletScript
  const file = resolve(dist, pages[pathname.replace(/\/$/, '')] ?? `.${pathname}`)
  return file.startsWith(dist + sep) ? file : null
}

const signIn = await createSignInServer(process.env.DEMO_ORIGIN ?? `http://demo.localhost:${port}`)

const server = createServer(async (request, response) => {
  if (await signIn(request, response)) return
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    response.writeHead(405, { allow: 'GET, HEAD' }).end()
    return
  }
  const pathname = pathOf(request.url)
  const file = fileOf(pathname)
  const stats = file === null ? null : await stat(file).catch(() => null)
  if (file === null || stats === null || !stats.isFile()) {
    response.writeHead(404, { 'content-type': 'text/plain; charset=utf-8' }).end('There is no such page.')
    return
  }
  response.writeHead(200, {
    'content-type': types[extname(file)] ?? 'application/octet-stream',
    'content-length': stats.size,
    'content-security-policy': policy,
    'x-content-type-options': 'nosniff',
    // Assets have a hash in their name; revalidate the rest.
    'cache-control': pathname.startsWith('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache',
  })
  if (request.method === 'HEAD') response.end()
  else
    createReadStream(file)
      .on('error', () => response.destroy())
      .pipe(response)
})

server.listen(port, '127.0.0.1', () => console.log(`The demo is at http://demo.localhost:${port}/`))
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    server.close()
    server.closeAllConnections()
  })
}

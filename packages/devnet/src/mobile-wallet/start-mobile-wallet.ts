import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { close, endWith, listen } from '../http/listen'

export type MobileWalletPage = {
  /** Dapps open `…/wc?uri=…`. */
  readonly url: string
  /** Waits until the port is free. Idempotent. */
  stop(): Promise<void>
}

const built = fileURLToPath(new URL('../../dist/mobile-wallet', import.meta.url))

const types: ReadonlyMap<string, string> = new Map([
  ['.html', 'text/html; charset=utf-8'],
  ['.js', 'text/javascript; charset=utf-8'],
  ['.css', 'text/css; charset=utf-8'],
  ['.map', 'application/json'],
])

/** Wallet libraries would contact external servers. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  'img-src data:',
  'connect-src http://127.0.0.1:* ws://127.0.0.1:* http://localhost:* ws://localhost:*',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

/**
 * Serves the page on a loopback port.
 *
 * 1. `/` and `/wc` serve the page, `/assets/…` its files; everything else is 404.
 * 2. Rejects if the page is not built or the port is taken.
 */
export async function startMobileWallet({
  port,
  folder = built,
  signal,
}: {
  readonly port: number
  readonly folder?: string
  readonly signal?: AbortSignal | undefined
}): Promise<MobileWalletPage> {
  signal?.throwIfAborted()
  await readFile(path.join(folder, 'index.html')).catch((cause: unknown) => {
    throw new Error('The mobile wallet is not built: npm run build -w @postern/devnet', { cause })
  })
  const fileOf = (pathname: string) => {
    if (pathname === '/' || pathname === '/wc') return 'index.html'
    return /^\/assets\/[A-Za-z0-9._-]+$/.test(pathname) && !pathname.includes('..') ? pathname.slice(1) : null
  }

  const server = createServer((request, response) => {
    const file = fileOf((request.url ?? '/').split('?', 1)[0] ?? '/')
    const content = file === null ? Promise.reject(new Error('no such page')) : readFile(path.join(folder, file))
    content.then(
      (body) => {
        response.writeHead(200, {
          'content-type': types.get(path.extname(file ?? '')) ?? 'application/octet-stream',
          'content-security-policy': policy,
          'x-content-type-options': 'nosniff',
          'referrer-policy': 'no-referrer',
          'cache-control': 'no-cache',
        })
        response.end(body)
      },
      () => response.writeHead(404, { 'content-type': 'text/plain' }).end('Not found.'),
    )
  })
  const listening = await listen(server, port)
  const stop = await endWith(signal, () => close(server))
  return { url: `http://mobile-wallet.localhost:${listening}/`, stop }
}

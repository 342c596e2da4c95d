import { readFileSync } from 'node:fs'
import { createServer, request as send } from 'node:http'
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { generateSigningKey } from '../server/keys'
import { cookieFrom } from '../server/testing/server'
import { iso, noon, solanaVisitor, visitor } from '../testing/sign-in'

const site = 'https://example.com'
const guide = readFileSync(new URL('../../../../docs/guides/sign-in-with-wallet.md', import.meta.url), 'utf8')

/** Any handler of this server's requests. */
type Serve = (path: string, init: RequestInit) => Promise<Response> | Response

type Who = Pick<ReturnType<typeof visitor | typeof solanaVisitor>, 'address' | 'sign'>

/** As a page does: gets a nonce, signs, and reads the session. */
async function signIn(serve: Serve, who: Who = visitor()): Promise<{ cookie: string; me: unknown; address: string }> {
  const post = (route: string, body: unknown) =>
    serve(`/siwx/${route}`, {
      method: 'POST',
      headers: { origin: site, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
  const { nonce } = await (await post('nonce', {})).json()
  const response = await post('authenticate', await who.sign({ nonce, issuedAt: iso(noon) }))
  expect(response.status).toBe(200)
  const cookie = cookieFrom(response)
  const me = await (await serve('/siwx/me', { headers: { cookie } })).json()
  return { cookie, me, address: who.address }
}

const requested =
  (answer: (request: Request) => Promise<Response> | Response): Serve =>
  (path, init) =>
    answer(new Request(new URL(path, site), init))

// The examples keep the system's clock.
beforeEach(() => vi.setSystemTime(noon))
afterEach(() => vi.useRealTimers())
beforeAll(async () => {
  process.env.SIWX_KEY = JSON.stringify(await generateSigningKey())
})

describe('the examples of the guide', () => {
  it.each(['siwx', 'hono', 'next', 'sveltekit', 'fetch', 'express', 'orders'])(
    '%s.ts is included unchanged',
    (name) => {
      expect(guide).toContain(`\`\`\`ts\n${readFileSync(new URL(`./${name}.ts`, import.meta.url), 'utf8')}\`\`\``)
    },
  )

  it('sign visitors in behind Hono, Next, SvelteKit, Bun and Deno', async () => {
    const { app } = await import('./hono')
    const next = await import('./next')
    const { fallback } = await import('./sveltekit')
    const { default: standard } = await import('./fetch')
    const byMethod = new Map([
      ['GET', next.GET],
      ['POST', next.POST],
      ['OPTIONS', next.OPTIONS],
    ])
    const servers: Serve[] = [
      requested((request) => app.fetch(request)),
      requested((request) => byMethod.get(request.method)?.(request) ?? Response.error()),
      requested((request) => fallback({ request })),
      requested((request) => standard.fetch(request)),
    ]
    for (const serve of servers) {
      const { me, address } = await signIn(serve)
      expect(me).toMatchObject({ sessions: [{ chainId: 'eip155:1', address }] })
      expect((await serve('/siwx/other', {})).status).toBe(serve === servers[3] ? 200 : 404)
    }
  })

  it('sign visitors in behind Express, as its own mount does', async () => {
    const { siwxForExpress } = await import('./express')
    const server = createServer((req, res) => {
      const originalUrl = req.url ?? '/'
      const mounted = Object.assign(req, { originalUrl, url: originalUrl.replace('/siwx', '') })
      siwxForExpress(mounted, res, (error) => {
        res.statusCode = error === undefined ? 404 : 500
        res.end()
      })
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    try {
      const address = server.address()
      if (address === null || typeof address === 'string') throw new Error('Not listening')
      const serve: Serve = (path, init) => fetch(`http://127.0.0.1:${address.port}${path}`, init)
      const visit = await signIn(serve)
      expect(visit.me).toMatchObject({ sessions: [{ address: visit.address }] })
      expect((await serve('/siwx/other', {})).status).toBe(404)
      const long = { method: 'POST', headers: { origin: site }, body: 'x'.repeat(1_000_000) }
      expect((await serve('/siwx/authenticate', long)).status).toBe(413)
      // A Request cannot have this method; the process must not crash.
      const traced = await new Promise<number | undefined>((resolve, reject) => {
        const trace = send({ port: address.port, method: 'TRACE', path: '/siwx/me' }, (answer) => {
          answer.resume()
          resolve(answer.statusCode)
        })
        trace.on('error', reject).end()
      })
      expect(traced).toBe(500)
    } finally {
      server.closeAllConnections()
      server.close()
    }
  })

  it('sign a Solana visitor in', async () => {
    const { app } = await import('./hono')
    const { me, address } = await signIn(
      requested((request) => app.fetch(request)),
      solanaVisitor(),
    )
    const chainId = 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp'
    expect(me).toMatchObject({ sessions: [{ chainId, address }] })
  })

  it('identify the visitor in a route of the dapp', async () => {
    const { postOrder } = await import('./orders')
    const { app } = await import('./hono')
    const { cookie, address } = await signIn(requested((request) => app.fetch(request)))
    const order = (headers: Record<string, string>) =>
      postOrder(new Request(`${site}/orders`, { method: 'POST', headers: { origin: site, ...headers } }))
    expect(await (await order({ cookie })).json()).toEqual({ orderedBy: [`eip155:1:${address}`] })
    expect((await order({})).status).toBe(401)
    expect((await order({ cookie, origin: 'https://evil.example.com' })).status).toBe(403)
  })
})

/** The gateway's routes, in process on a real database, against callers who send what they like. */
import { ErrorBody, namespaces } from '@postern/protocol'
import fc from 'fast-check'
import { afterAll, beforeAll } from 'vitest'
import * as z from 'zod/mini'
import { createEsplora } from '../../apps/gateway/src/chains/esplora/upstream'
import type { Operation } from '../../apps/gateway/src/platform/http/operation'
import { createUpstreams } from '../../apps/gateway/src/platform/upstreams/rpc'
import { createDirectory, directoryRoutes } from '../../apps/gateway/src/site/directory'
import { operations } from '../../apps/gateway/src/site/operations'
import { modalOrigin, startTestApp, type TestApp, walletOrigin } from '../../apps/gateway/src/testing/app'
import { callLimit } from '../../apps/gateway/src/testing/call-limit'
import { noon } from '../../apps/gateway/src/testing/clock'
import { sessionHeaders, signInByEmail, succeed } from '../../apps/gateway/src/testing/sign-in'
import { solve } from '../../apps/gateway/src/testing/solve'
import { newWallet } from '../../apps/gateway/src/testing/wallet'
import { fitting } from './engine/from-schema'
import { patienceMs, type Step, Violation, within } from './engine/fuzz'
import { count, field, text } from './engine/read'
import { runTarget } from './engine/run-target'

const of = (move: string, data: fc.Arbitrary<unknown>): fc.Arbitrary<Step> =>
  fc.record({ move: fc.constant(move), data })
const bitcoin = 'bip122:000000000019d6689c085ae165831e93'
const solana = 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp'
const address = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'

const origins = [
  'https://app.example.com',
  'https://a.preview.example.com',
  modalOrigin,
  walletOrigin,
  'https://evil.example',
  'null',
]
const segment = fc.oneof(
  fc.constantFrom(
    address,
    'eip155:1',
    bitcoin,
    solana,
    'x',
    '..',
    '%00',
    '%2e%2e%2f',
    '1',
    'ETH',
    'none',
    'a'.repeat(64),
  ),
  fc.string({ maxLength: 12 }),
)
const headers = fc.record(
  {
    Origin: fc.constantFrom(...origins),
    'Content-Type': fc.constantFrom(
      'application/json',
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data',
      'x',
    ),
    Authorization: fc.constantFrom('DPoP x', 'Bearer x', 'Bearer a.b.c', 'Basic eDp5', ''),
    DPoP: fc.constantFrom('x', 'a.b.c', 'eyJhbGciOiJub25lIn0.e30.'),
    'X-Forwarded-For': fc.constantFrom('1.2.3.4', 'x', ','),
    'Sec-Fetch-Site': fc.constantFrom('same-origin', 'cross-site', 'same-site', 'none', 'x'),
    'Accept-Encoding': fc.constantFrom('br', 'gzip', 'x'),
    'If-None-Match': fc.constantFrom('*', '"x"'),
    Range: fc.constantFrom('bytes=0-0', 'bytes=-1', 'x'),
  },
  { requiredKeys: [] },
)

const calls = operations.map((operation, index) =>
  fc.record({
    operation: fc.constant(index),
    segments: fc.array(segment, { minLength: 2, maxLength: 2 }),
    query: operation.query === undefined ? fc.constant({}) : fitting(operation.query),
    body: typeof operation.body === 'object' ? fitting(operation.body) : fc.oneof(fc.string(), fc.constant(undefined)),
    headers,
    /** Signed in, as most calls of the wallet must be. */
    isUser: fc.boolean(),
    projectId: fc.constantFrom('demo', 'demo', 'demo', 'strict', 'none', ''),
  }),
)
const paths = [
  '/',
  '/sdk',
  '/window',
  '/auth/device',
  '/postern.js',
  '/assets/main-abc.js',
  '/health',
  '/.well-known/security.txt',
]
const page = fc.record({
  site: fc.constantFrom(modalOrigin, walletOrigin, 'https://evil.example'),
  path: fc.oneof(fc.constantFrom(...paths), fc.webPath(), fc.string({ maxLength: 16 })),
  query: fc.dictionary(
    fc.constantFrom('projectId', 'token', 'origin', 'chainId', 'version', 'state', 'code', 'x'),
    segment,
  ),
  method: fc.constantFrom('GET', 'POST', 'HEAD', 'OPTIONS', 'PUT', 'DELETE', 'PATCH'),
  headers,
  body: fc.string(),
})
/** What the chains' endpoints answer. */
const upstream = fc.record({
  status: fc.constantFrom(200, 200, 200, 400, 429, 500, 204),
  body: fc.oneof(
    fc.constantFrom(
      { jsonrpc: '2.0', id: 1, result: '0x1' },
      { jsonrpc: '2.0', id: 1, result: null },
      { jsonrpc: '2.0', id: 1, error: { code: 3, message: 'execution reverted', data: '0x' } },
    ),
    fc.json(),
    fc.string(),
  ),
})
const steps = fc.oneof(
  { weight: 20, arbitrary: of('call', fc.oneof(...calls)) },
  { weight: 3, arbitrary: of('page', page) },
  { weight: 2, arbitrary: of('upstream', upstream) },
)

/** They wait for an email or another page. */
const waits = /\/(device|claim)$|\/social\/claim|farcaster/

let app: TestApp
let user: Awaited<ReturnType<typeof signInByEmail>>
let bystander: Awaited<ReturnType<typeof signInByEmail>>
let bystanderBefore: string
let answer: { status: number; body: string } = { status: 200, body: '{}' }

beforeAll(async () => {
  const hostileFetch: typeof fetch = async () =>
    new Response([204, 304].includes(answer.status) ? null : answer.body, { status: answer.status })
  const options = { fetch: hostileFetch, now: () => noon, timeout: 2_000, maxResponseBytes: 1e6, onFailure() {} }
  const icons = { wallets: new Map(), networks: new Map(), currencies: new Map(), tokens: new Map() }
  const directory = createDirectory({
    wallets: [{ id: 'one', name: 'One', chains: ['eip155:1'], image_id: 'x' }],
    icons,
  })
  app = await startTestApp({
    networks: (['eip155:1', solana, bitcoin] as const).map((id) => ({ id, upstreams: ['https://node.example'] })),
    upstreams: createUpstreams(options),
    esplora: createEsplora(options),
    fetch: hostileFetch,
    ...callLimit({ perSecond: 1e6, burst: 1e9 }, () => noon),
    directory: {
      routes: directoryRoutes(directory),
      recommended: directory.recommended(namespaces),
      count: directory.count(namespaces),
      hasTokenImage: () => false,
    },
  })
  bystander = await signInByEmail(app, 'bystander@example.com')
  const wallet = newWallet()
  await succeed(
    app,
    'createWallet',
    { addresses: wallet.addresses, shares: await wallet.split('create', bystander.user.id) },
    { token: bystander.sessionToken },
  )
  bystanderBefore = await readBystander()
  user = await signInByEmail(app, 'alice@example.com')
})
afterAll(() => app.close())

async function readBystander(): Promise<string> {
  return JSON.stringify(await succeed(app, 'wallet', {}, { token: bystander.sessionToken }))
}

/** The fuzzer's calls make the gateway ask for a solved challenge. */
async function signInAgain(email: string) {
  const solution = solve(await succeed(app, 'emailChallenge', { email }))
  return signInByEmail(app, email, undefined, solution)
}

let sessions = 0
const reached = { successes: 0, asUser: 0 }

/**
 * 1. Every request has a response.
 * 2. No response is a 5xx, except 502 to 504 of what asks a chain.
 * 3. A success fits the operation's schema, a failure the schema of problems.
 * 4. The wallet of another user does not change.
 * 5. No log line tells of an unexpected error.
 */
async function play(given: readonly Step[]): Promise<void> {
  sessions += 1
  answer = { status: 200, body: '{"jsonrpc":"2.0","id":1,"result":"0x1"}' }
  if (sessions % 200 === 0) user = await signInAgain(`user-${sessions}@example.com`)
  for (const { move, data } of given) {
    if (move === 'upstream') answer = readUpstream(data)
    if (move === 'call') await call(data)
    if (move === 'page') await visit(data)
  }
  if (sessions % 50 === 0 && (await readBystander()) !== bystanderBefore)
    throw new Violation('The wallet of another user changed')
}

function readUpstream(data: unknown): typeof answer {
  const body = field(data, 'body')
  return {
    status: Math.min(599, Math.max(200, count(field(data, 'status')))),
    body: typeof body === 'string' ? body : asJson(body),
  }
}

async function call(data: unknown): Promise<void> {
  const operation = operations[count(field(data, 'operation')) % operations.length]
  if (operation === undefined) return
  const site = operation.site === 'wallet' ? walletOrigin : modalOrigin
  const segments = field(data, 'segments')
  const parts = Array.isArray(segments) ? segments.map(text) : []
  let used = 0
  const path = operation.path.replace(/:\w+/g, () => inPath(parts[used++] ?? 'x'))
  const query = queryOf(field(data, 'query'))
  query.set('projectId', text(field(data, 'projectId')))
  const own = field(data, 'isUser') === true && operation.session === true ? await userHeaders(`${site}${path}`) : {}
  const response = await send(
    `${site}${path}?${query}`,
    {
      method: operation.method.toUpperCase(),
      headers: headersOf(
        { 'Content-Type': 'application/json', Origin: site, 'Sec-Fetch-Site': 'same-origin', ...own },
        field(data, 'headers'),
      ),
      ...(operation.method === 'post' && {
        body: typeof operation.body === 'string' ? text(field(data, 'body')) : asJson(field(data, 'body')),
      }),
    },
    waits.test(path),
  )
  if (response !== null) await check(operation, response)
  if (response?.ok === true && 'Authorization' in own) reached.asUser += 1
}

/** With a session that works, or one that a step ended. */
async function userHeaders(url: string): Promise<Record<string, string>> {
  return {
    ...(await sessionHeaders(app, url, user.sessionToken)),
    'User-Agent': 'Mozilla/5.0 (X11; Linux x86_64) Chrome/130.0.0.0 Safari/537.36',
  }
}

async function visit(data: unknown): Promise<void> {
  const path = text(field(data, 'path'))
  const site = text(field(data, 'site'))
  const method = text(field(data, 'method'))
  const url = URL.canParse(path, URL.canParse(site) ? site : modalOrigin)
    ? new URL(path, URL.canParse(site) ? site : modalOrigin)
    : null
  if (
    url === null ||
    !/^https?:$/.test(url.protocol) ||
    !/^[A-Z]+$/.test(method) ||
    ['TRACE', 'TRACK', 'CONNECT'].includes(method)
  )
    return
  url.search = queryOf(field(data, 'query')).toString()
  const hasBody = method !== 'GET' && method !== 'HEAD'
  const response = await send(
    url.href,
    { method, headers: headersOf({}, field(data, 'headers')), ...(hasBody && { body: text(field(data, 'body')) }) },
    waits.test(url.pathname),
  )
  if (response === null) return
  await response.arrayBuffer()
  if (response.status >= 500)
    throw new Violation(`${method} ${url.href} answered ${response.status}: ${app.log().slice(-2_000)}`)
}

/** Null if the response waits for another person. */
async function send(url: string, init: RequestInit, mayWait: boolean): Promise<Response | null> {
  const abort = new AbortController()
  const response = app.request(url, { ...init, signal: abort.signal })
  if (!mayWait) return within(response, patienceMs, `${init.method} ${url} has no response`)
  // real time: long enough for every response that waits for no one.
  const late = new Promise<null>((resolve) => setTimeout(() => resolve(null), 100))
  const first = await Promise.race([response, late])
  if (first === null) abort.abort()
  response.catch(() => {})
  return first
}

const esplora = '/v1/esplora/'
const statusOfUpstreams = /^\/v1\//

async function check({ method, path, response: schema }: Operation, response: Response): Promise<void> {
  const { status } = response
  const body = await response.text()
  const told = `${method} ${path} answered ${status} ${body.slice(0, 500)}`
  if (status >= 500 && !(status !== 500 && status < 505 && statusOfUpstreams.test(path)))
    throw new Violation(`${told}\n${app.log().slice(-2_000)}`)
  if (status === 304 || status === 204) return
  // A chain's own refusal is passed on as it is.
  if (!response.ok && path.startsWith(esplora)) return
  if (!response.ok) {
    if (!isProblem(body, path)) throw new Violation(`A failure without its schema: ${told}`)
    return
  }
  reached.successes += 1
  if (typeof schema === 'string') return
  const read = schema.safeParse(JSON.parse(body))
  if (!read.success) throw new Violation(`A response without its schema: ${told} ${z.prettifyError(read.error)}`)
}

const RpcProblem = z.object({ jsonrpc: z.literal('2.0'), error: z.object({ code: z.int(), message: z.string() }) })

function isProblem(body: string, path: string): boolean {
  const json = asParsed(body)
  const isRpc = ['/v1/', '/v1/bundler', '/v1/paymaster'].includes(path)
  return ErrorBody.safeParse(json).success || (isRpc && RpcProblem.safeParse(json).success)
}

/** Undefined if it is not JSON. */
function asParsed(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    return undefined
  }
}

function queryOf(value: unknown): URLSearchParams {
  const query = new URLSearchParams()
  if (typeof value !== 'object' || value === null) return query
  for (const [key, each] of Object.entries(value)) if (each !== undefined) query.append(key, asText(each))
  return query
}

/** Those that a client can send. */
function headersOf(base: Readonly<Record<string, string>>, more: unknown): Headers {
  const made = new Headers(base)
  if (typeof more !== 'object' || more === null) return made
  for (const [name, value] of Object.entries(more)) {
    try {
      made.set(name, asText(value))
    } catch {
      // No client can send it.
    }
  }
  made.delete('Host')
  return made
}

const asText = (value: unknown): string => (typeof value === 'string' ? value : asJson(value))

function inPath(value: string): string {
  try {
    // A URL resolves these segments: the request would be for another route.
    return /^\.{1,2}$/.test(value) ? 'x' : encodeURIComponent(value)
  } catch {
    // Half of a surrogate pair, which no URL has.
    return 'x'
  }
}

function asJson(value: unknown): string {
  return JSON.stringify(value, (_, each: unknown) => (typeof each === 'bigint' ? String(each) : each)) ?? ''
}

runTarget({
  name: 'gateway',
  messages: 5_000,
  covers: ['/apps/gateway/src/', '/packages/protocol/src/'],
  steps,
  play,
  reached: () => reached,
})

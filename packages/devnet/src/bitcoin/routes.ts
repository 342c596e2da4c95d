import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { address as addresses } from 'bitcoinjs-lib'
import { regtest } from './accounts'
import {
  addressView,
  blockView,
  feeEstimates,
  mempoolView,
  outspendView,
  statusOf,
  transactionView,
  unspentView,
} from './esplora'
import type { KnownBlock, KnownTransaction, Ledger } from './ledger'
import { RefusedTransaction } from './node'

export type RouteDependencies = {
  readonly ledger: Ledger
  add(rawTransaction: Uint8Array): Promise<string>
  mine(blocks: number): Promise<void>
  reorganise(depth: number): Promise<void>
  fund(address: string, satoshis: bigint): Promise<string>
}

/** Plain text, as in Esplora. */
class Refusal extends Error {
  override readonly name = 'Refusal'
  readonly status: number
  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

type Route = (parts: readonly string[], query: URLSearchParams, body: string) => unknown

/** Twice the largest standard transaction, in hexadecimal characters. */
const maxBody = 800_000
/** Esplora's page size. */
const page = 25

/** Every origin may read, because a wallet in any page sends requests. */
export function createRoutes(dependencies: RouteDependencies): RequestListener {
  const routes = table(dependencies)
  return (request, response) => {
    void answer(routes, request, response).catch(() => response.destroy())
  }
}

async function answer(
  routes: readonly (readonly [string, Route])[],
  request: IncomingMessage,
  response: ServerResponse,
) {
  response.setHeader('access-control-allow-origin', '*')
  response.setHeader('access-control-allow-headers', '*')
  if (request.method === 'OPTIONS') {
    response.writeHead(204, { 'access-control-allow-methods': 'GET, POST' }).end()
    return
  }
  try {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://127.0.0.1')
    const body = request.method === 'POST' ? await readBody(request) : ''
    const matched = match(routes, `${request.method === 'HEAD' ? 'GET' : request.method} ${pathname}`)
    if (matched === null) throw new Refusal(404, 'endpoint does not exist')
    const result = await matched.route(matched.parts, searchParams, body)
    const text = typeof result === 'string'
    response.writeHead(200, { 'content-type': text ? 'text/plain; charset=utf-8' : 'application/json' })
    response.end(text ? result : JSON.stringify(result))
  } catch (cause) {
    const status = cause instanceof Refusal ? cause.status : 500
    response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8' })
    response.end(cause instanceof Error ? cause.message : 'Something went wrong')
  }
}

async function readBody(request: IncomingMessage): Promise<string> {
  let body = ''
  for await (const chunk of request.setEncoding('utf8')) {
    body += chunk
    if (body.length > maxBody) throw new Refusal(413, 'The body is too large')
  }
  return body
}

/** `:` stands for one segment. */
function match(routes: readonly (readonly [string, Route])[], requestLine: string) {
  const segments = requestLine.split('/')
  for (const [pattern, route] of routes) {
    const expected = pattern.split('/')
    if (expected.length !== segments.length) continue
    const fits = expected.every((part, index) => part === ':' || part === segments[index])
    if (fits) return { route, parts: segments.filter((_, index) => expected[index] === ':') }
  }
  return null
}

function table({ ledger, add, mine, reorganise, fund }: RouteDependencies): readonly (readonly [string, Route])[] {
  const transaction = ([id = '']: readonly string[]): KnownTransaction => {
    if (!/^[0-9a-f]{64}$/.test(id)) throw new Refusal(400, 'Invalid hex string')
    const known = ledger.transaction(id)
    if (known === undefined) throw new Refusal(404, 'Transaction not found')
    return known
  }
  const block = (known: KnownBlock | undefined): KnownBlock => {
    if (known === undefined) throw new Refusal(404, 'Block not found')
    return known
  }
  const script = ([address = '']: readonly string[]): Uint8Array => scriptOf(address)
  const newestFirst = (of: Uint8Array, confirmed: boolean) =>
    ledger
      .transactionsOf(of)
      .filter((known) => (known.block !== null) === confirmed)
      .reverse()

  return [
    ['GET /address/:', ([address = '']) => addressView(ledger, address, scriptOf(address))],
    ['GET /address/:/utxo', (parts) => unspentView(ledger, script(parts))],
    [
      'GET /address/:/txs',
      (parts) => {
        const of = script(parts)
        return [...newestFirst(of, false).slice(0, 50), ...newestFirst(of, true).slice(0, page)].map(transactionView)
      },
    ],
    ['GET /address/:/txs/mempool', (parts) => newestFirst(script(parts), false).slice(0, 50).map(transactionView)],
    ['GET /address/:/txs/chain', (parts) => newestFirst(script(parts), true).slice(0, page).map(transactionView)],
    [
      'GET /address/:/txs/chain/:',
      (parts) => {
        const all = newestFirst(script(parts), true)
        const seen = all.findIndex(({ id }) => id === parts[1])
        return seen < 0 ? [] : all.slice(seen + 1, seen + 1 + page).map(transactionView)
      },
    ],
    ['GET /tx/:', (parts) => transactionView(transaction(parts))],
    ['GET /tx/:/hex', (parts) => transaction(parts).transaction.toHex()],
    ['GET /tx/:/status', (parts) => statusOf(transaction(parts))],
    ['GET /tx/:/outspends', (parts) => outspendView(ledger, transaction(parts))],
    [
      'POST /tx',
      async (_parts, _query, body) => {
        const raw = body.trim()
        if (!/^([0-9a-f]{2})+$/i.test(raw)) throw refusedBroadcast('TX decode failed')
        try {
          return await add(Uint8Array.from(Buffer.from(raw, 'hex')))
        } catch (cause) {
          throw cause instanceof RefusedTransaction ? refusedBroadcast(cause.message) : cause
        }
      },
    ],
    ['GET /blocks/tip/height', () => `${block(ledger.tip()).height}`],
    ['GET /blocks/tip/hash', () => block(ledger.tip()).id],
    ['GET /block-height/:', ([height = '']) => block(ledger.blockAt(whole(height, 1_000_000))).id],
    ['GET /block/:', ([id = '']) => blockView(ledger, block(ledger.block(id)))],
    ['GET /block/:/txids', ([id = '']) => block(ledger.block(id)).transactionIds],
    ['GET /fee-estimates', () => feeEstimates],
    ['GET /mempool', () => mempoolView(ledger)],
    ['GET /mempool/txids', () => ledger.mempool().map(({ id }) => id)],
    [
      'POST /devnet/mine',
      async (_parts, query) => {
        await mine(whole(query.get('blocks') ?? '1', 1_000))
        return { height: block(ledger.tip()).height }
      },
    ],
    [
      'POST /devnet/reorganise',
      async (_parts, query) => {
        await reorganise(Math.max(1, whole(query.get('depth') ?? '1', 6)))
        return { height: block(ledger.tip()).height }
      },
    ],
    [
      'POST /devnet/fund',
      async (_parts, query) => {
        const address = query.get('address') ?? ''
        scriptOf(address)
        return { txid: await fund(address, BigInt(whole(query.get('amount') ?? '', 5_000_000_000))) }
      },
    ],
  ]
}

function scriptOf(address: string): Uint8Array {
  try {
    return addresses.toOutputScript(address, regtest)
  } catch {
    throw new Refusal(400, 'Invalid Bitcoin address')
  }
}

function whole(text: string, max: number): number {
  const value = Number(text)
  if (!/^[0-9]+$/.test(text) || value > max) throw new Refusal(400, `Expected a whole number up to ${max}`)
  return value
}

/** Esplora's format for Bitcoin Core's error. */
const refusedBroadcast = (message: string) =>
  new Refusal(400, `sendrawtransaction RPC error: ${JSON.stringify({ code: -26, message })}`)

/**
 * Proxies Esplora's REST API for Bitcoin networks, below `/v1/esplora/:chainId`. Source:
 * https://github.com/Blockstream/esplora/blob/master/API.md
 *
 * 1. Default deny: only paths in the table. The outgoing path is rebuilt from checked parts: no `..`, `%2f`, `//` or
 *    parameter reaches an upstream.
 * 2. A transaction is hexadecimal text of at most 400,000 bytes, the weight that Bitcoin nodes relay.
 * 3. Each request costs one call of the caller's JSON-RPC rate.
 * 4. Fee estimates are requested at most once in 15 s per network and upstreams.
 * 5. If no upstream responds: 502; with too many large responses at once: 503 and Retry-After.
 */

import { errors, isCaipNetworkId, namespaceFacts, namespaceOf } from '@postern/protocol'
import { type Context, Hono } from 'hono'
import { limitBody } from '../../platform/http/body-limit'
import { operation, serveOperation } from '../../platform/http/operation'
import { busy, problem } from '../../platform/http/problem'
import { BusyError, UpstreamsFailedError } from '../../platform/upstreams/attempt'
import type { GatewayNetwork } from '../../platform/upstreams/gateway-network'
import type { CallerEnv } from '../../projects/caller'
import { type CallerLimit, takeFromCaller } from '../../projects/caller-limit'
import { type KeysOfProjects, upstreamsFor } from '../../projects/keys'
import { type AnswerKind, answerKinds, type Esplora, type EsploraAnswer, type EsploraRequest } from './upstream'

const esploraBase = '/v1/esplora/:chainId'

const read = (path: string, kind: AnswerKind, summary: string) => ({
  path,
  kind,
  operation: operation({
    method: 'get',
    path: `${esploraBase}${path}`,
    summary: `Bitcoin: ${summary}`,
    caller: 'project',
    response: answerKinds[kind].type.split(';', 1)[0] ?? '',
  }),
})
const reads = [
  read('/address/:address', 'json', 'Sums of an address, on chain and in the mempool'),
  read('/address/:address/utxo', 'json', 'Unspent outputs of an address'),
  read('/address/:address/txs', 'json', 'Newest transactions of an address'),
  read('/tx/:txid', 'json', 'A transaction'),
  read('/tx/:txid/status', 'json', 'Whether a transaction is confirmed, and where'),
  read('/tx/:txid/outspends', 'json', 'What spends the outputs of a transaction'),
  read('/tx/:txid/hex', 'hex', 'A transaction as bytes'),
  read('/blocks/tip/height', 'height', 'Height of the newest block'),
]
const feeEstimates = operation({
  method: 'get',
  path: `${esploraBase}/fee-estimates`,
  summary: 'Bitcoin: satoshis a virtual byte, by blocks to wait',
  caller: 'project',
  response: 'application/json',
})
const sendTransaction = operation({
  method: 'post',
  path: `${esploraBase}/tx`,
  summary: 'Bitcoin: sends a signed transaction, in hexadecimal; answers its id',
  caller: 'project',
  body: 'text/plain',
  response: 'text/plain',
})
export const esploraOperations = [...reads.map(({ operation }) => operation), feeEstimates, sendTransaction]

const parts: Readonly<Record<string, RegExp>> = {
  address: /^[a-zA-Z0-9]{14,90}$/,
  txid: /^[0-9a-f]{64}$/,
}

/** In characters; 400,000 bytes. */
const maxTransactionLength = 800_000
const feesFresh = 15_000

export type EsploraRoutesOptions = CallerLimit & {
  readonly networks: readonly GatewayNetwork[]
  readonly projectKeys: KeysOfProjects
  readonly esplora: Esplora
  /** Epoch milliseconds. */
  readonly now: () => number
}

export function esploraRoutes(options: EsploraRoutesOptions): Hono<CallerEnv> {
  const networks = new Map(options.networks.map((network) => [network.id, network]))
  const askFees = createFees(options)
  const take = takeFromCaller(options)
  const routes = new Hono<CallerEnv>()

  const admit = (context: Context<CallerEnv>): readonly string[] => {
    const network = findNetwork(networks, context.req.param('chainId'))
    take(context, 1)
    return upstreamsFor(options.projectKeys, context.get('project').id, network)
  }

  for (const { path, kind, operation } of reads) {
    serveOperation(routes, operation, async (context) => {
      const made = makePath(path, context)
      const upstreams = admit(context)
      return respond(
        context,
        await orBadGateway(
          options.esplora.ask(upstreams, { path: made, kind, caller: options.clientAddress(context) }),
        ),
      )
    })
  }

  serveOperation(routes, feeEstimates, async (context) => respond(context, await orBadGateway(askFees(admit(context)))))

  serveOperation(routes, sendTransaction, limitBody(maxTransactionLength), async (context) => {
    if (!/^text\/plain(?:;|$)/i.test(context.req.header('Content-Type') ?? '')) {
      throw problem(415, 'body', 'A transaction is sent as text/plain')
    }
    const transaction = (await context.req.text()).trim()
    if (!/^(?:[0-9a-fA-F]{2})+$/.test(transaction)) {
      throw problem(400, 'body', 'A transaction is written in hexadecimal')
    }
    const upstreams = admit(context)
    const request: EsploraRequest = { path: '/tx', kind: 'id', transaction }
    return respond(context, await orBadGateway(options.esplora.ask(upstreams, request)))
  })
  return routes
}

/** @throws {Problem} 400 */
function findNetwork(networks: ReadonlyMap<string, GatewayNetwork>, chainId: string | undefined): GatewayNetwork {
  const network = isCaipNetworkId(chainId) ? networks.get(chainId) : undefined
  if (network === undefined) throw problem(400, 'chainId', errors.CHAIN_NOT_SUPPORTED.message)
  if (namespaceFacts[namespaceOf(network.id)].api !== 'esplora') {
    throw problem(400, 'chainId', `${network.id} speaks JSON-RPC: POST /v1/?chainId=${network.id}`)
  }
  return network
}

/** @throws {Problem} 400 */
function makePath(pattern: string, context: Context): string {
  return pattern.replace(/:(\w+)/g, (_, name: string) => {
    const value = context.req.param(name) ?? ''
    if (parts[name]?.test(value) !== true) throw problem(400, name, `This is no ${name} of Bitcoin`)
    return value
  })
}

async function orBadGateway(asking: Promise<EsploraAnswer>): Promise<EsploraAnswer> {
  try {
    return await asking
  } catch (error) {
    if (error instanceof BusyError) throw busy()
    if (!(error instanceof UpstreamsFailedError)) throw error
    throw problem(502, 'network', errors.NETWORK_UNREACHABLE.message)
  }
}

function respond(context: Context, { status, type, text }: EsploraAnswer): Response {
  return context.body(text, status, { 'Content-Type': type })
}

/** Shares pending and fresh answers. */
function createFees({ esplora, now }: EsploraRoutesOptions): (upstreams: readonly string[]) => Promise<EsploraAnswer> {
  const cache = new Map<string, { readonly until: number; readonly answer: Promise<EsploraAnswer> }>()
  return (upstreams) => {
    const id = upstreams.join(' ')
    const cached = cache.get(id)
    if (cached !== undefined && now() < cached.until) return cached.answer
    const answer = esplora.ask(upstreams, { path: '/fee-estimates', kind: 'json' })
    const entry = { until: now() + feesFresh, answer }
    cache.set(id, entry)
    const forget = () => {
      if (cache.get(id) === entry) cache.delete(id)
    }
    answer.then(({ status }) => {
      if (status !== 200) forget()
    }, forget)
    return answer
  }
}

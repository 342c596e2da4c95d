import {
  errors,
  isCaipNetworkId,
  JsonRpcBody,
  JsonRpcResponse,
  namespaceFacts,
  namespaceOf,
  SupportedChains,
} from '@postern/protocol'
import { type Context, Hono } from 'hono'
import * as z from 'zod/mini'
import { limitBody } from '../../platform/http/body-limit'
import { operation, serveOperation } from '../../platform/http/operation'
import { problem } from '../../platform/http/problem'
import { parseJson } from '../../platform/parse-json'
import type { GatewayNetwork } from '../../platform/upstreams/gateway-network'
import { sliceBytes } from '../../platform/upstreams/large-result'
import type { RelayingUpstreams } from '../../platform/upstreams/rpc'
import type { CallerEnv } from '../../projects/caller'
import { type CallerLimit, takeFromCaller } from '../../projects/caller-limit'
import { type KeysOfProjects, upstreamsFor } from '../../projects/keys'
import { answerRpc, countCalls, type LargeResponse } from './proxy'

/** In bytes; fits 1000 calls of 1 kB. */
const maxRequestBytes = 1_048_576
/** Bytes of the response that a call pays for; the rest costs more calls. */
const bytesPerCall = 52_429
const callsPerSlice = Math.round(sliceBytes / bytesPerCall)

const supportedChains = operation({
  method: 'get',
  path: '/v1/supported-chains',
  summary: 'The networks that this gateway reaches: EVM and Solana by JSON-RPC, Bitcoin by Esplora',
  caller: 'project',
  response: SupportedChains,
})
const callChain = operation({
  method: 'post',
  path: '/v1/',
  summary: 'JSON-RPC 2.0 of EVM and Solana, single or in a batch: reads, estimates and signed transactions',
  caller: 'project',
  query: z.object({ chainId: z.string() }),
  body: JsonRpcBody,
  response: z.union([JsonRpcResponse, z.array(JsonRpcResponse)]),
})
export const rpcOperations = [supportedChains, callChain]

export type RpcRoutesOptions = CallerLimit & {
  readonly networks: readonly GatewayNetwork[]
  readonly projectKeys: KeysOfProjects
  readonly upstreams: RelayingUpstreams
}

/** Interop §3. */
export function rpcRoutes(options: RpcRoutesOptions): Hono<CallerEnv> {
  const networks = new Map(options.networks.map((network) => [network.id, network]))
  const take = takeFromCaller(options)
  const app = new Hono<CallerEnv>()
  serveOperation(app, supportedChains, (context) => context.json({ http: [...networks.keys()], ws: [] }))
  serveOperation(app, callChain, limitBody(maxRequestBytes), async (context) => {
    const chainId = context.req.query('chainId')
    const network = isCaipNetworkId(chainId) ? networks.get(chainId) : undefined
    if (network === undefined) throw problem(400, 'chainId', errors.CHAIN_NOT_SUPPORTED.message)
    const namespace = namespaceOf(network.id)
    const { api, name } = namespaceFacts[namespace]
    if (api !== 'rpc') {
      throw problem(400, 'chainId', `${name} has no JSON-RPC here: its Esplora API is below /v1/esplora/${network.id}`)
    }
    const body = parseJson(await context.req.text())
    if (body === undefined) {
      const error = { code: -32_700, message: 'The body is not JSON' }
      return context.json({ jsonrpc: '2.0', id: null, error }, 400)
    }
    take(context, countCalls(body))
    const target = { namespace, urls: upstreamsFor(options.projectKeys, context.get('project').id, network) }
    const answer = await answerRpc(options.upstreams, target, body, options.clientAddress(context))
    if ('large' in answer) return passOn(context, answer, () => take(context, callsPerSlice))
    const text = JSON.stringify(answer)
    const more = Math.floor(text.length / bytesPerCall) - countCalls(body)
    if (more > 0) take(context, more)
    return context.body(text, 200, { 'Content-Type': 'application/json' })
  })
  return app
}

/** The first slice is paid for before the response begins, so that a refusal is a 429. */
function passOn(context: Context, { id, large }: LargeResponse, pay: () => void): Response {
  try {
    pay()
  } catch (error) {
    large.close()
    throw error
  }
  return context.body(large.stream(id, pay), 200, { 'Content-Type': 'application/json' })
}

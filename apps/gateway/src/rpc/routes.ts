import { errors, isCaipNetworkId, parseCaipNetworkId } from '@postern/protocol'
import { Hono } from 'hono'
import type { GatewayNetwork } from '../config'
import { limitBody } from '../http/body-limit'
import { problem } from '../http/problem'
import { parseJson } from '../parse-json'
import type { CallerEnv } from '../projects/caller'
import { type CallerLimit, takeFromCaller } from '../projects/caller-limit'
import { answerRpc, countCalls } from './proxy'
import type { Upstreams } from './upstream'

/** In bytes; fits 1000 calls of 1 kB. */
const maxRequestBytes = 1_048_576
/** Bytes of the response that a call pays for; the rest costs as many calls more. */
const bytesPerCall = 51_200

export type RpcRoutesOptions = CallerLimit & {
  readonly networks: readonly GatewayNetwork[]
  readonly upstreams: Upstreams
}

/** `POST /v1/?chainId&projectId` and `GET /v1/supported-chains` (interop §3). */
export function rpcRoutes(options: RpcRoutesOptions): Hono<CallerEnv> {
  const networks = new Map(options.networks.map((network) => [network.id, network]))
  const take = takeFromCaller(options)
  return (
    new Hono<CallerEnv>()
      .get('/v1/supported-chains', (context) => context.json({ http: [...networks.keys()], ws: [] }))
      // Not strict: also matches a trailing slash.
      .post('/v1', limitBody(maxRequestBytes), async (context) => {
        const chainId = context.req.query('chainId')
        const network = isCaipNetworkId(chainId) ? networks.get(chainId) : undefined
        if (network === undefined) throw problem(400, 'chainId', errors.CHAIN_NOT_SUPPORTED.message)
        const { namespace } = parseCaipNetworkId(network.id)
        if (namespace === 'bip122') {
          throw problem(
            400,
            'chainId',
            `Bitcoin has no JSON-RPC here: its Esplora API is below /v1/esplora/${network.id}`,
          )
        }
        const body = parseJson(await context.req.text())
        if (body === undefined) {
          const error = { code: -32_700, message: 'The body is not JSON' }
          return context.json({ jsonrpc: '2.0', id: null, error }, 400)
        }
        take(context, countCalls(body))
        const target = { namespace, urls: network.upstreams }
        const text = JSON.stringify(await answerRpc(options.upstreams, target, body, options.clientAddress(context)))
        const more = Math.floor(text.length / bytesPerCall) - countCalls(body)
        if (more > 0) take(context, more)
        return context.body(text, 200, { 'Content-Type': 'application/json' })
      })
  )
}

/**
 * `POST /v1/bundler?chainId&projectId` and `POST /v1/paymaster?chainId&projectId`: proxies for ERC-4337 and ERC-7677
 * endpoints, whose keys stay in the gateway.
 *
 * 1. Default deny: a method that is not on the endpoint's list is never forwarded.
 * 2. One call, not a batch; it gets exactly one response with its own id.
 * 3. A bundler's error (such as -32500) is passed on with its data. If the bundler does not respond, that is an
 *    internal error.
 * 4. Only entry point 0.7 is supported; an operation for another one is rejected.
 * 5. An operation is never sent to a second endpoint; each network has only one.
 */
import { CaipNetworkId, errors, isCaipNetworkId, JsonRpcRequest } from '@postern/protocol'
import { type Context, Hono } from 'hono'
import { limitBody } from '../http/body-limit'
import { problem } from '../http/problem'
import { parseJson } from '../parse-json'
import type { CallerEnv } from '../projects/caller'
import { type CallerLimit, takeFromCaller } from '../projects/caller-limit'
import type { RpcAnswer, Upstreams } from '../rpc/upstream'
import { UpstreamsFailedError } from '../upstreams/attempt'
import type { AccountAbstraction } from './config'

/** In bytes; fits a deployment with a batch of calls. */
const maxRequestBytes = 131_072

/** EntryPoint 0.7, the same on every network. */
const entryPoint = '0x0000000071727de22e5e9d8baf0edac6f37da032'

/** Allowed methods with the index of their entry point parameter, or null. */
type Methods = ReadonlyMap<string, number | null>

const bundlerMethods: Methods = new Map([
  ['eth_sendUserOperation', 1],
  ['eth_estimateUserOperationGas', 1],
  ['eth_getUserOperationByHash', null],
  ['eth_getUserOperationReceipt', null],
  ['eth_supportedEntryPoints', null],
  // Gas price methods of the large bundlers.
  ['pimlico_getUserOperationGasPrice', null],
  ['rundler_maxPriorityFeePerGas', null],
])

const paymasterMethods: Methods = new Map([
  ['pm_getPaymasterStubData', 1],
  ['pm_getPaymasterData', 1],
])

export type BundlerRoutesOptions = CallerLimit & {
  readonly accountAbstraction: AccountAbstraction
  readonly upstreams: Upstreams
}

export function bundlerRoutes(options: BundlerRoutesOptions): Hono<CallerEnv> {
  const { bundlers, paymasters } = options.accountAbstraction
  const app = new Hono<CallerEnv>()
  const take = takeFromCaller(options)
  const limit = limitBody(maxRequestBytes)
  app.post('/v1/bundler', limit, (context) => proxy(context, bundlers, bundlerMethods))
  app.post('/v1/paymaster', limit, (context) => proxy(context, paymasters, paymasterMethods))
  return app

  async function proxy(
    context: Context<CallerEnv>,
    endpoints: ReadonlyMap<CaipNetworkId, string>,
    methods: Methods,
  ): Promise<Response> {
    const chainId = context.req.query('chainId')
    const url = isCaipNetworkId(chainId) ? endpoints.get(CaipNetworkId.parse(chainId)) : undefined
    if (url === undefined) throw problem(400, 'chainId', errors.CHAIN_NOT_SUPPORTED.message)
    take(context, 1)
    const parsed = JsonRpcRequest.safeParse(parseJson(await context.req.text()))
    if (!parsed.success || parsed.data.id === undefined || parsed.data.id === null) {
      return context.json({ jsonrpc: '2.0', id: null, ...refusal(-32_600, 'Not a JSON-RPC 2.0 request with an id') })
    }
    const { id, method, params } = parsed.data
    return context.json({ jsonrpc: '2.0', id, ...(await answer(url, methods, method, params)) })
  }

  async function answer(url: string, methods: Methods, method: string, params: unknown): Promise<RpcAnswer> {
    const position = methods.get(method)
    if (position === undefined) return refusal(-32_601, errors.RPC_NOT_ALLOWED.message)
    if (position !== null && !isEntryPoint(Array.isArray(params) ? params[position] : undefined)) {
      return refusal(-32_602, 'Only entry point 0.7 is supported')
    }
    try {
      const [response] = await options.upstreams.exchange(
        [url],
        [params === undefined ? { method } : { method, params }],
      )
      return response ?? refusal(-32_603, errors.INTERNAL.message)
    } catch (error) {
      if (!(error instanceof UpstreamsFailedError)) throw error
      return refusal(-32_603, errors.BUNDLER_UNAVAILABLE.message)
    }
  }
}

function isEntryPoint(value: unknown): boolean {
  return typeof value === 'string' && value.toLowerCase() === entryPoint
}

function refusal(code: number, message: string): RpcAnswer {
  return { error: { code, message } }
}

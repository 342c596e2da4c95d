/**
 * Proxies for ERC-4337 and ERC-7677 endpoints, whose keys stay in the gateway.
 *
 * 1. Default deny: only listed methods are forwarded.
 * 2. One call, not a batch, gets one response with its id.
 * 3. A bundler's error is passed on with its data. No response is an internal error.
 * 4. Only entry point 0.7 is supported.
 * 5. An operation never goes to a second endpoint.
 * 6. Every call needs a session of the project: no stranger spends the operator's money.
 * 7. The sender is the user's smart account, also before it is deployed.
 * 8. Operations and sponsorship have daily limits per user and project: 429 with JSON-RPC error -32005 (EIP-1474).
 * 9. Only known members of an operation are forwarded (`operation.ts`). A paymaster's chain is the URL's. The
 *    operator's maximum cost limits each operation that their paymaster may pay for.
 */

import { safeAddress } from '@postern/chains/eip155/safe-account'
import { safeContracts } from '@postern/chains/eip155/safe-contracts'
import { isSameAddress } from '@postern/chains/same-address'
import {
  CaipNetworkId,
  errors,
  factsOfMethod,
  isCaipNetworkId,
  JsonRpcRequest,
  JsonRpcResponse,
  tryParse,
} from '@postern/protocol'
import { type Context, Hono, type MiddlewareHandler } from 'hono'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import { formatEther, isAddress } from 'viem'
import * as z from 'zod/mini'
import type { SessionEnv } from '../../accounts/sessions/sessions'
import type { WalletStore } from '../../accounts/shares/store'
import { limitBody } from '../../platform/http/body-limit'
import { operation, serveOperation } from '../../platform/http/operation'
import { problem } from '../../platform/http/problem'
import { walletFailure } from '../../platform/http/wallet-calls'
import { takenOrThrow } from '../../platform/limits/limiter'
import type { PostgresLimiter } from '../../platform/limits/postgres'
import { parseJson } from '../../platform/parse-json'
import { UpstreamsFailedError } from '../../platform/upstreams/attempt'
import type { RpcAnswer, Upstreams } from '../../platform/upstreams/rpc'
import { type CallerLimit, takeCalls } from '../../projects/caller-limit'
import { createBudgets, defaultMaxWeiPerOperation, type OperationBudgets } from './budgets'
import type { AccountAbstraction } from './config'
import { maxCost, type Operation, readParams } from './operation'

/** In bytes; fits a deployment with a batch of calls. */
const maxRequestBytes = 131_072

/** Methods of the large bundlers. */
const gasPriceMethods: ReadonlySet<string> = new Set([
  'pimlico_getUserOperationGasPrice',
  'rundler_maxPriorityFeePerGas',
])
const paymasterMethods: ReadonlySet<string> = new Set(['pm_getPaymasterStubData', 'pm_getPaymasterData'])

/** `operation`: the first parameters are an operation and the entry point. */
const kindOf: Readonly<Record<Endpoint, (method: string) => 'operation' | 'lookup' | undefined>> = {
  bundler: (method) => (gasPriceMethods.has(method) ? 'lookup' : factsOfMethod(method)?.bundler),
  paymaster: (method) => (paymasterMethods.has(method) ? 'operation' : undefined),
}

const sponsored = <const Path extends string>(path: Path, summary: string) =>
  operation({
    method: 'post',
    path,
    summary,
    caller: 'project',
    site: 'wallet',
    session: true,
    query: z.object({ chainId: z.string() }),
    body: JsonRpcRequest,
    response: JsonRpcResponse,
  })
const bundler = sponsored('/v1/bundler', 'ERC-4337: JSON-RPC of the bundler, where the network has one')
const paymaster = sponsored('/v1/paymaster', 'ERC-7677: JSON-RPC of the paymaster, where the network has one')
export const bundlerOperations = [bundler, paymaster]

export type BundlerRoutesOptions = CallerLimit & {
  readonly accountAbstraction: AccountAbstraction
  readonly operationBudgets: OperationBudgets
  readonly upstreams: Upstreams
  /** Rejects requests without a session; sets `session`. */
  readonly requireSession: MiddlewareHandler<SessionEnv>
  readonly wallets: Pick<WalletStore, 'find'>
  readonly limits: Pick<PostgresLimiter, 'take'>
}

type Endpoint = 'bundler' | 'paymaster'
type Accepted = { readonly params: readonly unknown[] }
type Refused = { readonly status: ContentfulStatusCode; readonly answer: RpcAnswer; readonly retryAfter?: number }

export function bundlerRoutes(options: BundlerRoutesOptions): Hono<SessionEnv> {
  const { accountAbstraction, upstreams, wallets } = options
  const { maxWeiPerOperation = defaultMaxWeiPerOperation, maxWeiByNetwork } = options.operationBudgets.paymaster
  const app = new Hono<SessionEnv>()
  const budgets = createBudgets(options.limits, options.operationBudgets)
  const upstreamUrls = { bundler: accountAbstraction.bundlers, paymaster: accountAbstraction.paymasters }
  const guards = [limitBody(maxRequestBytes), countCall, options.requireSession, requireSameProject]
  for (const { path } of bundlerOperations) app.use(path, ...guards)
  serveOperation(app, bundler, (context) => proxy(context, 'bundler'))
  serveOperation(app, paymaster, (context) => proxy(context, 'paymaster'))
  return app

  async function proxy(context: Context<SessionEnv>, endpoint: Endpoint): Promise<Response> {
    const chainId = context.req.query('chainId')
    const url = isCaipNetworkId(chainId) ? upstreamUrls[endpoint].get(CaipNetworkId.parse(chainId)) : undefined
    if (url === undefined) throw problem(400, 'chainId', errors.CHAIN_NOT_SUPPORTED.message)
    const parsed = tryParse(JsonRpcRequest, parseJson(await context.req.text()))
    if (!parsed.success || parsed.data.id === undefined || parsed.data.id === null) {
      return context.json({ jsonrpc: '2.0', id: null, ...refusal(-32_600, 'Not a JSON-RPC 2.0 request with an id') })
    }
    const { id, method, params } = parsed.data
    const kind = kindOf[endpoint](method)
    if (kind === undefined) {
      return context.json({ jsonrpc: '2.0', id, ...refusal(-32_601, errors.RPC_NOT_ALLOWED.message) })
    }
    const checked = kind === 'operation' ? await checkOperation(context, endpoint, params) : { params }
    if ('params' in checked) {
      return context.json({ jsonrpc: '2.0', id, ...(await forward(url, method, checked.params)) })
    }
    const headers = checked.retryAfter === undefined ? {} : { 'Retry-After': String(checked.retryAfter) }
    return context.json({ jsonrpc: '2.0', id, ...checked.answer }, checked.status, headers)
  }

  /** 4, 7, 8 and 9 */
  async function checkOperation(
    context: Context<SessionEnv>,
    endpoint: Endpoint,
    given: unknown,
  ): Promise<Accepted | Refused> {
    const read = readParams(endpoint, given)
    if ('problem' in read) return { status: 200, answer: refusal(-32_602, read.problem) }
    const { operation, entryPoint, params } = read
    if (typeof entryPoint !== 'string' || !isSameAddress(entryPoint, safeContracts.entryPoint)) {
      return { status: 200, answer: refusal(-32_602, 'Only entry point 0.7 is supported') }
    }
    if (endpoint === 'paymaster') {
      if (`eip155:${read.chainId}` !== context.req.query('chainId')) {
        return { status: 200, answer: refusal(-32_602, 'The chain id of the parameters is not the one of the URL') }
      }
    }
    const chainId = CaipNetworkId.parse(context.req.query('chainId'))
    const max = maxWeiByNetwork?.get(chainId) ?? maxWeiPerOperation
    if (isSponsored(context, endpoint, operation) && maxCost(operation) > max) {
      const most = formatEther(max)
      const text = `A sponsored operation may cost at most ${most}: lower its fee per gas or its gas limits`
      return { status: 200, answer: refusal(-32_602, text) }
    }
    const { sender } = operation
    const { userId } = context.get('session')
    const own = await Promise.all([false, true].map((isPrevious) => wallets.find({ userId, isPrevious })))
    const isOwn = own.some((wallet) => {
      const owner = wallet?.addresses.eip155
      return owner !== undefined && isAddress(owner, { strict: false }) && isSameAddress(sender, safeAddress(owner))
    })
    if (!isOwn) {
      return { status: 403, answer: refusal(-32_602, 'The sender is not the smart account of the signed-in user') }
    }
    const over = await budgets.take(endpoint, { userId, projectId: context.get('project').id })
    return over === null
      ? { params }
      : { status: 429, answer: refusal(-32_005, over.text), retryAfter: over.retryAfter }
  }

  /** A bundler's operation can name any paymaster, also the operator's. */
  function isSponsored(context: Context<SessionEnv>, endpoint: Endpoint, { paymaster }: Operation): boolean {
    if (endpoint === 'paymaster') return true
    const chainId = context.req.query('chainId')
    const hasPaymaster = isCaipNetworkId(chainId) && accountAbstraction.paymasters.has(CaipNetworkId.parse(chainId))
    return hasPaymaster && paymaster !== undefined && paymaster !== null
  }

  async function forward(url: string, method: string, params: unknown): Promise<RpcAnswer> {
    try {
      const [response] = await upstreams.exchange([url], [params === undefined ? { method } : { method, params }])
      return response ?? refusal(-32_603, errors.INTERNAL.message)
    } catch (error) {
      if (!(error instanceof UpstreamsFailedError)) throw error
      return refusal(-32_603, errors.BUNDLER_UNAVAILABLE.message)
    }
  }

  async function countCall(context: Context<SessionEnv>, next: () => Promise<void>): Promise<void> {
    const caller = { projectId: context.get('project').id, address: options.clientAddress(context) }
    takenOrThrow(takeCalls(options.limiter, options.callRates, caller, 1))
    return next()
  }
}

const requireSameProject: MiddlewareHandler<SessionEnv> = async (context, next) => {
  if (context.get('session').projectId !== context.get('project').id) throw walletFailure('SESSION_EXPIRED')
  return next()
}

function refusal(code: number, message: string): RpcAnswer {
  return { error: { code, message } }
}

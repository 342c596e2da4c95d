import { systemClock } from '@postern/base/clock'
import { createJsonRpcClient } from '@postern/chains/nodes/json-rpc'
import { isUnreachable as isSilent } from '@postern/chains/nodes/unreachable'
import { errors } from '@postern/protocol'
import { Failure } from '@postern/protocol/failure'
import * as z from 'zod/mini'
import type { ChainContext } from '../../../contract'

export type Where = Pick<ChainContext, 'networkId' | 'page' | 'baseUrl' | 'fetch' | 'signal'>

/**
 * @throws {Failure} the endpoint's own error with code and data, WALLET_SERVICE_UNREACHABLE (also for a malformed
 *   result), TIMEOUT, ABORTED
 */
export type Ask = <T>(method: string, params: readonly unknown[], answer: z.ZodMiniType<T>) => Promise<T>

/** Batches the calls of one tick. */
export function chainOf(where: Where): Ask {
  return askAt('/v1/', where)
}

/** @throws {Failure} also BUNDLER_UNAVAILABLE without a response, UNSUPPORTED_METHOD without a bundler */
export function bundlerOf(where: Where): Ask {
  return orUnavailable(
    where,
    oneByOne(() => askAt('/v1/bundler', where)),
  )
}

/** ERC-7677. @throws as {@link bundlerOf} */
export function paymasterOf(where: Where): Ask {
  return orUnavailable(
    where,
    oneByOne(() => askAt('/v1/paymaster', where)),
  )
}

/** The gateway and some bundlers take no batch. */
function oneByOne(newAsk: () => Ask): Ask {
  return (method, params, answer) => newAsk()(method, params, answer)
}

export function smartChainOf({ networkId, page }: Pick<Where, 'networkId' | 'page'>) {
  return page.smartAccounts.find(({ chainId }) => networkId === `eip155:${chainId}`)
}

function askAt(path: string, { networkId, page, baseUrl, fetch, signal }: Where): Ask {
  const query = new URLSearchParams({ chainId: networkId, projectId: page.projectId })
  const rpc = createJsonRpcClient({ endpoints: [`${baseUrl}${path}?${query}`], fetch, clock: systemClock() })
  return async (method, params, answer) => {
    const parsed = answer.safeParse(await rpc.request({ method, params }, signal).catch(orUnreachable))
    if (parsed.success) return parsed.data
    throw new Failure('WALLET_SERVICE_UNREACHABLE', {
      message: `The answer to ${method} cannot be read`,
      cause: parsed.error,
    })
  }
}

function orUnreachable(error: unknown): never {
  if (error instanceof Failure && error.code === 'NETWORK_UNREACHABLE' && error.cause instanceof TypeError)
    throw new Failure('WALLET_SERVICE_UNREACHABLE', { cause: error })
  throw error
}

function orUnavailable(where: Where, ask: Ask): Ask {
  return async (method, params, answer) => {
    if (smartChainOf(where) === undefined) throw noSmartAccounts()
    try {
      return await ask(method, params, answer)
    } catch (error) {
      if (isTooLarge(error)) throw new Failure('INVALID_PARAMS', { message: tooLarge, cause: error })
      throw isUnreachable(error) ? new Failure('BUNDLER_UNAVAILABLE', { cause: error }) : error
    }
  }
}

/** A retry does not help. */
export function noSmartAccounts(): Failure {
  return new Failure('UNSUPPORTED_METHOD', {
    message: 'This network has no smart accounts. Use the standard account',
  })
}

/** JSON-RPC's internal error, which the gateway sends for a silent upstream. */
const internalError = -32_603
const tooLarge = 'The call data is too large for the smart account. Send it from the standard account'

const Refused = z.object({ status: z.number() })

function isTooLarge(error: unknown): boolean {
  return error instanceof Failure && Refused.safeParse(error.data).data?.status === 413
}

export function isUnreachable(error: unknown): boolean {
  if (isSilent(error)) return true
  const { rpc, message } = error instanceof Failure ? error : { rpc: undefined, message: '' }
  return rpc === internalError && message === errors.BUNDLER_UNAVAILABLE.message
}

export function throwAsFailure(error: unknown): never {
  if (error instanceof Failure && /insufficient funds|AA21|AA50/i.test(error.message))
    throw new Failure('INSUFFICIENT_FUNDS', { cause: error, data: error.data })
  throw error
}

/** `bundler`: ERC-7769. */
const revertCode = { bundler: -32_521, node: 3 } as const

/** Libraries decode a revert reason only from a node's error. */
export function asNodeRevert(error: unknown): never {
  if (!(error instanceof Failure) || error.rpc !== revertCode.bundler) throw error
  const { code, message, data } = error
  throw new Failure(code, { message, rpc: revertCode.node, data, cause: error })
}

/** What connectors of Solana's and Bitcoin's page wallets share: the one dialect of `wallet-requests.ts`, asked and parsed. */
import { fromWalletError, type PageWallet } from '@postern/protocol'
import { Failure, fromLinkError } from '@postern/protocol/failure'
import { asFailure } from '@postern/protocol/wallet-errors'
import type * as z from 'zod/mini'
import type { AskOptions, PageConnectorDependencies, WalletRequest } from './connector'

export type Dialect = {
  /** Whether the wallet does `method` itself. */
  can(method: WalletRequest['method']): boolean
  /**
   * Asks the wallet, its parameters as the one member of the list that the link carries. Rejects with UNSUPPORTED_METHOD where it cannot, and
   * with INTERNAL where its answer is not what the dialect says.
   */
  ask<T>(answer: z.ZodMiniType<T>, method: WalletRequest['method'], params: object, options: AskOptions): Promise<T>
}

export function createDialect(wallet: PageWallet, ask: PageConnectorDependencies['ask']): Dialect {
  const can: Dialect['can'] = (method) => wallet.methods === undefined || wallet.methods.includes(method)
  return {
    can,
    async ask(answer, method, params, options) {
      if (!can(method)) throw new Failure('UNSUPPORTED_METHOD')
      const raw = await ask({ wallet: wallet.id, method, params: [params] }, options).catch((thrown: unknown) => {
        throw named(asFailure(thrown))
      })
      const parsed = answer.safeParse(raw)
      if (!parsed.success) throw new Failure('INTERNAL', { cause: parsed.error })
      return parsed.data
    },
  }
}

/** Parameters as dapps send them: the dialect's object, or a list with it as its one member. */
export function parseParams<T>(schema: z.ZodMiniType<T>, params: unknown): T {
  const parsed = schema.safeParse(Array.isArray(params) && params.length === 1 ? params[0] : params)
  if (!parsed.success) throw new Failure('INVALID_PARAMS', { cause: parsed.error })
  return parsed.data
}

/** The page names a failure by its outer number alone. One that it could not name is looked through here: what it wraps, and its words. */
function named(failure: Failure): Failure {
  if (failure.code !== 'INTERNAL' && failure.code !== 'UNKNOWN') return failure
  const { rpc, message, data } = failure
  const found = fromLinkError(fromWalletError({ code: rpc, message, data }))
  return found.code === 'INTERNAL' || found.code === 'UNKNOWN' ? failure : found
}

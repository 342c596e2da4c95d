/** Shared by the Solana and Bitcoin page wallets: the dialect of `wallet-requests.ts`. */
import { fromWalletError, type PageWallet } from '@postern/protocol'
import { Failure, fromLinkError } from '@postern/protocol/failure'
import { asFailure } from '@postern/protocol/wallet-errors'
import type * as z from 'zod/mini'
import type { AskOptions, PageConnectorDependencies, WalletRequest } from './connector'

export type Dialect = {
  can(method: WalletRequest['method']): boolean
  /**
   * Rejects with UNSUPPORTED_METHOD if the wallet lacks it, and with INTERNAL for a malformed result. The link carries
   * `params` as a list's only member.
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

/** The dialect's object, or a list with it as its only member. */
export function parseParams<T>(schema: z.ZodMiniType<T>, params: unknown): T {
  const parsed = schema.safeParse(Array.isArray(params) && params.length === 1 ? params[0] : params)
  if (!parsed.success) throw new Failure('INVALID_PARAMS', { cause: parsed.error })
  return parsed.data
}

/** The page maps failures by their outer code; an unmapped one is searched here, with its causes and message. */
function named(failure: Failure): Failure {
  if (failure.code !== 'INTERNAL' && failure.code !== 'UNKNOWN') return failure
  const { rpc, message, data } = failure
  const found = fromLinkError(fromWalletError({ code: rpc, message, data }))
  return found.code === 'INTERNAL' || found.code === 'UNKNOWN' ? failure : found
}

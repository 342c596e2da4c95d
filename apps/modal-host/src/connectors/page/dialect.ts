/** Shared by the Solana and Bitcoin page wallets: the dialect of `wallet-requests.ts`. */
import type { PageWallet } from '@postern/protocol'
import { Failure } from '@postern/protocol/failure'
import type * as z from 'zod/mini'
import type { AskOptions, PageConnectorDependencies, WalletRequest } from '../connector'
import { parseResult } from '../parse'
import { toPageFailure } from './failure'

export type Dialect = {
  can(method: WalletRequest['method']): boolean
  /**
   * Rejects with UNSUPPORTED_METHOD if the wallet lacks it, and with INTERNAL for a malformed result. The link carries
   * `params` as a list's only member.
   */
  ask<T>(result: z.ZodMiniType<T>, method: WalletRequest['method'], params: object, options: AskOptions): Promise<T>
}

export function createDialect(wallet: PageWallet, ask: PageConnectorDependencies['ask']): Dialect {
  const can: Dialect['can'] = (method) => wallet.methods === undefined || wallet.methods.includes(method)
  return {
    can,
    async ask(result, method, params, options) {
      if (!can(method)) throw new Failure('UNSUPPORTED_METHOD')
      const raw = await ask({ wallet: wallet.id, method, params: [params] }, options).catch((thrown: unknown) => {
        throw toPageFailure(thrown)
      })
      return parseResult(result, raw)
    },
  }
}

import type { PageWallet } from '@postern/protocol'
import { Failure } from '@postern/protocol/failure'
import type * as z from 'zod/mini'
import type { AskOptions, PageConnectorDependencies, WalletEvent, WalletRequest } from '../connector'
import { parseResult } from '../parse'
import { toPageFailure } from './failure'

export type WalletLink = {
  readonly wallet: PageWallet
  can(method: WalletRequest['method']): boolean
  /** Resolves unparsed. Rejects with the wallet's failure. */
  send(method: WalletRequest['method'], params: WalletRequest['params'], options: AskOptions): Promise<unknown>
  /**
   * In the dialect of `wallet-requests.ts`. Rejects with UNSUPPORTED_METHOD if the wallet lacks the method, and with
   * INTERNAL for a malformed result.
   */
  ask<T>(result: z.ZodMiniType<T>, method: WalletRequest['method'], params: object, options: AskOptions): Promise<T>
  onEvent(listener: (event: Pick<WalletEvent, 'event' | 'data'>) => void): () => void
}

export type PageSide = Pick<PageConnectorDependencies, 'ask' | 'onWalletEvent'>

export function createWalletLink(wallet: PageWallet, { ask, onWalletEvent }: PageSide): WalletLink {
  const link: WalletLink = {
    wallet,
    can: (method) => wallet.methods === undefined || wallet.methods.includes(method),
    async send(method, params, options) {
      try {
        return await ask({ wallet: wallet.id, method, ...(params && { params }) }, options)
      } catch (thrown) {
        throw toPageFailure(thrown)
      }
    },
    async ask(result, method, params, options) {
      if (!link.can(method)) throw new Failure('UNSUPPORTED_METHOD')
      return parseResult(result, await link.send(method, [params], options))
    },
    onEvent: (listener) =>
      onWalletEvent((event) => {
        if (event.wallet === wallet.id) listener(event)
      }),
  }
  return link
}

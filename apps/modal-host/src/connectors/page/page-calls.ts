import type { PageWallet } from '@postern/protocol'
import type { ConnectorCalls, PageConnectorDependencies, WalletSession } from '../connector'
import { restoredBy } from '../restored'
import { pageRefusals } from './failure'
import { createWalletLink, type PageSide, type WalletLink } from './wallet-link'

export type PageDialect = Pick<ConnectorCalls, 'connect' | 'switchNetwork' | 'request' | 'listen'> & {
  /** Reads the session within `limits.rpcTimeout`, without a prompt; null without an account. */
  read(signal: AbortSignal): Promise<WalletSession | null>
  /** Ends the grant, if the wallet can. */
  revoke(): Promise<unknown>
}

export type CreatePageDialect = (link: WalletLink, deps: PageConnectorDependencies) => PageDialect

/**
 * The calls of a page wallet over the link, in every namespace.
 *
 * 1. `connect` prompts; `reconnect` only reads, and is `ended` if the wallet refuses or grants no account.
 * 2. `disconnect` does not wait for the wallet: the session has ended here anyway.
 * 3. Other wallets' events are ignored.
 */
export function createPageCalls(
  wallet: PageWallet,
  page: PageSide,
  createDialect: (link: WalletLink) => PageDialect,
): ConnectorCalls {
  const { read, revoke, ...calls } = createDialect(createWalletLink(wallet, page))
  return {
    ...calls,
    reconnect: (signal) => restoredBy(() => read(signal), pageRefusals),
    async disconnect() {
      revoke().catch(() => {})
    },
  }
}

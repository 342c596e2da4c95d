import type { Namespace, PageWallet } from '@postern/protocol'
import { asFailure } from '@postern/protocol/wallet-errors'
import type { Connector, MultiConnector } from '../../connectors/connector'
import type { PageWallets } from '../../connectors/page-wallets'
import { isRemote, type WalletIdentity } from './session-record'

/** Extensions announce themselves late on slow machines. */
export const announcementWaitMs = 3_000

export type FindWalletOptions = {
  readonly pageWallets: PageWallets
  readonly connectorOf: (wallet: PageWallet) => Connector | undefined
  /** Wallets outside the page. Rejects if not offered or not loaded. */
  readonly multi: () => Promise<Pick<MultiConnector, 'restore'>>
  readonly embedded: () => Promise<Pick<MultiConnector, 'restore'>>
}

export type FindWallet = (
  wallet: WalletIdentity,
  namespace: Namespace,
  signal: AbortSignal,
) => Promise<Connector | undefined>

/**
 * Finds the wallet of a stored session. Undefined if the page lacks it in time, or the project does not offer it.
 * Rejects if its code does not load.
 */
export function createFindWallet(options: FindWalletOptions): FindWallet {
  return async ({ stableId, type, name, imageUrl }, namespace, signal) => {
    if (isRemote({ type })) {
      const holder = await (type === 'AUTH' ? options.embedded() : options.multi()).catch(undefinedIfNotOffered)
      return holder?.restore(namespace, stableId, { name, ...(imageUrl !== undefined && { imageUrl }) })
    }
    const wallet = await options.pageWallets.waitFor({ namespace, stableId }, announcementWaitMs, signal)
    return wallet && options.connectorOf(wallet)
  }
}

function undefinedIfNotOffered(thrown: unknown): undefined {
  const { code } = asFailure(thrown)
  if (code !== 'ADDRESS_OR_AUTH_NOT_FOUND' && code !== 'WALLET_CONNECT_CONNECTOR_NOT_FOUND') throw thrown
}

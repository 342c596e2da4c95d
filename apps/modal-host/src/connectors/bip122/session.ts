import { accountsFrom, GrantedAccounts, networksOf } from '@postern/chains/bip122/accounts'
import { type Account, type CaipNetworkId, isCaipNetworkId } from '@postern/protocol'
import type { ConnectorEvent, WalletEvent } from '../connector'

export type BitcoinSession = { readonly accounts: readonly Account[]; readonly networkId: CaipNetworkId }

export type NetworkChoice = {
  readonly preferred: CaipNetworkId
  readonly configured: readonly CaipNetworkId[]
  readonly supported: readonly CaipNetworkId[] | undefined
}

type Step = readonly [session: BitcoinSession, events: readonly ConnectorEvent[]]

/**
 * The session after a wallet's event, and the events for listeners.
 *
 * 1. A disconnect leaves no account, and the network.
 * 2. Announced accounts bring their network, if they are not valid on the session's.
 * 3. An announced network is the session's, configured or not.
 * 4. Malformed and unknown events change nothing.
 */
export function reduceBitcoinSession(
  session: BitcoinSession,
  { event, data }: Pick<WalletEvent, 'event' | 'data'>,
  choice: NetworkChoice,
): Step {
  switch (event) {
    case 'disconnect':
      return [{ ...session, accounts: [] }, [{ kind: 'disconnected' }]]
    case 'accountsChanged': {
      const accounts = parseAccounts(data)
      if (accounts === null) return [session, []]
      const networkId = accounts.length === 0 ? session.networkId : networkOf(accounts, session.networkId, choice)
      const moved: readonly ConnectorEvent[] = networkId === session.networkId ? [] : [{ kind: 'network', networkId }]
      return [{ accounts, networkId }, [{ kind: 'accounts', accounts }, ...moved]]
    }
    case 'chainChanged':
      if (!isCaipNetworkId(data) || !data.startsWith('bip122:')) return [session, []]
      return [{ ...session, networkId: data }, [{ kind: 'network', networkId: data }]]
    default:
      return [session, []]
  }
}

/**
 * `stated` if the addresses are valid there, else the preferred or a configured network that the wallet supports, else
 * any valid one.
 */
export function networkOf(
  accounts: readonly Account[],
  stated: CaipNetworkId | null,
  { preferred, configured, supported }: NetworkChoice,
): CaipNetworkId {
  const possible = networksOf(accounts)
  const likely = [preferred, ...configured].filter((id) => supported?.includes(id) ?? true)
  const chosen = [...(stated === null ? [] : [stated]), ...likely].find((id) => possible.includes(id))
  return chosen ?? possible[0] ?? preferred
}

/** An event has no caller to reject. */
function parseAccounts(data: unknown): readonly Account[] | null {
  const parsed = GrantedAccounts.safeParse(data)
  if (!parsed.success) return null
  try {
    return accountsFrom(parsed.data)
  } catch {
    return null
  }
}

import { onceLoaded } from '@postern/base/once-loaded'
import type { ConfiguredNetworks } from '@postern/chains/networks'
import type { Account, CaipNetworkId, Namespace, WalletUser } from '@postern/protocol'
import { Failure } from '@postern/protocol/failure'
import type { WalletSession } from '../connector'
import { evmChainId, isUsable, userAccountsIn } from './accounts'
import type { EmbeddedState } from './embedded-machine'
import type { EmbeddedAccountType } from './stored'
import type { WalletFrame } from './wallet-frame/wallet-frame'

export type UserSessionsOptions = {
  readonly networks: ConfiguredNetworks
  readonly preferredNetwork: (namespace: Namespace) => CaipNetworkId
  readonly checksum: () => Promise<(address: string) => string>
  readonly switchedNetworks: () => EmbeddedState['networks']
}

export type UserSessions = {
  isConfigured(namespace: Namespace): boolean
  networkOf(namespace: Namespace): CaipNetworkId
  /** The networks to try, the current one first. */
  candidates(namespace: Namespace): readonly CaipNetworkId[]
  /** Null if the user has no account in the namespace. */
  sessionIn(user: WalletUser, namespace: Namespace): Promise<WalletSession | null>
}

/** Sessions are on the network that the user switched to, else the preferred one. */
export function createUserSessions(options: UserSessionsOptions): UserSessions {
  const { networks, preferredNetwork, switchedNetworks } = options
  const { load: checksum } = onceLoaded(options.checksum)

  const networkOf = (namespace: Namespace) => switchedNetworks()[namespace] ?? preferredNetwork(namespace)

  function candidates(namespace: Namespace): readonly CaipNetworkId[] {
    const configured = networks.list.filter(({ chainNamespace }) => chainNamespace === namespace)
    return [...new Set([networkOf(namespace), ...configured.map(({ caipNetworkId }) => caipNetworkId)])]
  }

  return {
    isConfigured: (namespace) => networks.list.some(({ chainNamespace }) => chainNamespace === namespace),
    networkOf,
    candidates,
    async sessionIn(user, namespace) {
      if (!isUsable(user)) return null
      const { areOfOneNetwork, haveChecksums, accountsOn } = userAccountsIn(namespace)
      for (const networkId of areOfOneNetwork ? [networkOf(namespace)] : candidates(namespace)) {
        const [first, ...others] = accountsOn(user, networkId)
        if (first === undefined) continue
        const written = haveChecksums ? await checksum() : (address: string) => address
        const accountOf = (account: Account) => ({ ...account, address: written(account.address) })
        return { accounts: [accountOf(first), ...others.map(accountOf)], networkId }
      }
      return null
    },
  }
}

/** Reads the user on the first of these EVM networks that the wallet supports. Returns that network too, or null. */
export async function askUserOn(
  frame: Pick<WalletFrame, 'ask'>,
  networkIds: readonly CaipNetworkId[],
  preferredAccountType: EmbeddedAccountType | undefined,
): Promise<{ readonly user: WalletUser; readonly networkId: CaipNetworkId | null }> {
  const preference = preferredAccountType === undefined ? {} : { preferredAccountType }
  for (const networkId of networkIds) {
    try {
      return { user: await frame.ask('GET_USER', { chainId: evmChainId(networkId), ...preference }), networkId }
    } catch (thrown) {
      if (!(thrown instanceof Failure) || thrown.code !== 'CHAIN_NOT_SUPPORTED') throw thrown
    }
  }
  return { user: await frame.ask('GET_USER', preference), networkId: null }
}

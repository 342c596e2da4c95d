import type { CaipNetworkId } from '@postern/protocol'
import { bitcoinAddresses } from './bip122'
import type { MobileSession } from './contract'
import { accountOn, namespaceOf } from './grants'
import type { Kit } from './kit'
import { mobileNamespaces } from './namespaces'

export function sessionsOf(kit: Kit): readonly MobileSession[] {
  return Object.values(kit.getActiveSessions()).map(({ topic, peer, namespaces, expiry }) => ({
    topic,
    dapp: peer.metadata,
    accounts: Object.values(namespaces).flatMap(({ accounts }) => accounts),
    expiry,
  }))
}

/**
 * Adds the network to every session of its namespace and announces it.
 * Uses the account that is current by then. Resolves when the dapps acknowledged.
 */
export async function tellNetwork(kit: Kit, id: CaipNetworkId, account: () => number): Promise<void> {
  const namespace = namespaceOf(id)
  for (const { topic, namespaces } of Object.values(kit.getActiveSessions())) {
    const granted = namespaces[namespace]
    if (granted === undefined) continue
    if (!granted.accounts.some((each) => each.startsWith(`${id}:`))) {
      const more = {
        ...granted,
        chains: [...(granted.chains ?? chainsOf(granted.accounts)), id],
        accounts: [...granted.accounts, accountOn(id, account())],
      }
      const { acknowledged } = await kit.updateSession({ topic, namespaces: { ...namespaces, [namespace]: more } })
      await acknowledged()
    }
    await emit(kit, topic, id, 'chainChanged', mobileNamespaces[namespace].chainChanged?.(id) ?? id)
  }
}

/** @param account index in every namespace. Resolves when the dapps acknowledged. */
export async function tellAccount(kit: Kit, account: number): Promise<void> {
  for (const { topic, namespaces } of Object.values(kit.getActiveSessions())) {
    const updated = Object.fromEntries(
      Object.entries(namespaces).map(([key, namespace]) => [
        key,
        { ...namespace, accounts: chainsOf(namespace.accounts).map((chain) => accountOn(chain, account)) },
      ]),
    )
    const { acknowledged } = await kit.updateSession({ topic, namespaces: updated })
    await acknowledged()
    for (const { accounts } of Object.values(updated)) {
      for (const chain of chainsOf(accounts)) {
        await emit(kit, topic, chain, 'accountsChanged', [accountOn(chain, account)])
        await emit(kit, topic, chain, 'bip122_addressesChanged', bitcoinAddresses(account))
      }
    }
  }
}

/** Emits an event if the session was granted it. */
async function emit(kit: Kit, topic: string, chainId: string, name: string, data: unknown): Promise<void> {
  const namespace = kit.getActiveSessions()[topic]?.namespaces[namespaceOf(chainId)]
  if (namespace?.events.includes(name)) await kit.emitSessionEvent({ topic, chainId, event: { name, data } })
}

/** CAIP-10 to CAIP-2. */
const chainsOf = (accounts: readonly string[]) => [
  ...new Set(accounts.map((account) => account.slice(0, account.lastIndexOf(':')))),
]

/** Which networks the balance service knows nothing of: its silence about them is no zero. */
import type { CaipNetworkId, Network, TokenBalance } from '@postern/protocol'
import type { BlockchainApi } from '../../snapshot/money'

/** Asked once a page: what a gateway reaches changes with its configuration alone. */
const reached = new WeakMap<BlockchainApi, Promise<ReadonlySet<string>>>()

/** CAIP-2 ids of the networks that the gateway reaches. */
export function reachedBy(api: BlockchainApi): Promise<ReadonlySet<string>> {
  const known = reached.get(api)
  if (known !== undefined) return known
  const asking = api.supportedChains().then(({ http }) => new Set(http))
  reached.set(api, asking)
  asking.catch(() => reached.delete(api))
  return asking
}

/**
 * 1. Of one network that is asked for by name the service always tells the currency, so an answer without anything means that it does not cover it (interop §3).
 * 2. Asked for all at once it leaves out what there is nothing of. Then the networks that it does not reach are those that it does not cover.
 *
 * Rejects where that cannot be found out.
 */
export async function uncovered(
  api: BlockchainApi,
  networks: readonly Network[],
  told: readonly TokenBalance[],
): Promise<readonly Network[]> {
  const toldOf = new Set<CaipNetworkId>(told.map(({ chainId }) => chainId))
  const silent = networks.filter(({ caipNetworkId }) => !toldOf.has(caipNetworkId))
  if (networks.length === 1 || silent.length === 0) return silent
  const known = await reachedBy(api)
  return silent.filter(({ caipNetworkId }) => !known.has(caipNetworkId))
}

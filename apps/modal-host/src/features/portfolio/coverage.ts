/** No entry of an uncovered network is not a zero balance. */
import type { CaipNetworkId, Network, TokenBalance } from '@postern/protocol'
import type { BlockchainApi } from '../../snapshot/money'

/** Once per page: it only changes with the gateway's configuration. */
const reached = new WeakMap<BlockchainApi, Promise<ReadonlySet<string>>>()

/** CAIP-2 ids of the networks that the gateway supports. */
export function reachedBy(api: BlockchainApi): Promise<ReadonlySet<string>> {
  const known = reached.get(api)
  if (known !== undefined) return known
  const asking = api.supportedChains().then(({ http }) => new Set(http))
  reached.set(api, asking)
  asking.catch(() => reached.delete(api))
  return asking
}

/**
 * The networks that the balance service does not cover.
 *
 * 1. For a single network the service always returns the native currency, so an empty response means that it is not
 *    covered (interop §3).
 * 2. For several it omits zero balances; then the networks that the gateway does not support count as not covered.
 *
 * Rejects if that cannot be determined.
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

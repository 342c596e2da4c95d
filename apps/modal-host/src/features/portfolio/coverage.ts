import type { CaipNetworkId, Network, TokenBalance } from '@postern/protocol'
import type { BlockchainApi } from '../../snapshot/money'

/** Once per page: only the gateway's configuration changes it. */
const supported = new WeakMap<BlockchainApi, Promise<ReadonlySet<string>>>()

/** CAIP-2 ids. */
export function supportedChainIds(api: BlockchainApi): Promise<ReadonlySet<string>> {
  const cached = supported.get(api)
  if (cached !== undefined) return cached
  const loading = api.supportedChains().then(({ http }) => new Set(http))
  supported.set(api, loading)
  loading.catch(() => supported.delete(api))
  return loading
}

/**
 * The networks that the balance service does not cover: there, no entry does not mean a zero balance. Rejects if that
 * cannot be determined.
 *
 * 1. For a single network the service always returns the native currency: an empty response means not covered (interop
 *    §3).
 * 2. For several it omits zero balances; then the networks that the gateway does not support are not covered.
 */
export async function uncoveredNetworks(
  api: BlockchainApi,
  networks: readonly Network[],
  balances: readonly TokenBalance[],
): Promise<readonly Network[]> {
  const covered = new Set<CaipNetworkId>(balances.map(({ chainId }) => chainId))
  const missing = networks.filter(({ caipNetworkId }) => !covered.has(caipNetworkId))
  if (networks.length === 1 || missing.length === 0) return missing
  const supportedIds = await supportedChainIds(api)
  return missing.filter(({ caipNetworkId }) => !supportedIds.has(caipNetworkId))
}

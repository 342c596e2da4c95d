import {
  type ApprovalRequest,
  limits,
  type NetworkDefinition,
  namespaceOf,
  resolveNetwork,
  type WalletAddresses,
} from '@postern/protocol'
import { gatewayClient } from '../../chains/endpoint'
import type { DescribeApproval, Intent, KnownParties } from '../../intent/intent'
import type { Accounts, Reach } from '../../signing/accounts'
import { type KnownAddresses, noParties } from './known-addresses'

export type ApprovalFacts = {
  /** In the request's namespace. */
  readonly own: readonly string[]
  readonly known: KnownParties
}

/** Sources other than the modal and the dapp. */
export type FactSources = {
  readonly accounts: Pick<Accounts, 'smartAccount' | 'bitcoin'>
  readonly wallet: { open(): Promise<{ readonly userId: string; readonly addresses: WalletAddresses }> }
  readonly known: KnownAddresses
  readonly swapRouters: readonly { readonly networkId: string; readonly address: string }[]
}

export type FactsOf = (request: ApprovalRequest, signal: AbortSignal) => Promise<ApprovalFacts>

export function createFactsOf({ accounts, wallet, known, swapRouters }: FactSources): FactsOf {
  return async (request, signal) => {
    const { userId, addresses } = await wallet.open()
    const [own, knownAddresses] = await Promise.all([
      ownAddresses(request.networkId, addresses, accounts, signal),
      known.list({ userId, request }).catch(() => noParties),
    ])
    const routers = swapRouters.flatMap(({ networkId, address }) => (networkId === request.networkId ? [address] : []))
    return { own, known: { ...knownAddresses, contracts: [...knownAddresses.contracts, ...routers] } }
  }
}

export type DescriptionSources = Reach & {
  readonly factsOf: FactsOf
  readonly loadDescribe: () => Promise<DescribeApproval>
}

export type DescribeRequest = (
  request: ApprovalRequest,
  signal: AbortSignal,
  onIntent: (intent: Intent) => void,
) => Promise<void>

/**
 * Describes a waiting request, first without the chain. Rejects only if code does not load. Unreadable own or known
 * addresses count as absent: that only adds warnings.
 */
export function createDescribeRequest(sources: DescriptionSources): DescribeRequest {
  const { page, baseUrl, fetch, factsOf, loadDescribe } = sources
  return async (request, signal, onIntent) => {
    const { networkId } = request
    const describe = await loadDescribe()
    const facts = await factsOf(request, signal)
    const { symbol, decimals } = networkOf(page, networkId).nativeCurrency
    const isHere = (one: { readonly networkId: string }) => one.networkId === networkId
    const context = {
      routers: (page.swapRouters ?? []).filter(isHere).map(({ address }) => address),
      tokens: (page.tokens ?? []).filter(isHere),
      clientOf: (id: typeof networkId) => gatewayClient({ networkId: id, page, baseUrl, fetch }),
      nativeCurrency: { symbol, decimals },
      ...facts,
      signal,
    }
    await describe(request, context, (intent) => {
      if (!signal.aborted) onIntent(intent)
    })
  }
}

async function ownAddresses(
  networkId: ApprovalRequest['networkId'],
  addresses: WalletAddresses,
  accounts: FactSources['accounts'],
  signal: AbortSignal,
): Promise<readonly string[]> {
  if (networkId.startsWith('solana:')) return [addresses.solana]
  if (networkId.startsWith('bip122:')) return [await accounts.bitcoin(networkId, addresses)]
  const smart = await accounts.smartAccount(networkId, addresses, signal).catch(() => null)
  return smart === null ? [addresses.eip155] : [addresses.eip155, smart]
}

/** From here, because a dapp must not name a network. */
export function networkOf(
  page: Reach['page'],
  networkId: ApprovalRequest['networkId'],
): Pick<NetworkDefinition, 'name' | 'nativeCurrency' | 'imageUrl'> {
  const network = resolveNetwork(networkId, page.networks)
  return (
    network ?? {
      name: networkId,
      nativeCurrency: { name: '', symbol: '', decimals: limits.nativeDecimals[namespaceOf(networkId)] },
    }
  )
}

import {
  type CaipNetworkId,
  type Network,
  parseWalletAssets,
  type TokenBalance,
  type WalletAsset,
  withoutLowQualityTokens,
} from '@postern/protocol'
import * as z from 'zod/mini'
import { loadAdapter } from '../../chains/adapters'
import { exactUnits } from '../../chains/format'
import { LinkFailure } from '../../link/failure'
import type { MoneyHost } from '../contract'

export type PortfolioQuery = {
  readonly network: Network
  readonly address: string
  /** Asks anew what a service may still remember. */
  readonly fresh?: boolean
}

/** `partial`: only the native currency, because nobody else answered. */
export type Portfolio = { readonly balances: readonly TokenBalance[]; readonly partial: boolean }

type Money = Pick<MoneyHost, 'api' | 'request' | 'client'>

/**
 * What an account has on one network, in the order of spec §7.
 *
 * 1. EVM: a wallet that says that it discovers assets (`wallet_getCapabilities`, `assetDiscovery` of the chain) is asked (`wallet_getAssets`). Its
 *    answer counts only if every asset of it has the shape of one (spec §5); a wallet that cannot is no failure.
 * 2. Else the balance service.
 * 3. Where that fails, the native balance by the chain itself, as far as it goes. With neither: TOKEN_BALANCE_UNAVAILABLE.
 * 4. Tokens with zero decimals are dropped (spec §5). What is worth most comes first, then what there is most of by name.
 */
export async function loadPortfolio(money: Money, query: PortfolioQuery, signal?: AbortSignal): Promise<Portfolio> {
  const own = await ofWallet(money, query, signal)
  if (own !== null) return { balances: sorted(own), partial: false }
  const { network, address, fresh } = query
  const chainId = network.caipNetworkId
  try {
    const { balances } = await money.api.balance({ address, chainId, ...(fresh && { forceUpdate: true }) }, signal)
    return { balances: sorted(balances.filter((balance) => balance.chainId === chainId)), partial: false }
  } catch (thrown) {
    if (signal?.aborted) throw thrown
    return { balances: await nativeOnly(money, query, signal), partial: true }
  }
}

const Capabilities = z.record(
  z.string(),
  z.object({ assetDiscovery: z.optional(z.object({ supported: z.optional(z.boolean()) })) }),
)

async function ofWallet(
  money: Money,
  { network, address }: PortfolioQuery,
  signal: AbortSignal | undefined,
): Promise<readonly TokenBalance[] | null> {
  if (network.chainNamespace !== 'eip155') return null
  const hex = `0x${BigInt(network.id).toString(16)}`
  try {
    const capabilities = Capabilities.safeParse(
      await money.request('eip155', 'wallet_getCapabilities', [address, [hex]], signal),
    )
    if (!capabilities.success || capabilities.data[hex]?.assetDiscovery?.supported !== true) return null
    const params = [{ account: address, chainFilter: [hex] }]
    const assets = parseWalletAssets(await money.request('eip155', 'wallet_getAssets', params, signal))
    return assets === null ? null : (assets[hex] ?? []).map((asset) => toBalance(asset, network.caipNetworkId))
  } catch (thrown) {
    if (signal?.aborted) throw thrown
    return null
  }
}

function toBalance({ type, address, balance, metadata }: WalletAsset, chainId: CaipNetworkId): TokenBalance {
  const { name, symbol, decimals, price, iconUrl } = metadata
  const known = Number.isSafeInteger(decimals) && decimals >= 0 && decimals <= 255 ? decimals : 0
  return {
    name,
    symbol,
    chainId,
    ...(type === 'ERC20' && { address: `${chainId}:${address}` }),
    price,
    quantity: { decimals: String(known), numeric: exactUnits(BigInt(balance), known) },
    iconUrl,
  }
}

async function nativeOnly(
  money: Money,
  { network, address }: PortfolioQuery,
  signal: AbortSignal | undefined,
): Promise<readonly TokenBalance[]> {
  const { name, symbol, decimals } = network.nativeCurrency
  try {
    const adapter = await loadAdapter(network.chainNamespace)
    const amount = await adapter.nativeBalance(money.client(network.caipNetworkId), address, signal)
    const quantity = { decimals: String(decimals), numeric: exactUnits(amount, decimals) }
    return [{ name, symbol, chainId: network.caipNetworkId, price: 0, quantity, iconUrl: '' }]
  } catch (thrown) {
    if (signal?.aborted) throw thrown
    throw new LinkFailure('TOKEN_BALANCE_UNAVAILABLE', { cause: thrown })
  }
}

function sorted(balances: readonly TokenBalance[]): readonly TokenBalance[] {
  const worth = ({ value = 0 }: TokenBalance) => value
  return withoutLowQualityTokens(balances).sort(
    (one, other) => worth(other) - worth(one) || rank(one) - rank(other) || one.name.localeCompare(other.name, 'en'),
  )
}

/** The currency of the network before its tokens. */
function rank({ address }: TokenBalance): number {
  return address === undefined ? 0 : 1
}

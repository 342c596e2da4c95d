import { loadAdapter } from '@postern/chains/adapters'
import { exactUnits } from '@postern/chains/format'
import {
  type CaipNetworkId,
  limits,
  type Network,
  parseWalletAssets,
  type TokenBalance,
  type TokenListing,
  type WalletAsset,
  type WalletAssets,
  withoutLowQualityTokens,
} from '@postern/protocol'
import { Failure } from '@postern/protocol/failure'
import * as z from 'zod/mini'
import type { MoneyHost } from '../../snapshot/money'
import { factsOf } from '../../snapshot/namespace-facts'
import { centsOf } from '../../view-kit/format/fiat'
import { capabilitiesTimeoutMs, requestWithTimeout } from '../../view-kit/loading/request-with-timeout'
import { uncoveredNetworks } from './coverage'

export type Scope = {
  readonly address: string
  readonly networks: readonly Network[]
  /** The wallet may know more than the balance service. */
  readonly mayQueryWallet: boolean
}

/** CAIP-10 for one network; for several, the account with all. */
export function scopeKey({ address, networks }: Scope): string {
  return `${networks.map(({ caipNetworkId }) => caipNetworkId).join('+')}:${address}`
}

/** `partial`: a source did not respond. */
export type Portfolio = { readonly balances: readonly TokenBalance[]; readonly partial: boolean }

type Money = Pick<MoneyHost, 'api' | 'request' | 'client' | 'clock'>
type Load = { readonly fresh: boolean; readonly signal: AbortSignal | undefined }

/**
 * The holdings of accounts, from the sources in spec §7.
 *
 * 1. EVM: a wallet with asset discovery on the chain (`wallet_getCapabilities`) is asked (`wallet_getAssets`). Its
 *    answer is used only if every asset is valid (spec §5). A wallet that failed or stayed silent for 3 s is not asked
 *    again.
 * 2. Otherwise the balance service.
 * 3. If that fails, the chains' native balances that load; without any, TOKEN_BALANCE_UNAVAILABLE. The same for
 *    networks that the service does not cover, where no balance is not a failure. The result is then `partial`, not
 *    zero.
 * 4. With several networks, zero balances are omitted.
 * 5. A wallet's tokens get their listing from the balance service, else they are unlisted: a name in a wallet's answer
 *    proves nothing.
 * 6. Tokens with zero decimals are dropped (spec §5). Sorted by value, native currency, name.
 *
 * @param fresh bypasses the service's cache
 */
export async function loadHoldings(
  money: Money,
  scopes: readonly Scope[],
  fresh: boolean,
  signal?: AbortSignal,
): Promise<Portfolio> {
  const outcomes = await Promise.allSettled(scopes.map((scope) => holdingsOf(money, scope, { fresh, signal })))
  const found = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []))
  const failed = outcomes.find((outcome) => outcome.status === 'rejected')
  if (failed !== undefined && (found.length === 0 || signal?.aborted)) throw failed.reason
  const balances = found.flatMap((one) => one.balances)
  return {
    balances: sorted(scopes.length > 1 ? balances.filter(isSomething) : balances),
    partial: failed !== undefined || found.some(({ partial }) => partial),
  }
}

async function holdingsOf(money: Money, scope: Scope, load: Load): Promise<Portfolio> {
  const walletTokens = await walletBalances(money, scope, load.signal)
  const others = scope.networks.filter(({ caipNetworkId }) => !walletTokens.has(caipNetworkId))
  if (walletTokens.size === 0) return serviceBalances(money, scope, load)
  const networks = scope.networks.filter(({ caipNetworkId }) => walletTokens.has(caipNetworkId))
  const [listingOf, rest] = await Promise.all([
    serviceListings(money, { ...scope, networks }, load),
    others.length === 0
      ? { balances: [], partial: false }
      : serviceBalances(money, { ...scope, networks: others }, load),
  ])
  const tokens = [...walletTokens.values()].flat().map(listingOf)
  return { balances: [...tokens, ...rest.balances], partial: rest.partial }
}

/** Rule 5. */
async function serviceListings(
  { api }: Money,
  scope: Scope,
  { fresh, signal }: Load,
): Promise<(balance: TokenBalance) => TokenBalance> {
  const answer = await api.balance(queryOf(scope, fresh), signal).catch((thrown: unknown) => {
    if (signal?.aborted) throw thrown
    return { balances: [] }
  })
  const listings = new Map<string | undefined, TokenListing>(
    answer.balances.map(({ address, listing = 'listed' }) => [address?.toLowerCase(), listing]),
  )
  return (balance) =>
    balance.address === undefined
      ? balance
      : { ...balance, listing: listings.get(balance.address.toLowerCase()) ?? 'unlisted' }
}

function queryOf({ address, networks: [only, ...more] }: Scope, fresh: boolean) {
  const chainId = more.length === 0 ? only?.caipNetworkId : undefined
  return { address, ...(chainId !== undefined && { chainId }), ...(fresh && { forceUpdate: true }) }
}

async function serviceBalances(money: Money, scope: Scope, { fresh, signal }: Load): Promise<Portfolio> {
  const { networks } = scope
  const chainIds = new Set(networks.map(({ caipNetworkId }) => caipNetworkId))
  try {
    const answer = await money.api.balance(queryOf(scope, fresh), signal)
    const tokens = answer.balances.filter((balance) => chainIds.has(balance.chainId))
    const others = await uncoveredNetworks(money.api, networks, tokens).catch(() => null)
    if (others?.length === 0) return { balances: tokens, partial: false }
    const nativeTokens = await nativeBalances(money, { ...scope, networks: others ?? [] }, signal).catch(() => [])
    signal?.throwIfAborted()
    return { balances: [...tokens, ...nativeTokens], partial: true }
  } catch (thrown) {
    if (signal?.aborted) throw thrown
    return { balances: await nativeBalances(money, scope, signal), partial: true }
  }
}

const Capabilities = z.record(
  z.string(),
  z.object({ assetDiscovery: z.optional(z.object({ supported: z.optional(z.boolean()) })) }),
)

const unsupported = new WeakMap<MoneyHost['request'], Set<string>>()

async function walletBalances(
  { request, clock }: Money,
  { address, networks, mayQueryWallet }: Scope,
  signal: AbortSignal | undefined,
): Promise<ReadonlyMap<CaipNetworkId, readonly TokenBalance[]>> {
  const unsupportedChains = unsupported.get(request) ?? new Set()
  unsupported.set(request, unsupportedChains)
  const keyOf = (hex: string) => `${address} ${hex}`
  const chains = networks
    .filter(({ chainNamespace }) => mayQueryWallet && factsOf(chainNamespace).walletListsTokens)
    .map(({ id, caipNetworkId }) => ({ hex: `0x${BigInt(id).toString(16)}`, id: caipNetworkId }))
    .filter(({ hex }) => !unsupportedChains.has(keyOf(hex)))
  if (chains.length === 0) return new Map()
  const ask = (method: string, params: unknown, milliseconds: number) =>
    requestWithTimeout({ request, clock }, method, params, milliseconds, signal)
  let assets: WalletAssets | null = null
  try {
    const params = [address, chains.map(({ hex }) => hex)]
    const capabilities = Capabilities.safeParse(await ask('wallet_getCapabilities', params, capabilitiesTimeoutMs))
    const chainFilter = chains.flatMap(({ hex }) =>
      capabilities.data?.[hex]?.assetDiscovery?.supported === true ? [hex] : [],
    )
    if (chainFilter.length > 0)
      assets = parseWalletAssets(await ask('wallet_getAssets', [{ account: address, chainFilter }], limits.rpcTimeout))
  } catch (thrown) {
    if (signal?.aborted) throw thrown
  }
  const tokens = new Map<CaipNetworkId, readonly TokenBalance[]>()
  for (const { hex, id } of chains) {
    const listed = assets?.[hex]
    if (listed === undefined) unsupportedChains.add(keyOf(hex))
    else
      tokens.set(
        id,
        listed.map((asset) => toBalance(asset, id)),
      )
  }
  return tokens
}

function toBalance({ type, address, balance, metadata }: WalletAsset, chainId: CaipNetworkId): TokenBalance {
  const { name, symbol, decimals, price, iconUrl } = metadata
  const safeDecimals = Number.isSafeInteger(decimals) && decimals >= 0 && decimals <= 255 ? decimals : 0
  return {
    name,
    symbol,
    chainId,
    ...(type === 'ERC20' && { address: `${chainId}:${address}` }),
    price,
    quantity: { decimals: String(safeDecimals), numeric: exactUnits(BigInt(balance), safeDecimals) },
    iconUrl,
  }
}

async function nativeBalances(
  money: Money,
  { address, networks }: Scope,
  signal: AbortSignal | undefined,
): Promise<readonly TokenBalance[]> {
  const outcomes = await Promise.allSettled(
    networks.map(async ({ chainNamespace, caipNetworkId, nativeCurrency }): Promise<TokenBalance> => {
      const { name, symbol, decimals } = nativeCurrency
      const adapter = await loadAdapter(chainNamespace)
      const amount = await adapter.nativeBalance(money.client(caipNetworkId), address, signal)
      const quantity = { decimals: String(decimals), numeric: exactUnits(amount, decimals) }
      return { name, symbol, chainId: caipNetworkId, price: 0, quantity, iconUrl: '' }
    }),
  )
  const found = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []))
  const failed = outcomes.find((outcome) => outcome.status === 'rejected')
  if (failed !== undefined && signal?.aborted) throw failed.reason
  if (failed !== undefined && found.length === 0)
    throw new Failure('TOKEN_BALANCE_UNAVAILABLE', { cause: failed.reason })
  return found
}

function sorted(balances: readonly TokenBalance[]): readonly TokenBalance[] {
  return withoutLowQualityTokens(balances)
    .map((balance) => ({ balance, cents: centsOf(balance.quantity.numeric, balance.price) ?? 0n }))
    .sort(
      ({ balance: one, cents }, { balance: other, cents: others }) =>
        (others > cents ? 1 : others < cents ? -1 : 0) ||
        rank(one) - rank(other) ||
        one.name.localeCompare(other.name, 'en'),
    )
    .map(({ balance }) => balance)
}

function isSomething({ quantity }: TokenBalance): boolean {
  return /[1-9]/.test(quantity.numeric)
}

function rank({ address }: TokenBalance): number {
  return address === undefined ? 0 : 1
}

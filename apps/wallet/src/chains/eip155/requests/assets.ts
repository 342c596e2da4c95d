import { followAbort } from '@postern/base/abort'
import { parseUnits } from '@postern/chains/format'
import { isSameAddress } from '@postern/chains/same-address'
import {
  BalanceResponse,
  limits,
  resolveNetwork,
  shownTokens,
  type TokenBalance,
  type WalletAsset,
  withoutLowQualityTokens,
} from '@postern/protocol'
import { Failure } from '@postern/protocol/failure'
import { parseParams } from '@postern/protocol/validation/params'
import { decodeAbiParameters, encodeFunctionData, type Hex, hexToString, numberToHex, parseAbi, size, trim } from 'viem'
import * as z from 'zod/mini'
import type { ChainContext } from '../../../contract'
import { type Accounts, chooseAccount } from '../account/accounts'
import { type Ask, chainOf } from '../endpoints/endpoints'
import { EvmAddress, HexBytes, Quantity } from '../endpoints/quantities'

const ChainId = z.string().check(z.regex(/^0x[0-9a-fA-F]{1,13}$/))
const AssetType = z.string().check(z.maxLength(32))
const Params = z.tuple(
  [
    z.object({
      account: z.string(),
      chainFilter: z.nullish(z.array(ChainId).check(z.maxLength(32))),
      assetTypeFilter: z.nullish(z.array(AssetType)),
      assetFilter: z.nullish(
        z.record(ChainId, z.array(z.object({ address: z.string(), type: AssetType })).check(z.maxLength(100))),
      ),
    }),
  ],
  z.unknown(),
)

const abi = parseAbi([
  'function balanceOf(address owner) view returns (uint256)',
  'function name() view returns (string)',
  'function symbol() view returns (string)',
  'function decimals() view returns (uint8)',
])

/**
 * Serves wallet_getAssets (ERC-7811), in the shape of spec §3.
 *
 * 1. The account is the wallet's. The default network is the connected one.
 * 2. Lists the native currency and the balance service's tokens, without zero decimals; without a response, the native
 *    currency alone.
 * 3. For a network in `assetFilter`, only the listed assets, from the chain at price 0, if the contract responds.
 * 4. A network that cannot be reached has an empty list.
 * 5. A token that advertises a site (`phishing`) is omitted unless `assetFilter` names it. Unlisted tokens come last;
 *    `metadata.listing` marks them and copies.
 */
export async function walletAssets(
  params: unknown,
  accounts: Accounts,
  context: ChainContext,
): Promise<Record<string, readonly WalletAsset[]>> {
  const [{ account, chainFilter, assetTypeFilter, assetFilter }] = parseParams(Params, params)
  const { address } = chooseAccount(accounts, account)
  const chainIds = chainFilter ?? (assetFilter ? Object.keys(assetFilter) : [numberToHex(accounts.chainId)])
  const isWanted = (type: string) =>
    assetTypeFilter === null || assetTypeFilter === undefined || assetTypeFilter.some((it) => isType(it, type))
  const entries = chainIds.map(async (chainId) => {
    const requested = assetFilter?.[chainId]
    const tokens = requested?.flatMap((asset) => {
      const token = EvmAddress.safeParse(asset.address)
      return isType(asset.type, 'ERC20') && token.success ? [token.data] : []
    })
    const hasNative =
      isWanted('NATIVE') && (requested === undefined || requested.some(({ type }) => isType(type, 'NATIVE')))
    const there: ChainContext = { ...context, networkId: `eip155:${Number(chainId)}` }
    const found = await assetsOn(there, address, { hasNative, tokens: isWanted('ERC20') ? tokens : [] })
    return [chainId, found] as const
  })
  return Object.fromEntries(await Promise.all(entries))
}

function isType(requestedType: string, type: string): boolean {
  return requestedType.toUpperCase() === type
}

async function assetsOn(
  context: ChainContext,
  account: string,
  { hasNative, tokens }: { readonly hasNative: boolean; readonly tokens: readonly string[] | undefined },
): Promise<readonly WalletAsset[]> {
  const ask = chainOf(context)
  const currency = resolveNetwork(context.networkId, context.page.networks)?.nativeCurrency
  const native = hasNative && currency !== undefined ? [nativeAsset(ask, account, currency)] : []
  const listed = unique(tokens ?? []).map((token) => tokenAsset(ask, account, token))
  const held = tokens === undefined ? heldTokens(context, account) : Promise.resolve([])
  const [found, service] = await Promise.all([Promise.allSettled([...native, ...listed]), held.catch(() => [])])
  if (context.signal.aborted) throw new Failure('ABORTED')
  return [...found.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : [])), ...service]
}

async function heldTokens(context: ChainContext, account: string): Promise<readonly WalletAsset[]> {
  const { networkId, page, baseUrl, fetch } = context
  const controller = new AbortController()
  const timer = setTimeout(() => controller.abort(), limits.rpcTimeout)
  const signal = followAbort(controller, context.signal)
  try {
    const query = new URLSearchParams({ chainId: networkId, projectId: page.projectId })
    const response = await fetch(`${baseUrl}/v1/account/${account}/balance?${query}`, { signal })
    if (!response.ok) return []
    const { balances } = BalanceResponse.parse(await response.json())
    const { tokens } = shownTokens(withoutLowQualityTokens(balances), false)
    return tokens.flatMap((balance) => heldToken(balance, networkId))
  } finally {
    clearTimeout(timer)
    controller.abort()
  }
}

function heldToken(
  { address: caipAddress = '', chainId, name, symbol, price, value, quantity, listing }: TokenBalance,
  networkId: string,
): WalletAsset[] {
  const address = EvmAddress.safeParse(caipAddress.slice(`${networkId}:`.length))
  const decimals = Number(quantity.decimals)
  const amount = parseUnits(quantity.numeric, decimals)
  if (chainId !== networkId || !caipAddress.startsWith(`${networkId}:`) || !address.success || !amount) return []
  const more = { ...(value !== undefined && { value }), ...(listing !== undefined && { listing }) }
  const metadata = { name, symbol, decimals, price, ...more, iconUrl: '' }
  return [{ address: address.data, balance: numberToHex(amount), type: 'ERC20', metadata }]
}

function unique(tokens: readonly string[]): readonly string[] {
  return tokens.filter((token, at) => tokens.findIndex((other) => isSameAddress(other, token)) === at)
}

async function nativeAsset(
  ask: Ask,
  account: string,
  { name, symbol, decimals }: { readonly name: string; readonly symbol: string; readonly decimals: number },
): Promise<WalletAsset> {
  const balance = await ask('eth_getBalance', [account, 'latest'], Quantity)
  const metadata = { name, symbol, decimals: decimals ?? limits.nativeDecimals.eip155, price: 0, iconUrl: '' }
  return { address: 'native', balance: numberToHex(balance), type: 'NATIVE', metadata }
}

async function tokenAsset(ask: Ask, account: string, token: string): Promise<WalletAsset> {
  const read = (data: Hex) => ask('eth_call', [{ to: token, data }, 'latest'], HexBytes)
  const [balance, name, symbol, decimals] = await Promise.all([
    read(encodeFunctionData({ abi, functionName: 'balanceOf', args: [EvmAddress.parse(account)] })),
    read(encodeFunctionData({ abi, functionName: 'name' })),
    read(encodeFunctionData({ abi, functionName: 'symbol' })),
    read(encodeFunctionData({ abi, functionName: 'decimals' })),
  ])
  const [amount] = decodeAbiParameters([{ type: 'uint256' }], balance)
  const [places] = decodeAbiParameters([{ type: 'uint8' }], decimals)
  const metadata = { name: text(name), symbol: text(symbol), decimals: places, price: 0, iconUrl: '' }
  return { address: token, balance: numberToHex(amount), type: 'ERC20', metadata }
}

const maxNameLength = 64

/** Old tokens return their names as bytes32. */
function text(answer: Hex): string {
  const name =
    size(answer) === 32
      ? hexToString(trim(answer, { dir: 'right' }))
      : decodeAbiParameters([{ type: 'string' }], answer)[0]
  return name.slice(0, maxNameLength)
}

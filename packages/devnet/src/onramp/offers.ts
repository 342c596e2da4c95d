import { formatUnits, parseUnits } from 'viem'
import { devnetBitcoinId, devnetChains, devnetSolanaId } from '../chain-ids'
import { type Currency, centsIn, currencies } from '../market/prices'
import { type DevnetPorts, devnetContracts } from '../networks'

export type Offer = {
  readonly asset: 'ETH' | 'DUSD' | 'SOL' | 'BTC'
  readonly name: string
  readonly decimals: number
  /** The sandbox's name, like Coinbase's `ethereum` or `base`. */
  readonly network: string
  readonly networkName: string
  /** EVM: the number; else CAIP-2. */
  readonly chainId: string
  /** Empty for a native currency. */
  readonly contract: string
}

/** Omits chains without a port. */
export function offersOf(ports: DevnetPorts): Offer[] {
  const evm = devnetChains.flatMap(({ chainId, name }): Offer[] => {
    const network = { network: `postern-${chainId}`, networkName: name, chainId: `${chainId}` }
    return [
      { asset: 'ETH', name: 'Ether', decimals: 18, contract: '', ...network },
      { asset: 'DUSD', name: 'Devnet Dollar', decimals: 6, contract: devnetContracts.dollar, ...network },
    ]
  })
  const solana = { network: 'postern-solana', networkName: 'Postern Solana', chainId: devnetSolanaId, contract: '' }
  const bitcoin = { network: 'bitcoin-regtest', networkName: 'Bitcoin Regtest', chainId: devnetBitcoinId, contract: '' }
  return [
    ...evm,
    ...(ports.solana === undefined ? [] : [{ asset: 'SOL', name: 'Solana', decimals: 9, ...solana } as const]),
    ...(ports.bitcoin === undefined ? [] : [{ asset: 'BTC', name: 'Bitcoin', decimals: 8, ...bitcoin } as const]),
  ]
}

/** In whole units of any currency. */
export const limits = { CARD: { min: 5, max: 500 }, ACH_BANK_ACCOUNT: { min: 10, max: 25_000 } } as const
export type PaymentMethod = keyof typeof limits
export const isPaymentMethod = (text: string): text is PaymentMethod => Object.hasOwn(limits, text)

export type Quote = {
  readonly currency: Currency
  /** In cents. */
  readonly total: bigint
  readonly subtotal: bigint
  readonly coinbaseFee: bigint
  readonly networkFee: bigint
  /** In base units. */
  readonly purchased: bigint
}

/** In cents. */
const networkFee = 25n

/** At most two fraction digits; null if invalid. */
export const centsFrom = (text: string): bigint | null =>
  /^(0|[1-9]\d{0,8})(\.\d{1,2})?$/.test(text) ? parseUnits(text, 2) : null

/** One per cent for the provider, plus the network fee. Null outside the limits. */
export function quoteOf(offer: Offer, currency: Currency, method: PaymentMethod, total: bigint): Quote | null {
  const { min, max } = limits[method]
  if (total < BigInt(min) * 100n || total > BigInt(max) * 100n) return null
  const coinbaseFee = total / 100n
  const subtotal = total - coinbaseFee - networkFee
  const purchased = (subtotal * 10n ** BigInt(offer.decimals)) / centsIn(currency, offer.asset)
  return { currency, total, subtotal, coinbaseFee, networkFee, purchased }
}

/** Cents, so that at least `amount` base units arrive. */
export function totalFor(offer: Offer, currency: Currency, amount: bigint): bigint {
  const unit = 10n ** BigInt(offer.decimals)
  const subtotal = (amount * centsIn(currency, offer.asset) + unit - 1n) / unit
  return ((subtotal + networkFee) * 100n + 98n) / 99n
}

export const money = (cents: bigint) => {
  const digits = `${cents}`.padStart(3, '0')
  return `${digits.slice(0, -2)}.${digits.slice(-2)}`
}

/** Source: https://docs.cdp.coinbase.com/api-reference/rest-api/onramp-offramp/create-buy-quote */
export function quoteView(offer: Offer, quote: Quote) {
  const fiat = (cents: bigint) => ({ value: money(cents), currency: quote.currency })
  return {
    payment_total: fiat(quote.total),
    payment_subtotal: fiat(quote.subtotal),
    purchase_amount: { value: formatUnits(quote.purchased, offer.decimals), currency: offer.asset },
    coinbase_fee: fiat(quote.coinbaseFee),
    network_fee: fiat(quote.networkFee),
  }
}

/** Source: https://docs.cdp.coinbase.com/api-reference/rest-api/onramp-offramp/get-buy-options */
export function optionsView(offers: readonly Offer[]) {
  const assets = new Map<string, Offer[]>()
  for (const offer of offers) assets.set(offer.asset, [...(assets.get(offer.asset) ?? []), offer])
  return {
    payment_currencies: Object.keys(currencies).map((id) => ({
      id,
      limits: Object.entries(limits).map(([method, { min, max }]) => ({ id: method, min: `${min}`, max: `${max}` })),
    })),
    purchase_currencies: [...assets].map(([symbol, asset]) => ({
      id: symbol,
      name: asset[0]?.name ?? symbol,
      symbol,
      icon_url: '',
      networks: asset.map(({ network, networkName, chainId, contract }) => ({
        name: network,
        display_name: networkName,
        chain_id: chainId,
        contract_address: contract,
        icon_url: '',
      })),
    })),
  }
}

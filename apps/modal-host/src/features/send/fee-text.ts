import type { Network } from '@postern/protocol'
import { type TextKey, useLocale, useText } from '@postern/ui/locales/text'
import { satoshisPerVbyte } from '../../../../../packages/chains/src/bip122/coins'
import { formatCost } from '../../view-kit/format/format-amount'
import type { FeeChoice, Quote } from './senders/sender'

const waits: Readonly<Record<FeeChoice, TextKey>> = {
  slow: 'send.wait.slow',
  normal: 'send.wait.normal',
  fast: 'send.wait.fast',
}

/** The fee, marked as an estimate until the wallet has chosen. */
export function useFeeText(network: Network, quote: Quote | null) {
  const t = useText()
  const locale = useLocale()
  const { decimals, symbol } = network.nativeCurrency
  const cost = (units: bigint) => `${formatCost(units, decimals, locale)} ${symbol}`
  return {
    fee: quote === null || quote.fee === null ? t('send.feeOfWallet') : `≈\u202F${cost(quote.fee)}`,
    maxFee: quote === null || quote.maxFee === null ? null : cost(quote.maxFee),
    deposit: quote === null || quote.deposit === 0n ? null : cost(quote.deposit),
    wait(choice: FeeChoice): string {
      const rate = quote?.rates?.[choice]
      return rate === undefined ? '' : t(waits[choice], { rate: rateText(rate, locale) })
    },
  }
}

function rateText(rate: bigint, locale: string): string {
  return new Intl.NumberFormat(locale, { maximumFractionDigits: 1 }).format(satoshisPerVbyte(rate))
}

import type { Network } from '@postern/protocol'
import { type TextKey, useLocale, useText } from '@postern/ui/locales/text'
import { allHeld } from '../../view-kit/held'
import { useSnapshot } from '../../view-kit/host-context'
import { writtenCost } from '../../view-kit/written'
import { perByte } from './rate'
import type { FeeChoice, Quote } from './ways/way'

const waits: Readonly<Record<FeeChoice, TextKey>> = {
  slow: 'send.wait.slow',
  normal: 'send.wait.normal',
  fast: 'send.wait.fast',
}

/** Marked as an estimate until the wallet has chosen. */
export function useFeeText(network: Network, quote: Quote | null) {
  const t = useText()
  const locale = useLocale()
  const { decimals, symbol } = network.nativeCurrency
  const wallet = useSnapshot(
    ({ connections }) =>
      allHeld({ connections }).find(({ namespace }) => namespace === network.chainNamespace)?.connector?.name ?? '',
  )
  const cost = (units: bigint) => `${writtenCost(units, decimals, locale)} ${symbol}`
  return {
    fee: quote === null || quote.fee === null ? t('send.feeOfWallet', { wallet }) : `≈\u202F${cost(quote.fee)}`,
    atMost: quote === null || quote.atMost === null ? null : cost(quote.atMost),
    deposit: quote === null || quote.deposit === 0n ? null : cost(quote.deposit),
    wait(choice: FeeChoice): string {
      const rate = quote?.rates?.[choice]
      return rate === undefined ? '' : t(waits[choice], { rate: rateText(rate, locale) })
    },
  }
}

function rateText(rate: bigint, locale: string): string {
  return new Intl.NumberFormat(locale, { maximumFractionDigits: 1 }).format(perByte(rate))
}

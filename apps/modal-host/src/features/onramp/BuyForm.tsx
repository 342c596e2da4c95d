import { exactUnits, parseUnits } from '@postern/chains/format'
import type { Network, OnRampOptions } from '@postern/protocol'
import { Button, TextButton } from '@postern/ui/button'
import { ExternalIcon } from '@postern/ui/icons'
import { useLocale, useText } from '@postern/ui/locales/text'
import { Notice } from '@postern/ui/notice'
import { plainText } from '@postern/ui/plain-text'
import { Row } from '@postern/ui/row'
import { ForwardIcon } from '@postern/ui/view-icons'
import { useRef } from 'react'
import { parseDecimal } from '../../view-kit/format/parse-decimal'
import { useMoney, useSnapshot } from '../../view-kit/host-context'
import { readError } from '../../view-kit/messages/read-error'
import { useShortErrorMessage } from '../../view-kit/messages/short-error-message'
import { useNavigation } from '../../view-kit/navigation'
import { Costs } from './Costs'
import { currencyOf } from './currencies'
import { FiatField } from './FiatField'
import { formatPayment, formatPurchase } from './format-payment'
import { OfferPicture } from './OfferPicture'
import { type AmountKind, fiatDecimals, kindOfAmount, limitsOf, maxAmount, minAmount, type Offer } from './offers'
import styles from './on-ramp.module.css'
import { isPending, startOrder, useOnRampForm, useOnRampStore } from './order'
import { useQuote } from './use-options'

type BuyFormProps = {
  readonly network: Network
  readonly address: string
  readonly offers: readonly Offer[]
  readonly options: OnRampOptions
}

export function BuyForm({ network, address, offers, options }: BuyFormProps) {
  const t = useText()
  const errorMessage = useShortErrorMessage()
  const locale = useLocale()
  const money = useMoney()
  const { push } = useNavigation()
  const store = useOnRampStore()
  const isLeft = useRef(false)
  const { form, change } = useOnRampForm()
  const orderedOn = useSnapshot(({ networks }) =>
    networks.find(({ caipNetworkId }) => caipNetworkId === form.order?.networkId),
  )
  const offer = offers.find(({ id }) => id === form.asset) ?? offers[0]
  const currency = currencyOf(form.currency, options)
  const range = limitsOf(currency, options)
  const decimal = parseDecimal(form.text, locale)
  const cents = decimal === null ? null : parseUnits(decimal, fiatDecimals)
  const kind = kindOfAmount(cents, range)
  const amount = exactUnits(cents ?? 0n, fiatDecimals)
  const quoteRequest = kind === 'card' && offer !== undefined ? { offer, amount, currency } : null
  const { quote, isOld, failed, retry } = useQuote(quoteRequest)
  const inFiat = (units: bigint) => formatPayment({ amount: exactUnits(units, fiatDecimals), currency }, locale)
  const complaints: Readonly<Record<AmountKind, string | null>> = {
    none: cents === null && form.text.trim() !== '' ? t('buy.noAmount') : null,
    low: t('buy.least', { amount: inFiat(minAmount(range)) }),
    high: t('buy.most', { amount: inFiat(maxAmount(range)) }),
    card: null,
    bank: null,
  }
  if (offer === undefined) return null
  const symbol = plainText(offer.symbol, 12)

  const missing =
    kind === 'none' ? t(complaints.none === null ? 'swap.enterAmount' : 'swap.notAnAmount') : complaints[kind]
  const choose = (choosing: 'currency' | 'asset') => {
    change({ choosing })
    push('OnRampCurrency')
  }
  const buy = () => {
    if (isLeft.current || (kind !== 'card' && kind !== 'bank')) return
    // The next view may still be loading: a second window would orphan this purchase.
    isLeft.current = true
    const expected = quoteRequest === null || isOld ? null : (quote?.purchaseAmount.amount ?? null)
    const request = { offer, networkId: network.caipNetworkId, address, amount, currency, expected }
    void startOrder(store, request, money)
    push('OnRampReturn')
  }
  return (
    <div className={styles.buy}>
      {isPending(form.order) && (
        <Row
          icon={<OfferPicture offer={form.order.offer} network={orderedOn} />}
          title={t('buy.underWay')}
          detail={`${formatPayment(form.order, locale)} → ${plainText(form.order.offer.symbol, 12)}`}
          trailing={<ForwardIcon small />}
          onPress={() => push('OnRampReturn')}
        />
      )}
      <FiatField
        text={form.text}
        currency={currency}
        complaint={complaints[kind]}
        range={range.card}
        onType={(text) => change({ text })}
        onCurrency={() => choose('currency')}
      />
      <Row
        icon={<OfferPicture offer={offer} network={network} />}
        title={plainText(offer.name) || symbol}
        detail={t('buy.on', { network: network.name })}
        trailing={
          <>
            {quote !== null && kind === 'card' && (
              <bdi className={styles.get} data-old={isOld || undefined}>
                {`≈\u202F${formatPurchase(quote.purchaseAmount.amount, locale)}\u00A0${symbol}`}
              </bdi>
            )}
            <ForwardIcon small />
          </>
        }
        onPress={() => choose('asset')}
      />
      {kind !== 'bank' && failed === null && <Costs quote={kind === 'card' ? quote : null} address={address} />}
      {kind === 'bank' && (
        <Notice tone="info" title={t('buy.bank', { amount: inFiat(range.card.max) })} text={t('buy.bankText')} />
      )}
      {failed !== null && (
        <Notice tone="warn" title={t('buy.noQuote')} text={errorMessage(readError(failed))}>
          <TextButton onPress={retry}>{t('tryAgain')}</TextButton>
        </Notice>
      )}
      <Button tone="primary" disabled={kind !== 'card' && kind !== 'bank'} onPress={buy}>
        {missing ?? (
          <>
            {t('buy.continue')}
            <ExternalIcon small />
          </>
        )}
      </Button>
      <p className={styles.note}>{t('buy.seller')}</p>
    </div>
  )
}

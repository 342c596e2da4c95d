import { TextButton } from '@postern/ui/button'
import { useLocale, useText } from '@postern/ui/locales/text'
import { safePicture } from '@postern/ui/safe-picture'
import { lengthOf } from '@postern/ui/text-length'
import { TokenPicture } from '@postern/ui/token-picture'
import { Unseen } from '@postern/ui/unseen'
import { ForwardIcon } from '@postern/ui/view-icons'
import { useId } from 'react'
import { DecimalInput } from '../../view-kit/DecimalInput'
import { formatBalance, formatDecimal, formatFiat } from '../../view-kit/format/format-amount'
import { Pending } from '../../view-kit/loading/Pending'
import { shortDecimal } from './quote'
import styles from './swap.module.css'
import type { SwapToken } from './tokens'
import type { Swapper } from './use-swap'

const maxLargeDigits = 8
const maxLength = 14

type SideProps = {
  readonly swapper: Swapper
  readonly token: SwapToken | null
  /** In smallest units. */
  readonly amount: bigint | null
  /** In US dollars. */
  readonly price: number | undefined
  readonly onChoose: () => void
}

type PaidProps = SideProps & {
  readonly text: string
  readonly balance: bigint | null
  readonly isBad: boolean
  readonly onType: (text: string) => void
  readonly onMost: (() => void) | undefined
}

export function PaidSide(props: PaidProps) {
  const { swapper, token, text, amount, balance, price, isBad, onType, onMost, onChoose } = props
  const t = useText()
  const locale = useLocale()
  const id = useId()
  return (
    <section className={styles.side} data-bad={isBad || undefined} aria-label={t('swap.pay')}>
      <div className={styles.line} data-long={lengthOf(text.length, maxLargeDigits, maxLength)}>
        <span className={styles.typed}>
          <label className={styles.label} htmlFor={id}>
            {t('swap.pay')}
          </label>
          <DecimalInput
            id={id}
            className={styles.input}
            value={text}
            placeholder="0"
            isBad={isBad}
            describedBy={`${id}-there`}
            onType={onType}
          />
        </span>
        <TokenPill swapper={swapper} token={token} onPress={onChoose} side={t('swap.pay')} />
      </div>
      <div className={styles.below}>
        <Worth token={token} amount={amount} price={price} />
        <span id={`${id}-there`} className={styles.there}>
          {balance !== null && token !== null && (
            <bdi>{t('swap.available', { amount: formatBalance(balance, token.decimals, locale) })}</bdi>
          )}
          {onMost !== undefined && <TextButton onPress={onMost}>{t('swap.max')}</TextButton>}
        </span>
      </div>
    </section>
  )
}

export function ReceivedSide(props: SideProps & { readonly isAsking: boolean }) {
  const { swapper, token, amount, price, isAsking, onChoose } = props
  const t = useText()
  const locale = useLocale()
  const shown = amount === null || token === null ? null : formatDecimal(shortDecimal(amount, token.decimals), locale)
  return (
    <section className={styles.side} aria-label={t('swap.receive')} aria-busy={isAsking || undefined}>
      <div className={styles.line} data-long={lengthOf(shown?.length ?? 0, maxLargeDigits, maxLength)}>
        <span className={styles.typed}>
          <span className={styles.label}>{t('swap.receive')}</span>
          <output className={styles.output} data-empty={shown === null || undefined}>
            {isAsking ? <Pending /> : (shown ?? '0')}
          </output>
        </span>
        <TokenPill swapper={swapper} token={token} onPress={onChoose} side={t('swap.receive')} />
      </div>
      <div className={styles.below}>
        <Worth token={token} amount={amount} price={price} />
      </div>
    </section>
  )
}

function Worth({ token, amount, price }: Pick<SideProps, 'token' | 'amount' | 'price'>) {
  const locale = useLocale()
  const fiat =
    token === null || amount === null || price === undefined ? null : formatFiat(amount, token.decimals, price, locale)
  return (
    <bdi className={styles.worth}>
      {fiat !== null && '≈\u202F'}
      {fiat}
    </bdi>
  )
}

function TokenPill({
  swapper,
  token,
  side,
  onPress,
}: Pick<SideProps, 'swapper' | 'token'> & { readonly side: string; readonly onPress: () => void }) {
  const t = useText()
  return (
    <button type="button" className={styles.pill} onClick={onPress} data-empty={token === null || undefined}>
      {token !== null && <SwapPicture swapper={swapper} token={token} size="small" />}
      <bdi className={styles.symbol}>{token?.symbol ?? t('swap.select')}</bdi>
      <Unseen>
        , {side}, {t('swap.change')}
      </Unseen>
      <ForwardIcon small className={styles.down} />
    </button>
  )
}

export function SwapPicture({
  swapper: { network },
  token: { address, symbol, logoUri, isNative },
  size = 'row',
}: {
  readonly swapper: Pick<Swapper, 'network'>
  readonly token: SwapToken
  readonly size?: 'row' | 'small'
}) {
  return (
    <TokenPicture
      src={safePicture(logoUri) ?? (isNative ? network.assets?.imageUrl : undefined)}
      seed={isNative ? symbol : address}
      symbol={symbol}
      size={size}
    />
  )
}

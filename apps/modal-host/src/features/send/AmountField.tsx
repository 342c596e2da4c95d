import { exactUnits } from '@postern/chains/format'
import { TextButton } from '@postern/ui/button'
import { useLocale, useText } from '@postern/ui/locales/text'
import { plainText } from '@postern/ui/plain-text'
import { lengthOf } from '@postern/ui/text-length'
import { Unseen } from '@postern/ui/unseen'
import { SwapIcon } from '@postern/ui/view-icons'
import { useId } from 'react'
import { DecimalInput } from '../../view-kit/DecimalInput'
import { formatDecimal, formatFiat } from '../../view-kit/format/format-amount'
import { type AmountEntry, inUnit } from './amount'
import styles from './send.module.css'
import type { SendToken } from './token'

type AmountFieldProps = {
  readonly token: SendToken
  readonly entry: AmountEntry
  /** In smallest units; null if invalid. */
  readonly amount: bigint | null
  readonly complaint: string | null
  readonly canTakeAll: boolean
  readonly onChange: (entry: AmountEntry) => void
  readonly onAll: () => void
}

export function AmountField(props: AmountFieldProps) {
  const { token, entry, amount, complaint, canTakeAll, onChange, onAll } = props
  const t = useText()
  const locale = useLocale()
  const id = useId()
  const symbol = plainText(token.symbol, 12)
  const inFiat = entry.unit === 'fiat'
  const other = inFiat
    ? `${formatDecimal(exactUnits(amount ?? 0n, token.decimals), locale)} ${symbol}`
    : formatFiat(amount ?? 0n, token.decimals, token.price, locale)
  return (
    <div className={styles.amount}>
      <div className={styles.field} data-bad={complaint !== null || undefined}>
        <label className={styles.typed} htmlFor={id}>
          <span className={styles.label}>{t('send.amount')}</span>
          <span className={styles.line} data-long={lengthOf(entry.text.length, 12, 20)}>
            {inFiat && <span className={styles.unit}>$</span>}
            <DecimalInput
              id={id}
              className={styles.input}
              value={entry.text}
              placeholder="0"
              goesOn
              isBad={complaint !== null}
              describedBy={`${id}-said`}
              onType={(text) => onChange({ text, unit: entry.unit })}
            />
            {!inFiat && <bdi className={styles.unit}>{symbol}</bdi>}
          </span>
        </label>
        <div className={styles.below}>
          {token.price > 0 ? (
            <button
              type="button"
              className={styles.turn}
              onClick={() => onChange(inUnit(entry, inFiat ? 'token' : 'fiat', token, locale))}
            >
              <bdi className={styles.other}>{other}</bdi>
              <Unseen>. {t(inFiat ? 'send.inToken' : 'send.inFiat', { symbol })}</Unseen>
              <SwapIcon small />
            </button>
          ) : (
            <span />
          )}
          {canTakeAll && <TextButton onPress={onAll}>{t('send.max')}</TextButton>}
        </div>
      </div>
      <p id={`${id}-said`} className={styles.complaint} role="alert">
        {complaint}
      </p>
    </div>
  )
}

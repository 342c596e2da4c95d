import { exactUnits } from '@postern/chains/format'
import { useLocale, useText } from '@postern/ui/locales/text'
import { ForwardIcon } from '@postern/ui/view-icons'
import { useId } from 'react'
import { DecimalInput } from '../../view-kit/DecimalInput'
import { formatDecimal } from '../../view-kit/format/format-amount'
import { decimalInputText } from '../../view-kit/format/parse-decimal'
import { CurrencyPicture } from './CurrencyPicture'
import { currencyName } from './currencies'
import { fiatDecimals, type Range } from './offers'
import styles from './on-ramp.module.css'

type FiatFieldProps = {
  readonly text: string
  readonly currency: string
  readonly complaint: string | null
  /** Limits of the most common payment method. */
  readonly range: Range
  readonly onType: (text: string) => void
  readonly onCurrency: () => void
}

export function FiatField({ text, currency, complaint, range, onType, onCurrency }: FiatFieldProps) {
  const t = useText()
  const locale = useLocale()
  const id = useId()
  return (
    <div className={styles.entry}>
      <div className={styles.field} data-bad={complaint !== null || undefined}>
        <label className={styles.typed} htmlFor={id}>
          <span className={styles.label}>{t('buy.pay')}</span>
          <DecimalInput
            id={id}
            className={styles.input}
            value={text}
            placeholder={formatDecimal('0.00', locale)}
            maxLength={24}
            isBad={complaint !== null}
            describedBy={`${id}-said`}
            onType={onType}
          />
        </label>
        <button
          type="button"
          className={styles.currency}
          aria-label={t('buy.changeCurrency', { currency: currencyName(currency, locale) })}
          onClick={onCurrency}
        >
          <CurrencyPicture code={currency} size="small" />
          {currency}
          <ForwardIcon small />
        </button>
      </div>
      <p id={`${id}-said`} className={styles.complaint} role="alert">
        {complaint}
      </p>
      <ul className={styles.amounts} aria-label={t('buy.amounts')}>
        {suggested(range).map((units) => {
          const amount = exactUnits(units, fiatDecimals)
          return (
            <li key={amount}>
              <button type="button" className={styles.amount} onClick={() => onType(decimalInputText(amount, locale))}>
                <bdi>{`${formatDecimal(amount, locale)}\u00A0${currency}`}</bdi>
              </button>
            </li>
          )
        })}
      </ul>
    </div>
  )
}

/** Round amounts within the card limits, in cents. */
function suggested({ min, max }: Range): readonly bigint[] {
  return [5_000n, 10_000n, 25_000n].filter((units) => units >= min && units <= max)
}

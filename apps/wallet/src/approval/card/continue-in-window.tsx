import { Button, ButtonPair } from '@postern/ui/button'
import { useLocale, useText } from '@postern/ui/locales/text'
import type { ApprovalPlace, WindowReason } from '../place/place'
import styles from './approval.module.css'

export type ContinueInWindowProps = {
  readonly place: Extract<ApprovalPlace, { place: 'window' }>
  /** `blocked`: the browser blocked the last window. */
  readonly popup: 'closed' | 'open' | 'blocked'
  /** Called inside the click, so that the window may open. */
  readonly onContinue: () => void
  readonly onReject: () => void
}

const reasonTexts = {
  always: 'approve.window.always',
  origin: 'approve.window.origin',
  value: 'approve.window.value',
  small: 'approve.window.small',
} as const satisfies Record<WindowReason, string>

const popupTexts = { open: 'approve.window.open', blocked: 'approve.window.blocked' } as const

export function ContinueInWindow({ place, popup, onContinue, onReject }: ContinueInWindowProps) {
  const t = useText()
  const locale = useLocale()
  const limitUsd = place.reason === 'value' ? place.limitUsd : 0
  const currency = { style: 'currency', currency: 'USD', maximumFractionDigits: limitUsd % 1 === 0 ? 0 : 2 } as const
  const amount = new Intl.NumberFormat(locale, currency).format(limitUsd)
  return (
    <div className={styles.decision}>
      <p className={styles.elsewhere} data-blocked={popup === 'blocked' || undefined} role="status">
        {t(popup === 'closed' ? reasonTexts[place.reason] : popupTexts[popup], { amount })}
      </p>
      <ButtonPair>
        <Button tone="secondary" onPress={onReject}>
          {t('approve.reject')}
        </Button>
        <Button tone="primary" onPress={onContinue}>
          {t(popup === 'blocked' ? 'tryAgain' : 'approve.window.continue')}
        </Button>
      </ButtonPair>
    </div>
  )
}

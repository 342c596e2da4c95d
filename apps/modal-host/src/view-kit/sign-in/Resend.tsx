import { TextButton } from '@postern/ui/button'
import { useText } from '@postern/ui/locales/text'
import { useSecondsLeft } from '@postern/ui/use-seconds-left'
import styles from './sign-in.module.css'

type ResendProps = {
  readonly resendAt: number
  readonly sending: boolean
  readonly onResend: () => void
}

/** Enabled once allowed (spec §5). Seconds are not announced. */
export function Resend({ resendAt, sending, onResend }: ResendProps) {
  const t = useText()
  const seconds = useSecondsLeft(resendAt)
  if (sending)
    return (
      <p className={styles.wait} role="status">
        {t('email.sending')}
      </p>
    )
  if (seconds > 0) return <p className={styles.wait}>{t('email.resendIn', { seconds })}</p>
  return <TextButton onPress={onResend}>{t('email.resend')}</TextButton>
}

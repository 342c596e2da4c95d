import { Button } from '@postern/ui/button'
import { CautionIcon } from '@postern/ui/icons'
import { useText } from '@postern/ui/locales/text'
import { MessageGlyph } from '@postern/ui/message'
import { useEffect, useId, useRef } from 'react'
import type { Alert as HostAlert } from '../../snapshot/contract'
import { useActions } from '../../view-kit/host-context'
import { useCommonText } from '../../view-kit/messages/error-message'
import styles from './alert.module.css'

export function Alert({ alert }: { readonly alert: HostAlert }) {
  const t = useText()
  const words = useCommonText()
  const { code, values } = alert
  const { dismissAlert } = useActions()
  const title = useId()
  const text = useId()
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => box.current?.focus({ preventScroll: true }), [])
  return (
    <div
      ref={box}
      className={styles.alert}
      role="alertdialog"
      aria-labelledby={title}
      aria-describedby={text}
      tabIndex={-1}
    >
      <div className={styles.words}>
        <MessageGlyph tone="warn">
          <CautionIcon />
        </MessageGlyph>
        {/* The specification's words in every language: developers search for them. */}
        <p id={title} className={styles.title} lang="en">
          {alert.title}
        </p>
        <p id={text} className={styles.text}>
          {words(`alert.${code}.text`, alert.text, values)}
        </p>
      </div>
      <Button tone="secondary" onPress={dismissAlert}>
        {t('dismiss')}
      </Button>
    </div>
  )
}

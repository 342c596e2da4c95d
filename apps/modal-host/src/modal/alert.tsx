import { useEffect, useId, useRef } from 'react'
import { useText } from '../locales/text'
import type { Alert as HostAlert } from '../session/contract'
import { Button } from '../ui/button'
import { CautionIcon } from '../ui/icons'
import { MessageGlyph } from '../ui/message'
import { useCommonText } from '../views/error-text'
import { useActions } from '../views/host-context'
import styles from './alert.module.css'

/** Something that the visitor or the dapp's developer must mend (spec §8). It stands over the view until it is dismissed. */
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
        <p id={title} className={styles.title}>
          {words(`alert.${code}.title`, alert.title)}
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

import { useCallback, useEffect, useId, useRef, useState } from 'react'
import { useActions, useSnapshot } from '../../view-kit/host-context'
import { useNavigation } from '../../view-kit/navigation'
import { useFollowHost } from '../navigation/use-follow-host'
import { Views } from '../navigation/views'
import { Alert } from './alert'
import { Body } from './body'
import { focusView } from './focus'
import { Header } from './header'
import { useSheetDrag } from './sheet-drag'
import styles from './shell.module.css'
import { Snackbar } from './snackbar'
import { useDialogKeys } from './use-dialog-keys'
import { useShake } from './use-shake'

export function Shell() {
  const { close } = useActions()
  const shown = useFollowHost()
  const { key } = useNavigation()
  const alert = useSnapshot((snapshot) => snapshot.alert)
  const openingKey = useSnapshot((snapshot) => snapshot.opening.key)
  const titleId = useId()
  const card = useRef<HTMLElement>(null)
  // The title loads with the later views: redraws the header then.
  const [hasArrived, setArrived] = useState(false)
  const onArrived = useCallback(() => setArrived(true), [])
  const drag = useSheetDrag(card, close)
  useShake(card)
  useDialogKeys(card, shown, close)

  const place = `${openingKey}:${key}`
  useEffect(() => {
    if (shown && place !== '') focusView(card.current)
  }, [shown, place])
  useEffect(() => {
    if (hasArrived && shown && !card.current?.contains(document.activeElement)) focusView(card.current)
  }, [hasArrived, shown])

  return (
    <div className={styles.root} data-open={shown || undefined} inert={!shown}>
      {/* The key restarts its animation, which ignores the second of a double press. */}
      <button key={place} type="button" className={styles.backdrop} tabIndex={-1} aria-hidden="true" onClick={close} />
      <section ref={card} className={styles.card} role="dialog" aria-modal="true" aria-labelledby={titleId}>
        <div className={styles.handle} {...drag}>
          <Header titleId={titleId} />
        </div>
        <Body place={place} shown={shown} inert={alert !== null}>
          <Views shown={shown} onArrived={onArrived} />
        </Body>
        <Snackbar />
        {alert !== null && <Alert alert={alert} />}
      </section>
    </div>
  )
}

/** What stays while views come and go: backdrop, card or sheet, header, messages; and the manners of a dialog. */
import { useEffect, useId, useRef } from 'react'
import { useActions, useSnapshot } from '../views/host-context'
import { useNavigation } from '../views/navigation'
import { Alert } from './alert'
import { Body } from './body'
import { focusView } from './focus'
import { Header } from './header'
import { useSheetDrag } from './sheet-drag'
import styles from './shell.module.css'
import { Snackbar } from './snackbar'
import { useDialogKeys } from './use-dialog-keys'
import { useFollowHost } from './use-follow-host'
import { useShake } from './use-shake'
import { Views } from './views'

export function Shell() {
  const { close } = useActions()
  const shown = useFollowHost()
  const { place: arrival } = useNavigation()
  const alert = useSnapshot((snapshot) => snapshot.alert)
  const openingKey = useSnapshot((snapshot) => snapshot.opening.key)
  const titleId = useId()
  const card = useRef<HTMLElement>(null)
  const drag = useSheetDrag(card, close)
  useShake(card)
  useDialogKeys(card, shown, close)

  const place = `${openingKey}:${arrival}`
  useEffect(() => {
    if (shown && place !== '' && card.current !== null) focusView(card.current, matchMedia('(pointer: coarse)').matches)
  }, [shown, place])

  return (
    <div className={styles.root} data-open={shown || undefined} inert={!shown}>
      <button type="button" className={styles.backdrop} tabIndex={-1} aria-hidden="true" onClick={close} />
      <section ref={card} className={styles.card} role="dialog" aria-modal="true" aria-labelledby={titleId}>
        <div className={styles.handle} {...drag}>
          <Header titleId={titleId} />
        </div>
        <Body place={place} shown={shown} inert={alert !== null}>
          <Views shown={shown} />
        </Body>
        <Snackbar />
        {alert !== null && <Alert alert={alert} />}
      </section>
    </div>
  )
}

import { type ReactNode, useRef } from 'react'
import type { ConnectAttempt } from '../../snapshot/contract'
import { useKeptFocus } from '../kept-focus'
import styles from './AttemptPlace.module.css'

/** Takes the focus if the pressed button disappears. */
export function AttemptPlace({ status, children }: Pick<ConnectAttempt, 'status'> & { readonly children: ReactNode }) {
  const place = useRef<HTMLDivElement>(null)
  useKeptFocus(place, status.kind)
  return (
    <div ref={place} className={styles.place} tabIndex={-1}>
      {children}
    </div>
  )
}

import { type ReactNode, useRef } from 'react'
import type { ConnectAttempt } from '../../snapshot/contract'
import { useKeptFocus } from '../kept-focus'
import styles from './AttemptPlace.module.css'

/** Where an attempt is shown: whoever pressed a button here stays here when it goes away with a new face of the attempt. */
export function AttemptPlace({ status, children }: Pick<ConnectAttempt, 'status'> & { readonly children: ReactNode }) {
  const place = useRef<HTMLDivElement>(null)
  useKeptFocus(place, status.kind)
  return (
    <div ref={place} className={styles.place} tabIndex={-1}>
      {children}
    </div>
  )
}

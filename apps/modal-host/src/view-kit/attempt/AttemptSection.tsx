import { type ReactNode, useRef } from 'react'
import type { ConnectAttempt } from '../../snapshot/contract'
import { useFocusFallback } from '../use-focus-fallback'
import styles from './AttemptSection.module.css'

/** Takes the focus if the pressed button disappears. */
export function AttemptSection({
  status,
  children,
}: Pick<ConnectAttempt, 'status'> & { readonly children: ReactNode }) {
  const place = useRef<HTMLDivElement>(null)
  useFocusFallback(place, status.kind)
  return (
    <div ref={place} className={styles.place} tabIndex={-1}>
      {children}
    </div>
  )
}

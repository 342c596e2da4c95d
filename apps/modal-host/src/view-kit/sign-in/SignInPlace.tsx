import { type ReactNode, useRef } from 'react'
import type { SignIn } from '../../snapshot/contract'
import { useKeptFocus } from '../kept-focus'
import styles from './sign-in.module.css'

/** Takes the focus when the focused step disappears. */
export function SignInPlace({
  signIn: { step, error },
  children,
}: {
  readonly signIn: Pick<SignIn, 'step' | 'error'>
  readonly children: ReactNode
}) {
  const place = useRef<HTMLDivElement>(null)
  useKeptFocus(place, `${step} ${error?.code}`)
  return (
    <div ref={place} className={styles.step} tabIndex={-1}>
      {children}
    </div>
  )
}

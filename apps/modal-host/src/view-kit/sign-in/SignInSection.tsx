import { type ReactNode, useRef } from 'react'
import type { SignIn } from '../../snapshot/contract'
import { useFocusFallback } from '../use-focus-fallback'
import styles from './sign-in.module.css'

/** Takes the focus when the focused step disappears. */
export function SignInSection({
  signIn: { step, error },
  children,
}: {
  readonly signIn: Pick<SignIn, 'step' | 'error'>
  readonly children: ReactNode
}) {
  const place = useRef<HTMLDivElement>(null)
  useFocusFallback(place, `${step} ${error?.code}`)
  return (
    <div ref={place} className={styles.step} tabIndex={-1}>
      {children}
    </div>
  )
}

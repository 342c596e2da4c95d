import { type ReactNode, useRef } from 'react'
import type { SignIn } from '../../snapshot/contract'
import { useKeptFocus } from '../kept-focus'
import styles from './sign-in.module.css'

/** Where the steps of a sign-in follow each other: it takes the focus when the step that had it goes away. */
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

import { useState } from 'react'
import type { SignIn } from '../../snapshot/contract'
import { useActions, useSnapshot } from '../host-context'
import { useNavigation } from '../navigation'

/** Keeps the last sign-in while its view leaves. */
export function useShownSignIn<K extends SignIn['kind']>(kind: K): Extract<SignIn, { kind: K }> | null {
  const signIn = useSnapshot((snapshot) => snapshot.signIn)
  const own = isOf(kind, signIn) ? signIn : null
  const [last, setLast] = useState(own)
  if (own !== null && own !== last) setLast(own)
  return own ?? last
}

function isOf<K extends SignIn['kind']>(kind: K, signIn: SignIn | null): signIn is Extract<SignIn, { kind: K }> {
  return signIn?.kind === kind
}

export function useLeaveSignIn(): () => void {
  const { cancelSignIn } = useActions()
  const { back } = useNavigation()
  return () => {
    cancelSignIn()
    back()
  }
}

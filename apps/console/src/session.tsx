/** The signed-in operator. The token is also in this tab's sessionStorage, for a reload. */
import { createContext, type ReactNode, useContext, useMemo, useState } from 'react'
import { type Api, createApi } from './api'
import { Done, Me } from './schemas'

const storageKey = 'postern.operator-token'

type Session = { readonly api: Api; readonly me: Me; signOut(): void }

const SessionContext = createContext<Session | null>(null)

export function useSession(): Session {
  const session = useContext(SessionContext)
  if (session === null) throw new Error('There is no session')
  return session
}

export const storedToken = (): string | null => sessionStorage.getItem(storageKey)

/** @throws {ApiError} and forgets the token. */
export async function signIn(token: string): Promise<Me> {
  const me = await createApi(token, forget).get('/me', Me)
  sessionStorage.setItem(storageKey, token)
  return me
}

function forget(): void {
  sessionStorage.removeItem(storageKey)
}

/** @param onEnd the operator signed out, or the gateway refused the token. */
export function SessionProvider(props: {
  readonly token: string
  readonly me: Me
  readonly onEnd: (refused: boolean) => void
  readonly children: ReactNode
}) {
  const { token, me, children } = props
  const [onEnd] = useState(() => props.onEnd)
  const session = useMemo<Session>(() => {
    const end = (refused: boolean) => {
      forget()
      onEnd(refused)
    }
    const signOut = () => {
      // If this fails, the session expires later. This tab forgets the token in any case.
      createApi(token, () => {})
        .send('POST', '/sign-out', Done)
        .catch(() => {})
      end(false)
    }
    return { api: createApi(token, () => end(true)), me, signOut }
  }, [token, me, onEnd])
  return <SessionContext value={session}>{children}</SessionContext>
}

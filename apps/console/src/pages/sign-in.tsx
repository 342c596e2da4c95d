import { SubmitButton } from '@postern/ui/button'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { Failure, Field, Title } from '../components'
import type { Me } from '../schemas'
import { signIn } from '../session'

export function SignInPage({
  refused,
  onSignedIn,
}: {
  readonly refused: boolean
  readonly onSignedIn: (token: string, me: Me) => void
}) {
  const [token, setToken] = useState('')
  const attempt = useMutation({ mutationFn: signIn, onSuccess: (me, used) => onSignedIn(used, me) })
  return (
    <main className="page narrow">
      <Title>Sign in</Title>
      {refused && <p role="alert">The gateway no longer accepts this token. Sign in again.</p>}
      <form
        className="form"
        onSubmit={(event) => {
          event.preventDefault()
          if (token.trim() !== '') attempt.mutate(token.trim())
        }}
      >
        <Field
          label="Token"
          type="password"
          value={token}
          onChange={setToken}
          hint="The token of POSTERN_ADMIN_TOKEN. It stays in this tab."
        />
        <Failure error={attempt.error} />
        <SubmitButton busy={attempt.isPending}>Sign in</SubmitButton>
      </form>
    </main>
  )
}

import { Button, SubmitButton } from '@postern/ui/button'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Failure, Field, Title } from '../components'
import { Methods, startAtProvider, withoutToken } from '../provider'
import type { Me } from '../schemas'
import { signIn } from '../session'

export function SignInPage({
  notice,
  onSignedIn,
}: {
  readonly notice: string | null
  readonly onSignedIn: (token: string, me: Me) => void
}) {
  const [token, setToken] = useState('')
  const attempt = useMutation({ mutationFn: signIn, onSuccess: (me, used) => onSignedIn(used, me) })
  return (
    <main className="page narrow">
      <Title>Sign in</Title>
      {notice !== null && <p role="alert">{notice}</p>}
      <ProviderButton />
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

/** Shown only if the gateway has a provider. */
function ProviderButton() {
  const methods = useQuery({ queryKey: ['sign-in'], queryFn: () => withoutToken.get('/sign-in', Methods) })
  const attempt = useMutation({ mutationFn: startAtProvider })
  const host = methods.data?.oidc ?? null
  if (host === null) return null
  return (
    <div className="form">
      <Failure error={attempt.error} />
      <Button tone="primary" busy={attempt.isPending} onPress={() => attempt.mutate()}>
        Sign in with {host}
      </Button>
    </div>
  )
}

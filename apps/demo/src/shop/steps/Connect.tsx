import { usePostern } from '@postern/client/react'
import { useAccount } from '../account'
import { Button } from '../parts/Button'

/** Opens Connect, or the connected account. */
export function Connect({ label = 'Connect' }: { readonly label?: string }) {
  const { postern } = usePostern()
  const account = useAccount()
  return (
    <Button onHover={() => postern.prewarm()} onPress={() => postern.open()}>
      {account === null ? label : 'Open my account'}
    </Button>
  )
}

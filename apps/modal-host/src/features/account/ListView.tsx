import { QueryClientProvider } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useHost } from '../../view-kit/host-context'
import { queryClientOf } from '../../view-kit/query-client'
import { useLeave } from '../../view-kit/use-leave'
import { useScopes } from './account-area'

/** A view of all that the accounts on show have of a kind. */
export function ListView({ children }: { readonly children: ReactNode }) {
  const host = useHost()
  const { scopes } = useScopes()
  // The wallet moved to a network that the dapp does not know: home says so.
  useLeave(scopes.length === 0 ? 'Account' : null)
  if (scopes.length === 0) return null
  return <QueryClientProvider client={queryClientOf(host)}>{children}</QueryClientProvider>
}

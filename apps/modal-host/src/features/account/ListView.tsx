import { QueryClientProvider } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useHost } from '../../view-kit/host-context'
import { queryClientOf } from '../../view-kit/loading/query-client'
import { useRedirect } from '../../view-kit/navigation'
import { useScopes } from './account-state'

export function ListView({ children }: { readonly children: ReactNode }) {
  const host = useHost()
  const { scopes } = useScopes()
  // Home reports an unsupported network.
  useRedirect(scopes.length === 0 ? 'Account' : null)
  if (scopes.length === 0) return null
  return <QueryClientProvider client={queryClientOf(host)}>{children}</QueryClientProvider>
}

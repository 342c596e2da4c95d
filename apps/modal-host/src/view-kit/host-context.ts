import { createContext, use, useContext } from 'react'
import { useStore } from 'zustand'
import type { Host, HostActions, HostSnapshot } from '../snapshot/contract'
import type { MoneyHost } from '../snapshot/money'

export const HostContext = createContext<Host | null>(null)

export function useHost(): Host {
  const host = useContext(HostContext)
  if (host === null) throw new Error('A view was rendered outside of HostContext')
  return host
}

/** Renders again only when the selected part changes. */
export function useSnapshot<T>(select: (snapshot: HostSnapshot) => T): T {
  return useStore(useHost().store, select)
}

export function useActions(): HostActions {
  return useHost().actions
}

export function useMoney(): MoneyHost {
  return use(useHost().money())
}

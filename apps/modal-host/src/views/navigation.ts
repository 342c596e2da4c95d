/** Moving between views. The modal has no URL routes (spec §2): a memory router holds the views, each entry its depth. */

import type { ViewName } from '@postern/protocol'
import { useLocation, useNavigate } from 'react-router'

/** Every view there is now: those that a page may ask for by name, and those that only the host leads to. */
export const viewNames = [
  'Connect',
  'AllWallets',
  'ConnectingExternal',
  'Account',
  'Networks',
  'UnsupportedChain',
  'WhatIsAWallet',
] as const
export type View = (typeof viewNames)[number] | ViewName

export function viewPath(view: View): string {
  return `/${view}`
}

export function viewAt(pathname: string): View {
  return viewNames.find((view) => viewPath(view) === pathname) ?? 'Connect'
}

/** How many steps lie behind a location; zero at the view that the modal opened with. */
export function depthOf(location: { readonly state: unknown }): number {
  const { state } = location
  const depth = typeof state === 'object' && state !== null && 'depth' in state ? state.depth : 0
  return typeof depth === 'number' ? depth : 0
}

export type Navigation = {
  readonly view: View
  readonly canGoBack: boolean
  /** One step in. */
  go(view: View): void
  back(): void
  /** Forgets the way here, as when a connection is made and there is nothing to go back to. */
  reset(view: View): void
}

export function useNavigation(): Navigation {
  const location = useLocation()
  const navigate = useNavigate()
  const depth = depthOf(location)
  return {
    view: viewAt(location.pathname),
    canGoBack: depth > 0,
    go: (view) => void navigate(viewPath(view), { state: { depth: depth + 1 } }),
    back: () => void navigate(-1),
    reset: (view) => void navigate(viewPath(view), { replace: true, state: { depth: 0 } }),
  }
}

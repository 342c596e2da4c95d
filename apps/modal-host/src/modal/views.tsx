/** Which component a view is. What the first paint needs is here; the rest is fetched once the browser has nothing else to do. */
import { type ComponentType, Suspense, use } from 'react'
import { Connect } from '../views/Connect/Connect'
import { LoadingView } from '../views/LoadingView'
import { useNavigation, type View } from '../views/navigation'
import { ViewBoundary } from './view-boundary'

type Load = () => Promise<{ readonly default: ComponentType }>

const later: Readonly<Record<Exclude<View, 'Connect'>, Load>> = {
  Account: () => import('../views/Account/Account'),
  ConnectingExternal: () => import('../views/ConnectingExternal/ConnectingExternal'),
  AllWallets: () => import('../views/AllWallets/AllWallets'),
  Networks: () => import('../views/Networks/Networks'),
  UnsupportedChain: () => import('../views/UnsupportedChain/UnsupportedChain'),
  WhatIsAWallet: () => import('../views/WhatIsAWallet/WhatIsAWallet'),
}

/** Code that was asked for, the same for every instance. One that does not arrive is forgotten, and asked for again when it is needed. */
const asked = new Map<Load, ReturnType<Load>>()

function loadOnce(load: Load): ReturnType<Load> {
  const known = asked.get(load)
  if (known !== undefined) return known
  const loading = load()
  asked.set(load, loading)
  loading.catch(() => asked.delete(load))
  return loading
}

export function Views() {
  const { view } = useNavigation()
  return (
    <ViewBoundary key={view}>
      <Suspense fallback={<LoadingView />}>
        {view === 'Connect' ? <Connect /> : <LaterView load={later[view]} />}
      </Suspense>
    </ViewBoundary>
  )
}

function LaterView({ load }: { readonly load: Load }) {
  const { default: Shown } = use(loadOnce(load))
  return <Shown />
}

/** Fetches the views that are not there yet. */
export async function prefetchViews(): Promise<void> {
  await Promise.allSettled(Object.values(later).map(loadOnce))
}

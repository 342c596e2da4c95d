/** Which component a view is. What the first paint needs is here; the rest is fetched once the browser has nothing else to do. */
import { type ComponentType, type ReactNode, Suspense, use, useState } from 'react'
import { loadLaterText } from '../locales/text'
import { Connect } from '../views/Connect/Connect'
import { LoadingView } from '../views/LoadingView'
import { useNavigation, type View } from '../views/navigation'
import { ViewBoundary } from './view-boundary'
import styles from './views.module.css'

type Load = () => Promise<{ readonly default: ComponentType }>

const later: Readonly<Record<Exclude<View, 'Connect'>, Load>> = {
  Account: () => import('../views/Account/Account'),
  ConnectingExternal: () => import('../views/ConnectingExternal/ConnectingExternal'),
  ConnectingWalletConnect: () => import('../views/ConnectingWalletConnect/ConnectingWalletConnect'),
  ConnectingWalletConnectBasic: () => import('../views/ConnectingWalletConnectBasic/ConnectingWalletConnectBasic'),
  GetWallet: () => import('../views/GetWallet/GetWallet'),
  AllWallets: () => import('../views/AllWallets/AllWallets'),
  Networks: () => import('../views/Networks/Networks'),
  SwitchActiveChain: () => import('../views/SwitchActiveChain/SwitchActiveChain'),
  UnsupportedChain: () => import('../views/UnsupportedChain/UnsupportedChain'),
  WhatIsAWallet: () => import('../views/WhatIsAWallet/WhatIsAWallet'),
  EmailVerifyDevice: () => import('../views/EmailVerifyDevice/EmailVerifyDevice'),
  EmailVerifyOtp: () => import('../views/EmailVerifyOtp/EmailVerifyOtp'),
  ConnectingSocial: () => import('../views/ConnectingSocial/ConnectingSocial'),
  ConnectingFarcaster: () => import('../views/ConnectingFarcaster/ConnectingFarcaster'),
  ApproveTransaction: () => import('../views/ApproveTransaction/ApproveTransaction'),
  AccountTypes: () => import('../views/AccountTypes/AccountTypes'),
  WalletSecurity: () => import('../views/WalletSecurity/WalletSecurity'),
  UpdateEmail: () => import('../views/UpdateEmail/UpdateEmail'),
  UpdateEmailPrimaryOtp: () => import('../views/UpdateEmail/UpdateEmailPrimaryOtp'),
  UpdateEmailSecondaryOtp: () => import('../views/UpdateEmail/UpdateEmailSecondaryOtp'),
  DeleteAccount: () => import('../views/DeleteAccount/DeleteAccount'),
  Tokens: () => import('../features/portfolio/Tokens'),
}

/** Code that was asked for, the same for every instance. What does not arrive is forgotten, and asked for again when it is needed. */
type Asked = { readonly arriving: Promise<ComponentType>; arrived: ComponentType | null }
const asked = new Map<Load, Asked>()

function ask(load: Load): Asked {
  const known = asked.get(load)
  if (known !== undefined) return known
  const fresh: Asked = {
    arriving: Promise.all([load(), loadLaterText()]).then(([module]) => module.default),
    arrived: null,
  }
  asked.set(load, fresh)
  fresh.arriving.then(
    (component) => {
      fresh.arrived = component
    },
    () => asked.delete(load),
  )
  return fresh
}

/** A move to a view whose code is on its way shows the view before it until then: nothing flashes. */
export function Views({ shown }: { readonly shown: boolean }) {
  const { view, place } = useNavigation()
  return (
    <ViewBoundary place={String(place)}>
      <Suspense fallback={<LoadingView />}>
        <Entering key={place} shown={shown}>
          {view === 'Connect' ? <Connect /> : <LaterView load={later[view]} />}
        </Entering>
      </Suspense>
    </ViewBoundary>
  )
}

/** A view comes in when it is moved to before the eye. One that was there when the modal opened is simply there, with the first frame. */
function Entering({ shown, children }: { readonly shown: boolean; readonly children: ReactNode }) {
  const { direction } = useNavigation()
  const [entering, setEntering] = useState(shown ? direction : null)
  if (!shown && entering !== null) setEntering(null)
  return (
    <div className={styles.view} data-entering={entering ?? undefined}>
      {children}
    </div>
  )
}

/** A view, or the page in place of all of them, that waits for its code. */
export function LaterView({ load }: { readonly load: Load }) {
  const { arrived, arriving } = ask(load)
  const Shown = arrived ?? use(arriving)
  return <Shown />
}

/** Fetches the views that are not there yet. */
export async function prefetchViews(): Promise<void> {
  await Promise.allSettled(Object.values(later).map((load) => ask(load).arriving))
}

/** The first paint's views; the rest load when idle. */

import { type Deferred, deferred } from '@postern/protocol/lazily'
import { loadLaterText } from '@postern/ui/locales/text'
import { type ComponentType, type ReactNode, Suspense, use, useLayoutEffect, useState } from 'react'
import { LoadingView } from '../view-kit/LoadingView'
import { type FeatureView, isFeatureView, useNavigation, type View } from '../view-kit/navigation'
import { Connect } from './Connect/Connect'
import { ViewBoundary } from './view-boundary'
import styles from './views.module.css'

export const laterViews = deferred(() => withText(import('./later-views')))

async function withText<T>(code: Promise<T>): Promise<T> {
  const [arrived] = await Promise.all([code, loadLaterText()])
  return arrived
}

type ViewsProps = {
  readonly shown: boolean
  readonly onArrived: () => void
}

/** The previous view stays while the next one loads: nothing flashes. */
export function Views({ shown, onArrived }: ViewsProps) {
  const { view, place } = useNavigation()
  return (
    <ViewBoundary place={String(place)}>
      <Suspense
        fallback={
          <div className={styles.view}>
            <LoadingView />
          </div>
        }
      >
        <Entering key={place} shown={shown}>
          {view === 'Connect' ? <Connect /> : <LaterView view={view} onArrived={onArrived} />}
        </Entering>
      </Suspense>
    </ViewBoundary>
  )
}

/** Animates navigation, but not the first view of an opening. */
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

const ofFeatures = new Map<FeatureView, Deferred<ComponentType>>()

/** Same instance each time, so a pending load is found again. */
function ofFeature(view: FeatureView): Deferred<ComponentType> {
  const known = ofFeatures.get(view)
  if (known !== undefined) return known
  // Also wait for its title.
  const fresh = deferred(async () => {
    const code = withText(import('./feature-views').then(({ featureViews }) => featureViews[view]()))
    const [shown] = await Promise.all([code, laterViews.get()])
    return shown.default
  })
  ofFeatures.set(view, fresh)
  return fresh
}

function LaterView({ view, onArrived }: { readonly view: Exclude<View, 'Connect'>; readonly onArrived: () => void }) {
  const Shown = isFeatureView(view) ? there(ofFeature(view)) : there(laterViews).laterViews[view]
  useLayoutEffect(onArrived, [onArrived])
  return <Shown />
}

/** Suspends until loaded. */
function there<T>(code: Deferred<T>): T {
  const arriving = code.get()
  const value = code.peek()
  // React reads these fields and then does not suspend.
  if (value !== null) Object.assign(arriving, { status: 'fulfilled', value })
  return use(arriving)
}

export function TopLevel() {
  const Shown = there(laterViews).TopLevel
  return <Shown />
}

/** Of features only the loaders. */
export async function prefetchViews(): Promise<void> {
  await Promise.allSettled([laterViews.get(), import('./feature-views')])
}

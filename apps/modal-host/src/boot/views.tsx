/** Which component a view is. What the first paint needs is here; the rest is fetched once the browser has nothing else to do. */

import { type Deferred, deferred } from '@postern/protocol/lazily'
import { loadLaterText } from '@postern/ui/locales/text'
import { type ComponentType, type ReactNode, Suspense, use, useLayoutEffect, useState } from 'react'
import { LoadingView } from '../view-kit/LoadingView'
import { type FeatureView, isFeatureView, useNavigation, type View } from '../view-kit/navigation'
import { Connect } from './Connect/Connect'
import { ViewBoundary } from './view-boundary'
import styles from './views.module.css'

/** The views that come together, and their titles. */
export const laterViews = deferred(() => withText(import('./later-views')))

/** Code that is of use with the sentences that it says. */
async function withText<T>(code: Promise<T>): Promise<T> {
  const [arrived] = await Promise.all([code, loadLaterText()])
  return arrived
}

type ViewsProps = {
  readonly shown: boolean
  /** A view whose code came later is shown. */
  readonly onArrived: () => void
}

/** A move to a view whose code is on its way shows the view before it until then: nothing flashes. */
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

const ofFeatures = new Map<FeatureView, Deferred<ComponentType>>()

/** The same each time: what was asked for is known by it. */
function ofFeature(view: FeatureView): Deferred<ComponentType> {
  const known = ofFeatures.get(view)
  if (known !== undefined) return known
  // Its title comes with the later views: without one it is not there yet.
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

/** Code that a view waits for. */
function there<T>(code: Deferred<T>): T {
  const arriving = code.get()
  const value = code.peek()
  // React reads these of a promise, and then waits not even the blink in which it would find out by itself.
  if (value !== null) Object.assign(arriving, { status: 'fulfilled', value })
  return use(arriving)
}

/** The page in place of all views. */
export function TopLevel() {
  const Shown = there(laterViews).TopLevel
  return <Shown />
}

/** Fetches the views that are not there yet; of features no more than where theirs are. */
export async function prefetchViews(): Promise<void> {
  await Promise.allSettled([laterViews.get(), import('./feature-views')])
}

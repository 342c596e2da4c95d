/** The first paint's views; the rest load when idle. */

import { type Deferred, deferred } from '@postern/protocol/lazily'
import { loadEnglish } from '@postern/ui/locales/text'
import { type ComponentType, type ReactNode, Suspense, use, useLayoutEffect, useState } from 'react'
import { LoadingView } from '../view-kit/LoadingView'
import { useNavigation, type View } from '../view-kit/navigation'
import { Connect } from './Connect/Connect'
import { ViewBoundary } from './view-boundary'
import styles from './views.module.css'

/** The rows of the views, with the titles and sentences of the catalogue. */
export const registry = deferred(() => withText(import('../views/registry')))
const standalonePage = deferred(() => withText(import('../views/StandalonePage/StandalonePage')))

export type RegisteredView = Exclude<View, 'Connect'>

async function withText<T>(code: Promise<T>): Promise<T> {
  const [arrived] = await Promise.all([code, loadEnglish()])
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
          {view === 'Connect' ? <Connect /> : <LoadedView view={view} onArrived={onArrived} />}
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

const asked = new Map<RegisteredView, Deferred<ComponentType>>()

/** Same instance each time, so a pending load is found again. */
function codeOf(view: RegisteredView): Deferred<ComponentType> {
  const known = asked.get(view)
  if (known !== undefined) return known
  const fresh = deferred(async () => {
    const { views } = await registry.get()
    return (await views[view].load()).default
  })
  asked.set(view, fresh)
  return fresh
}

function LoadedView({ view, onArrived }: { readonly view: RegisteredView; readonly onArrived: () => void }) {
  const Shown = there(codeOf(view))
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

export function StandalonePage() {
  const Shown = there(standalonePage).default
  return <Shown />
}

/** Fetches the registry and the views that are of no feature. Code that does not arrive is asked for again when it is shown. */
export async function prefetchViews(): Promise<void> {
  const rows = await registry.get().then(
    ({ views }) => views,
    () => null,
  )
  if (rows === null) return
  const isRow = (name: string): name is RegisteredView => Object.hasOwn(rows, name)
  const names = Object.keys(rows).filter(isRow)
  await Promise.allSettled(names.filter((view) => rows[view].feature === undefined).map((view) => codeOf(view).get()))
}

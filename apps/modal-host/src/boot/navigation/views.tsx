/** The first paint's views; the rest load when idle. */

import { loadEnglish } from '@postern/ui/locales/text'
import { type ComponentType, type ReactNode, Suspense, use, useLayoutEffect, useState } from 'react'
import type { View } from '../../snapshot/views'
import { LoadingView } from '../../view-kit/loading/LoadingView'
import { useNavigation } from '../../view-kit/navigation'
import { Connect } from '../Connect/Connect'
import { forgetFailures, type Imported, imported } from './imported'
import { ViewBoundary } from './view-boundary'
import styles from './views.module.css'

export type RegisteredView = Exclude<View, 'Connect'>

export const registry = imported(() => withText(import('../../views/registry')))
const standalonePage = imported(() => withText(import('../../views/StandalonePage/StandalonePage')))

async function withText<T>(code: Promise<T>): Promise<T> {
  const [arrived] = await Promise.all([code, loadEnglish()])
  return arrived
}

type ViewsProps = {
  readonly shown: boolean
  readonly onArrived: () => void
}

/** The previous view stays while the next one loads, so that nothing flashes. */
export function Views({ shown, onArrived }: ViewsProps) {
  const { view, key } = useNavigation()
  return (
    <ViewBoundary place={String(key)} onFailure={forgetFailures}>
      <Suspense
        fallback={
          <div className={styles.view}>
            <LoadingView />
          </div>
        }
      >
        <Entering key={key} shown={shown}>
          {view === 'Connect' ? <Connect /> : <LoadedView view={view} onArrived={onArrived} />}
        </Entering>
      </Suspense>
    </ViewBoundary>
  )
}

/** Animates navigation, but not an opening. */
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

const codeOfViews = new Map<RegisteredView, Imported<ComponentType>>()

/** Returns the same import for a view each time, so that a pending load is found again. */
function codeOf(view: RegisteredView): Imported<ComponentType> {
  const cached = codeOfViews.get(view)
  if (cached !== undefined) return cached
  const fresh = imported(async () => {
    const { views } = await registry.get()
    return (await views[view].load()).default
  })
  codeOfViews.set(view, fresh)
  return fresh
}

function LoadedView({ view, onArrived }: { readonly view: RegisteredView; readonly onArrived: () => void }) {
  const Shown = use(codeOf(view).get())
  useLayoutEffect(onArrived, [onArrived])
  return <Shown />
}

export function StandalonePage() {
  const Shown = use(standalonePage.get()).default
  return <Shown />
}

/** The registry and the views outside features. A failed one loads again when shown. */
export async function prefetchViews(): Promise<void> {
  await registry
    .get()
    .then(({ views }) => {
      const isRow = (name: string): name is RegisteredView => Object.hasOwn(views, name)
      const needed = Object.keys(views)
        .filter(isRow)
        .filter((view) => views[view].feature === undefined)
      return Promise.allSettled(needed.map((view) => codeOf(view).get()))
    })
    .catch(() => {})
  forgetFailures()
}

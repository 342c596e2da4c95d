import '@postern/ui/theme.css'
import { createText } from '@postern/ui/locales/text'
import { createRoot } from 'react-dom/client'
import { browserDependencies, createHost } from '../host/create-host'
import type { Host, HostSnapshot } from '../snapshot/contract'
import { App } from './app'
import { isCurrentBuild, watchBuild } from './navigation/build-gone'
import { prefetchViews } from './navigation/views'
import { applyLimits } from './style-limits'

/** Prefetch delay while closed (ms): an opening comes at once or much later. */
const prefetchDelayMs = 1_000
/** Prefetches even in a busy browser after this time (ms). */
const prefetchTimeoutMs = 2_000

const page = document.documentElement
const place = document.getElementById('postern')
if (place === null) throw new Error('The page has no place for the modal')

const host = createHost(browserDependencies(window))
const text = createText()
applyLimits(page)
// Respond to the page before drawing.
host.start()
// One-time browser work while the page responds.
const root = createRoot(place)
readStorage()

// Draws after the page's second message, which may open the modal and repeat an earlier drawing.
const draw = once(() => root.render(<App host={host} text={text} root={page} />))
onceMatches(host.store, ({ open, topLevel, alert }) => open || topLevel === true || alert !== null, draw)
onceMatches(
  host.store,
  ({ ready }) => ready,
  () => void setTimeout(draw),
)
onceMatches(
  host.store,
  ({ ready }) => ready,
  ({ open }) => {
    const whenIdle = window.requestIdleCallback ?? ((task: () => void) => setTimeout(task, 200))
    const prefetch = () => void Promise.allSettled([host.prefetch(), prefetchViews()])
    const begin = () => whenIdle(prefetch, { timeout: prefetchTimeoutMs })
    // Prefetches after the visible view is drawn, two animation frames later. A closed modal may draw no frames.
    if (open) requestAnimationFrame(() => requestAnimationFrame(begin))
    else setTimeout(begin, prefetchDelayMs)
  },
)

const onClosed = watchBuild(
  window,
  () => host.store.getState().open,
  () => isCurrentBuild(document, window.fetch.bind(window)),
)
host.store.subscribe(({ open }, before) => {
  if (before.open && !open) onClosed()
})

function onceMatches(
  store: Host['store'],
  says: (snapshot: HostSnapshot) => boolean,
  then: (snapshot: HostSnapshot) => void,
): void {
  let stop = () => {}
  const look = (snapshot: HostSnapshot) => {
    if (!says(snapshot)) return
    stop()
    then(snapshot)
  }
  if (says(store.getState())) then(store.getState())
  else stop = store.subscribe(look)
}

function once(task: () => void): () => void {
  let done = false
  return () => {
    if (!done) task()
    done = true
  }
}

/** Warms up storage: the first read waits for the disk. */
function readStorage(): void {
  try {
    localStorage.getItem('')
  } catch {
    // The host detects this too (services/storage.ts).
  }
}

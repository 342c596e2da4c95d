/** The page's entry: the host, then its views. Nothing is seen until the page that embeds this one opens it. */
import '@postern/ui/theme.css'
import { createText } from '@postern/ui/locales/text'
import { createRoot } from 'react-dom/client'
import { browserDependencies, createHost } from '../host/create-host'
import type { Host, HostSnapshot } from '../snapshot/contract'
import { App } from './app'
import { applyLimits } from './theme'
import { prefetchViews } from './views'

/** From the host's readiness to the fetching of what nobody has asked for yet, in ms; an opening comes at once or much later. */
const closedWait = 1_000
/** A browser that is never idle fetches it all the same, after so many ms. */
const busyWait = 2_000

const page = document.documentElement
const place = document.getElementById('postern')
if (place === null) throw new Error('The page has no place for the modal')

const host = createHost(browserDependencies(window))
const text = createText()
applyLimits(page)
// The page is answered before anything is drawn.
host.start()
// What the browser does once for each frame it does while the page answers.
const root = createRoot(place)
readAhead(() => window.localStorage)

// What the page says first decides what is drawn. Where it opens at once it says so right after, in a message of its own: whoever has drawn
// by then draws everything twice before it is seen.
const draw = once(() => root.render(<App host={host} text={text} root={page} />))
whenSaid(host.store, ({ open, topLevel, alert }) => open || topLevel === true || alert !== null, draw)
whenSaid(
  host.store,
  ({ ready }) => ready,
  () => void setTimeout(draw),
)
whenSaid(
  host.store,
  ({ ready }) => ready,
  ({ open }) => {
    const whenIdle = window.requestIdleCallback ?? ((task: () => void) => setTimeout(task, 200))
    const prefetch = () => void Promise.allSettled([host.prefetch(), prefetchViews()])
    const begin = () => whenIdle(prefetch, { timeout: busyWait })
    // The views that come later wait for the one that is waited for. An open frame draws, so two frames later its rows are seen;
    // a closed one may draw nothing at all, so there a moment must do.
    if (open) requestAnimationFrame(() => requestAnimationFrame(begin))
    else setTimeout(begin, closedWait)
  },
)

/** Does something once, as soon as the host's snapshot says so. */
function whenSaid(
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

/** The first look into a frame's storage waits for the disk. Denied, there is nothing to wait for. */
function readAhead(storage: () => Storage): void {
  try {
    storage().getItem('')
  } catch {
    // The host finds the same, and does without (services/storage.ts).
  }
}

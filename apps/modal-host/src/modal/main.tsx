/** The page's entry: the host, then its views. Nothing is seen until the page that embeds this one opens it. */
import './theme.css'
import { createRoot } from 'react-dom/client'
import { createText } from '../locales/text'
import { browserDependencies, createHost } from '../session/create-host'
import { App } from './app'
import { applyLimits } from './theme'
import { prefetchViews } from './views'

const page = document.documentElement
const place = document.getElementById('postern')
if (place === null) throw new Error('The page has no place for the modal')

const host = createHost(browserDependencies(window))
const text = createText()
applyLimits(page)
// The page's messages are answered before anything is drawn: both happen in this turn.
host.start()
createRoot(place).render(<App host={host} text={text} root={page} />)

const whenIdle = window.requestIdleCallback ?? ((task: () => void) => setTimeout(task, 200))
whenIdle(() => void prefetchViews())

/** `postern.js` sets `window.Postern`; the rest is the page's own script. */
import type { Postern } from '@postern/client'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { customWallets, features, modalHost, networks, projectId } from '../dapp/config'
import '@fontsource-variable/inter/wght.css'
import '../dapp/demo.css'
import { type SignIn, setUpSignIn } from '../dapp/sign-in'
import { applyLook, readLook } from '../dapp/theme'
import { App } from './App'

applyLook(window, readLook(window))
const signIn = setUpSignIn(window)
if (window.Postern !== undefined) start(window.Postern)
else
  window.addEventListener('postern:ready', () => window.Postern !== undefined && start(window.Postern), { once: true })

function start(tag: NonNullable<Window['Postern']>): void {
  const root = document.getElementById('root')
  if (root === null) throw new Error('The page has no #root.')
  createRoot(root).render(
    <StrictMode>
      <App entry="script tag" postern={withSignIn(tag, signIn)} signIn={signIn} />
    </StrictMode>,
  )
}

/** Tag attributes cannot hold callbacks, so the page creates its own instance with the tag's `createPostern`. */
function withSignIn(tag: NonNullable<Window['Postern']>, signIn: SignIn | null): Postern {
  if (signIn === null) return tag
  const { createPostern, version } = tag
  tag.destroy()
  const metadata = { name: 'Postern demo', url: window.location.origin }
  const options = { projectId, networks, customWallets, features, host: modalHost, metadata, ...signIn.options }
  window.Postern = { ...createPostern(options), createPostern, version }
  return window.Postern
}

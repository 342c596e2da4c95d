import type { Postern } from '@postern/client'
import { customWallets, features, modalHost, networks, projectId } from '../../dapp/config'
import { placeWords, type SignIn, sessionWords, setUpSignIn, signInChoices } from '../../dapp/sign-in'
import { byId, make } from './dom'
import { outcomeBox } from './outcome-box'

/** Tag attributes cannot hold callbacks, so the page creates its own instance with the tag's `createPostern`. */
export function withSignIn(postern: NonNullable<Window['Postern']>): Postern {
  const signIn = setUpSignIn(window)
  drawChoices(signIn)
  if (signIn === null) return postern
  drawSessions(signIn)
  const { createPostern, version } = postern
  postern.destroy()
  const metadata = { name: 'Postern demo', url: window.location.origin }
  const options = { projectId, networks, customWallets, features, host: modalHost, metadata, ...signIn.options }
  window.Postern = { ...createPostern(options), createPostern, version }
  return window.Postern
}

function drawChoices(signIn: SignIn | null): void {
  const { pathname, search } = window.location
  byId('sign-in-place', HTMLElement).textContent =
    signIn === null ? 'A connected wallet is enough for this page.' : placeWords[signIn.place]
  byId('sign-in-choices', HTMLElement).replaceChildren(
    ...signInChoices.map(({ query, words }) => {
      const link = make('a', { className: 'choice', href: `${pathname}${query}`, textContent: words })
      if (search === query) link.setAttribute('aria-current', 'page')
      return link
    }),
  )
}

function drawSessions({ subscribe, getSnapshot, signOut, whoAmI }: SignIn): void {
  byId('sign-in-sessions', HTMLElement).hidden = false
  const run = outcomeBox('sign-in-outcome')
  const out = byId('sign-out', HTMLButtonElement)
  out.onclick = () => run('Signing out', signOut)
  const ask = byId('who-am-i', HTMLButtonElement)
  ask.hidden = whoAmI === null
  ask.onclick = () => whoAmI !== null && run('Asking the server', whoAmI)
  const draw = () => {
    const sessions = getSnapshot()
    out.disabled = sessions.length === 0
    byId('signed-out', HTMLElement).hidden = sessions.length > 0
    const list = byId('sessions', HTMLElement)
    list.hidden = sessions.length === 0
    list.replaceChildren(
      ...sessions
        .map(sessionWords)
        .map(({ account, short, chain, until }) =>
          make(
            'li',
            {},
            make('b', { title: account, textContent: short }),
            make('span', { textContent: chain }),
            make('span', { textContent: until }),
          ),
        ),
    )
  }
  subscribe(draw)
  draw()
}

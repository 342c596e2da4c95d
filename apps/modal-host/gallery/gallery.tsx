/** One scenario, from the query: `?story=connect&theme=dark&locale=de&direction=rtl&dapp=violet`. */
import '@postern/ui/theme.css'
import './gallery.css'
import type { Theme } from '@postern/protocol'
import { createText } from '@postern/ui/locales/text'
import { createRoot } from 'react-dom/client'
import { createStore } from 'zustand/vanilla'
import { App } from '../src/boot/app'
import { prefetchViews } from '../src/boot/navigation/views'
import { applyLimits } from '../src/boot/style-limits'
import { browserFrameDom } from '../src/connectors/embedded/wallet-frame/dom'
import { testMoney } from '../src/features/testing/test-money'
import { forwardTo } from '../src/host/forward'
import type { Host, HostActions, HostDirectory, HostSnapshot } from '../src/snapshot/contract'
import { searchFor } from '../src/view-kit/wallets/wallet-rows'
import { imageOf, thousand } from './fixtures/snapshots'
import { fewTokens } from './fixtures/tokens'
import { stories } from './stories/stories'
import type { Directory, Story } from './stories/story'

const query = new URLSearchParams(location.search)
const story = stories[query.get('story') ?? 'connect']
const root = document.getElementById('postern')
if (story === undefined || root === null) throw new Error('There is no such story')

const violet: Theme = { accent: '#6d4aff', radius: 0.5, font: 'Liberation Serif', mix: '#6d4aff', mixStrength: 6 }
const theme: HostSnapshot['theme'] = query.get('dapp') === 'violet' ? violet : {}
const host = createFixtureHost(story, {
  ...story.snapshot,
  theme,
  themeMode: query.get('theme') === 'dark' ? 'dark' : 'light',
  locale: query.get('locale') ?? 'en',
})
applyLimits(document.documentElement)
// A top-level await would deadlock: the views' chunks import from this one.
void prefetchViews().then(() =>
  createRoot(root).render(<App host={host} text={createText()} root={document.documentElement} />),
)
// Overrides the language's direction.
if (query.get('direction') === 'rtl') {
  const turn = () => document.documentElement.dir !== 'rtl' && document.documentElement.setAttribute('dir', 'rtl')
  new MutationObserver(turn).observe(document.documentElement, { attributeFilter: ['dir'] })
  turn()
}

function createFixtureHost(
  { attempt, directory, tokens = fewTokens, money: own }: Story,
  snapshot: HostSnapshot,
): Host {
  const store = createStore<HostSnapshot>(() => snapshot)
  const frame =
    story?.drawn && browserFrameDom(window).add(`${location.origin}/gallery/approval.html${location.search}`)
  window.addEventListener('message', ({ source, data }) => {
    if (frame === undefined || source !== frame.contentWindow() || typeof data !== 'number') return
    store.setState(({ approvals }) => ({ approvals: approvals.map((one) => ({ ...one, height: data })) }))
  })
  const does: Partial<HostActions> = {
    close: () => store.setState({ open: false }),
    connect: () => store.setState({ connectAttempt: attempt ?? null }),
    connectEntry: () => store.setState({ connectAttempt: attempt ?? null }),
    want: (wantedNamespace) => store.setState({ wantedNamespace }),
    cancelConnect: () => store.setState({ connectAttempt: null }),
    disconnect: async () => undefined,
    switchNetwork: () => Promise.reject(new Error('A picture switches no network')),
    acceptLegal: (accepted) => store.setState(({ legal }) => ({ legal: legal && { ...legal, accepted } })),
    consent: () => store.setState({ consentAsked: false }),
    notify: (text, tone = 'neutral') => store.setState({ snackbar: { key: 1, tone, text } }),
    dismissAlert: () => store.setState({ alert: null }),
    placeWalletFrame: (place) => frame?.place(place),
    focusWalletFrame: () => frame?.focus(),
    cancelSignIn: () => store.setState({ signIn: null }),
    cancelEmailChange: () => store.setState({ emailChange: null }),
    forgetEndedWallet: async () => undefined,
    revokeDevice: async () => undefined,
    seeRecoveries: () => undefined,
    putOffMove: () => undefined,
    refreshWaiting: () => undefined,
    replaceTransaction: () => undefined,
    deleteAccount: async () => undefined,
  }
  const money = Promise.resolve(
    own?.() ?? testMoney(tokens === 'failing' ? {} : { api: { balance: async () => ({ balances: [...tokens] }) } }),
  )
  const actions = forwardTo<HostActions>(() => does, 'LINK_CLOSED')
  return { store, actions, directory: createFixtureDirectory(directory ?? 'empty'), money: () => money }
}

function createFixtureDirectory(kind: Directory): HostDirectory {
  return {
    async wallets({ page = 1, search }) {
      if (kind === 'loading') return new Promise(() => undefined)
      if (kind === 'failing') throw new Error('HTTP status code: 503')
      if (kind === 'empty') return { wallets: [], count: 0 }
      const found = thousand.filter(({ name }) => searchFor(search ?? '')(name))
      const wallets = search === undefined ? found.slice((page - 1) * 40, page * 40) : found.slice(0, 100)
      return { wallets, count: found.length }
    },
    imageUrl: imageOf,
  }
}

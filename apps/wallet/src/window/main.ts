/** Entry of the wallet's own window. */
import '@postern/ui/theme.css'
import { type ThemeMode, WalletFramePage, WalletWindowPurpose, walletPageElementId } from '@postern/protocol'
import { randomSecret } from '../random'
import { openFirstPartyStore } from '../storage/ladder'
import { windowUrlParameters } from '../window-messages'
import { findFrame } from './frame-link'
import { runWindow } from './run'
import { createScreen } from './screen'
import { stretchInWorker } from './stretch'
import { languageOf, speak } from './text'
import './window.css'

const wait = (milliseconds: number) => new Promise<void>((resolve) => setTimeout(resolve, milliseconds))

/** The user's theme until the modal's is known; the returned function sets that. */
function followTheme(root: HTMLElement): (mode: ThemeMode) => void {
  const dark = matchMedia('(prefers-color-scheme: dark)')
  let modal: ThemeMode | null = null
  const set = () => {
    root.dataset.theme = modal ?? (dark.matches ? 'dark' : 'light')
  }
  dark.addEventListener('change', set)
  set()
  return (mode) => {
    modal = mode
    set()
  }
}

/** Another window or tab, or the page going away. */
function onLeave(listener: () => void): () => void {
  const hidden = () => document.visibilityState === 'hidden' && listener()
  addEventListener('blur', listener)
  addEventListener('pagehide', listener)
  document.addEventListener('visibilitychange', hidden)
  return () => {
    removeEventListener('blur', listener)
    removeEventListener('pagehide', listener)
    document.removeEventListener('visibilitychange', hidden)
  }
}

function start(root: HTMLElement): void {
  const language = languageOf(navigator.languages)
  document.documentElement.lang = language
  const setTheme = followTheme(document.documentElement)
  const say = speak(language)
  let subtitle = ''
  const screen = createScreen(root, { say, subtitle: () => subtitle })
  const query = new URLSearchParams(location.search)
  const purpose = WalletWindowPurpose.safeParse(query.get(windowUrlParameters.purpose))
  const page = WalletFramePage.safeParse(
    JSON.parse(document.getElementById(walletPageElementId)?.textContent ?? 'null'),
  )
  const { projectId } = page.data ?? {}
  // The ticket works once: remove it from the history.
  history.replaceState(null, '', location.pathname)

  void runWindow({
    screen,
    say,
    find: () =>
      purpose.data === undefined || projectId === undefined
        ? Promise.resolve({ failure: 'lost' })
        : findFrame({
            opener: window.opener,
            origin: location.origin,
            projectId,
            purpose: purpose.data,
            ticket: query.get(windowUrlParameters.ticket) ?? '',
            wait,
          }),
    found: ({ context, end }) => {
      const { origin, themeMode } = context
      subtitle = origin === '' ? '' : say('for', { origin: URL.canParse(origin) ? new URL(origin).host : origin })
      if (themeMode !== undefined) setTheme(themeMode)
      addEventListener('pagehide', end)
    },
    tools: {
      say,
      screen,
      host: location.hostname,
      credentials: typeof PublicKeyCredential === 'undefined' ? undefined : navigator.credentials,
      stretch: stretchInWorker,
      openStore: async () =>
        projectId === undefined
          ? null
          : openFirstPartyStore({ projectId, indexedDB: () => indexedDB, crypto, randomSecret }),
      startSigner: async () => (await import('../keys/index')).startSigner(),
      copy: (text) => navigator.clipboard.writeText(text),
      onLeave,
    },
    wait,
    close: () => window.close(),
  })
}

const root = document.getElementById('wallet-window')
if (root !== null) start(root)

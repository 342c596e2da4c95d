import '@postern/ui/theme.css'
import './page.css'
import { systemClock } from '@postern/base/clock'
import { textDirection } from '@postern/base/text-direction'
import { resolveNetwork, WalletFramePage, walletPageElementId } from '@postern/protocol'
import { createRoot } from 'react-dom/client'
import { watchArming } from '../approval/arming/arming'
import { assetPath } from '../approval/description/asset-path'
import { randomSecret } from '../random'
import { openStore } from '../storage/ladder'
import { WindowPurpose, windowUrlParameters } from '../window-messages'
import { WindowApp, type WindowAppProps } from './app'
import { findFrame } from './frame-link'
import { onLeave } from './leave'
import { stretchInWorker } from './passphrase/stretch'
import { loadText } from './text'
import { applyLimits, followTheme } from './theme'

const wait = (milliseconds: number) => new Promise<void>((resolve) => setTimeout(resolve, milliseconds))

function start(root: HTMLElement, hasPasskey: boolean, { language, say }: Awaited<ReturnType<typeof loadText>>): void {
  document.documentElement.lang = language
  document.documentElement.dir = textDirection(language)
  applyLimits(document.documentElement)
  const setTheme = followTheme(document.documentElement)
  const query = new URLSearchParams(location.search)
  const purpose = WindowPurpose.safeParse(query.get(windowUrlParameters.purpose))
  const page = WalletFramePage.safeParse(
    JSON.parse(document.getElementById(walletPageElementId)?.textContent ?? 'null'),
  )
  const { projectId } = page.data ?? {}
  // The ticket works once.
  history.replaceState(null, '', location.pathname)

  const given: WindowAppProps = {
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
    found: ({ context: { themeMode }, end }) => {
      if (themeMode !== undefined) setTheme(themeMode)
      addEventListener('pagehide', end)
    },
    tools: {
      say,
      host: location.hostname,
      credentials: typeof PublicKeyCredential === 'undefined' ? undefined : navigator.credentials,
      hasPasskey,
      rule: page.data?.recovery ?? 'any',
      stretch: stretchInWorker,
      openStore: async () =>
        projectId === undefined
          ? null
          : openStore({ projectId, indexedDB: () => indexedDB, crypto, clock: systemClock(), randomSecret }),
      startSigner: async () => (await import('../keys/index')).startSigner(),
      copy: (text) => navigator.clipboard.writeText(text),
      onLeave,
      describe: async (request, facts, signal, onIntent) => {
        if (page.data === undefined) return
        const { createDescribeRequest } = await import('../approval/description/describe-request')
        const loadDescribe = async () => (await import('../intent/describe')).describeApproval
        const reach = {
          page: page.data,
          baseUrl: location.origin,
          fetch: (...given: Parameters<typeof fetch>) => fetch(...given),
        }
        const describe = createDescribeRequest({ ...reach, factsOf: async () => facts, loadDescribe })
        await describe(request, signal, onIntent)
      },
      networkOf(networkId) {
        const network = resolveNetwork(networkId, page.data?.networks ?? [])
        return {
          name: network?.name ?? networkId,
          imageUrl: network?.imageUrl ?? assetPath(networkId, projectId ?? ''),
        }
      },
      // Nothing can cover a window.
      watch: (button, onArmed) => watchArming([button], onArmed),
    },
    wait,
    close: () => window.close(),
  }
  createRoot(root).render(<WindowApp {...given} />)
}

async function canMakePasskey(): Promise<boolean> {
  if (typeof PublicKeyCredential === 'undefined') return false
  return PublicKeyCredential.isUserVerifyingPlatformAuthenticatorAvailable().catch(() => false)
}

const root = document.getElementById('wallet-window')
if (root !== null) {
  void Promise.all([canMakePasskey(), loadText(navigator.languages)]).then(([hasPasskey, text]) =>
    start(root, hasPasskey, text),
  )
}

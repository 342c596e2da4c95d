import { type Clock, systemClock } from '@postern/base/clock'
import { readStored } from '@postern/base/read-stored'
import { ProjectPage, projectPageElementId, type ThemeMode } from '@postern/protocol'
import { notLoaded } from '@postern/protocol/failure'
import type { MultiConnector } from '../connectors/connector'
import type { WalletFrameDom } from '../connectors/embedded/wallet-frame/dom'
import type { WalletConnectOptions } from '../connectors/walletconnect/options'
import type { FrameWindow } from '../page-link/handshake'
import type { CheckResult } from '../page-link/host-methods'
import { type OnPageReturn, pageReturns } from '../services/page-return'
import type { ClickPowers } from '../snapshot/popup'

export type HostDependencies = {
  readonly window: FrameWindow
  /** Embedded by the gateway; null if missing or malformed. */
  readonly project: ProjectPage | null
  readonly baseUrl: string
  readonly fetch: typeof fetch
  readonly clock: Clock
  readonly randomId: () => string
  readonly onPageReturn: OnPageReturn
  readonly warn: (text: string) => void
  readonly frameStorage: () => Storage
  readonly isMobile: boolean
  readonly createWalletConnect: (options: WalletConnectOptions) => Promise<MultiConnector>
  readonly clickPowers: ClickPowers
  readonly walletFrameDom: () => Promise<WalletFrameDom>
  readonly themeMode: ThemeMode
  readonly locale: string
  /** For tests: validates results. */
  readonly check?: CheckResult
}

export function browserDependencies(window: Window & typeof globalThis): HostDependencies {
  const { console: page } = window
  const clock = systemClock()
  return {
    window,
    project: readProject(window.document),
    baseUrl: window.location.origin,
    fetch: window.fetch.bind(window),
    clock,
    randomId: () => window.crypto.randomUUID(),
    onPageReturn: pageReturns(window, () => clock.now()),
    warn: (text) => page.warn(text),
    frameStorage: () => window.localStorage,
    isMobile: isMobile(window.navigator),
    createWalletConnect: async (options) =>
      (await import('../connectors/walletconnect/index').catch(notLoaded)).createWalletConnect(options),
    clickPowers: {
      // A reused window would close with the previous attempt.
      openPopup: (url) => window.open(url, '_blank', 'popup,width=480,height=720'),
      requestStorageAccess: () => requestStorageAccess(window.document),
    },
    walletFrameDom: async () => (await import('../connectors/embedded/wallet-frame/dom')).browserFrameDom(window),
    themeMode: window.matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light',
    locale: window.navigator.language,
  }
}

/** Requests all kinds if supported, else cookies only. */
async function requestStorageAccess(document: {
  readonly requestStorageAccess?: (types?: { readonly all: boolean }) => Promise<unknown>
}): Promise<unknown> {
  if (document.requestStorageAccess === undefined) throw new Error('This browser grants no storage')
  return document.requestStorageAccess({ all: true })
}

/** An iPad claims to be a Mac, but Macs have no touch screen. */
export function isMobile({ userAgent, maxTouchPoints }: Pick<Navigator, 'userAgent' | 'maxTouchPoints'>): boolean {
  return /android|iphone|ipad|ipod|mobile/i.test(userAgent) || (/macintosh/i.test(userAgent) && maxTouchPoints > 1)
}

function readProject(document: Document): ProjectPage | null {
  return readStored(ProjectPage, document.getElementById(projectPageElementId)?.textContent ?? null)
}

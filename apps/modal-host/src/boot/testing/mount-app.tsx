/** View tests: the app with a scripted host, without layout. */
import type { Connection, Network, WalletEntry } from '@postern/protocol'
import { createText } from '@postern/ui/locales/text'
import { act } from 'react'
import { createRoot } from 'react-dom/client'
import { afterEach, beforeAll, vi } from 'vitest'
import { createStore } from 'zustand/vanilla'
import { testMoney } from '../../features/testing/test-money'
import type { ConnectAttempt, Host, HostSnapshot, WalletRow } from '../../snapshot/contract'
import { createSnapshotStore } from '../../snapshot/store'
import { address } from '../../testing/snapshot'
import { App } from '../app'
import { prefetchViews } from '../navigation/views'
import { mockActions } from './mock-actions'

export const lantern: WalletRow = {
  id: 'example.lantern',
  name: 'Lantern',
  group: 'injected',
  connectors: [{ connectorId: '1', namespace: 'eip155' }],
}
export const tide: WalletRow = { id: 'tide', name: 'Tide', group: 'recommended', connectors: [] }
export { address }
export const connected: Extract<Connection, { status: 'connected' }> = {
  status: 'connected',
  connector: { id: 'example.lantern', name: 'Lantern', type: 'ANNOUNCED' },
  accounts: [{ namespace: 'eip155', address, type: 'eoa' }],
  networkId: 'eip155:1',
}

export const ethereum: Network = {
  id: 1,
  name: 'Ethereum',
  chainNamespace: 'eip155',
  caipNetworkId: 'eip155:1',
  nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
  rpcUrls: ['https://rpc.example'],
  blockExplorers: [{ name: 'Etherscan', url: 'https://etherscan.example/' }],
  testnet: false,
}

const initial: HostSnapshot = {
  ...createSnapshotStore({ themeMode: 'light', locale: 'en', walletCount: 1_000, isTopLevel: false }).getState(),
  ready: true,
  namespaces: ['eip155'],
  networks: [ethereum],
  activeNetworkId: 'eip155:1',
  wallets: [lantern, tide],
  nativeBalance: { kind: 'ready', formatted: '1.250', symbol: 'ETH' },
}

export const directory: readonly WalletEntry[] = Array.from({ length: 1_000 }, (_, index) => ({
  id: `w${index}`,
  name: `Wallet ${index}`,
}))

let unmount = () => {}
afterEach(() => unmount())

beforeAll(async () => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)
  // happy-dom has no layout.
  Object.defineProperty(HTMLElement.prototype, 'clientHeight', { configurable: true, get: () => 432 })
  Object.defineProperty(HTMLElement.prototype, 'clientWidth', { configurable: true, get: () => 328 })
  await prefetchViews()
})

export async function mount(changes: Partial<HostSnapshot> = {}, money = testMoney()) {
  const store = createStore<HostSnapshot>(() => ({ ...initial, ...changes }))
  const actions = mockActions({
    close: () => store.setState({ open: false }),
    connect: (row, namespace) =>
      store.setState({ connectAttempt: attemptOf(row, namespace !== undefined || row.connectors.length <= 1) }),
    connectEntry: (entry) => store.setState({ connectAttempt: attemptOf(rowOf(entry), true) }),
    want: (wantedNamespace) => store.setState({ wantedNamespace }),
    cancelConnect: () => store.setState({ connectAttempt: null }),
    disconnect: async () => store.setState({ connections: {} }),
    switchNetwork: async () => undefined,
    acceptLegal: (accepted) => store.setState(({ legal }) => ({ legal: legal && { ...legal, accepted } })),
    consent: () => store.setState({ consentAsked: false }),
    dismissAlert: () => store.setState({ alert: null }),
    signInWithSocial: (provider) =>
      store.setState({ signIn: { kind: 'social', provider, step: 'window', error: null } }),
    signInWithFarcaster: () => store.setState({ signIn: { kind: 'farcaster', step: 'starting', error: null } }),
    cancelSignIn: () => store.setState({ signIn: null }),
    reject: (id) =>
      store.setState(({ approvals }) => ({ approvals: approvals.filter(({ request }) => request.id !== id) })),
    cancelEmailChange: () => store.setState({ emailChange: null }),
    forgetEndedWallet: async () => undefined,
    revokeDevice: async () => undefined,
    deleteAccount: async () => undefined,
  })
  const wallets = vi.fn<Host['directory']['wallets']>(async ({ page = 1, search }) => {
    const found = directory.filter(({ name }) => name.includes(search ?? ''))
    return {
      wallets: search === undefined ? found.slice((page - 1) * 40, page * 40) : found.slice(0, 100),
      count: found.length,
    }
  })
  const given = Promise.resolve(money)
  const host: Host = { store, actions, directory: { wallets, imageUrl: () => undefined }, money: () => given }
  const place = document.body.appendChild(document.createElement('div'))
  const root = createRoot(place)
  await act(async () => root.render(<App host={host} text={createText()} root={document.documentElement} />))
  unmount = () => {
    act(() => root.unmount())
    place.remove()
  }
  const set = (next: Partial<HostSnapshot>) => act(async () => store.setState(next))
  const open = (view: HostSnapshot['opening']['view'] = 'Connect') => set({ open: true, opening: { key: 1, view } })
  return { store, actions, wallets, set, open }
}

function rowOf(entry: WalletEntry): WalletRow {
  return { id: entry.id, name: entry.name, group: 'recommended', connectors: [], walletConnect: true, entry }
}

/** As the host would start it. */
function attemptOf(row: WalletRow, isChosen: boolean): ConnectAttempt {
  const begun: Omit<ConnectAttempt, 'via'> = { row, status: { kind: isChosen ? 'waiting' : 'choosing' }, retryAt: 0 }
  if (row.connectors.length > 0 || row.walletConnect !== true) return { ...begun, via: 'page' }
  return { ...begun, via: 'walletConnect', pairing: { kind: 'preparing' } }
}

/** Waits for updates outside `act`. */
export async function arrival(check: () => void): Promise<void> {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', false)
  try {
    await vi.waitFor(check, { timeout: 15_000, interval: 10 })
  } finally {
    vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)
  }
}

export function dialog(): HTMLElement {
  const found = document.querySelector<HTMLElement>('[role=dialog]')
  if (found === null) throw new Error('There is no dialog')
  return found
}

export const title = () => document.getElementById(dialog().getAttribute('aria-labelledby') ?? '')?.textContent
export const text = () => dialog().textContent ?? ''

export function button(name: string): HTMLElement {
  const all = [...dialog().querySelectorAll<HTMLElement>('button, a')]
  const found = all.find((one) => (one.getAttribute('aria-label') ?? one.textContent ?? '').startsWith(name))
  if (found === undefined)
    throw new Error(`There is no button '${name}' among: ${all.map((one) => one.textContent).join(' | ')}`)
  return found
}

export const press = (name: string) => act(async () => button(name).click())
export const key = (name: string, options: KeyboardEventInit = {}) =>
  act(async () => {
    const target = document.activeElement ?? document.body
    target.dispatchEvent(new KeyboardEvent('keydown', { key: name, bubbles: true, cancelable: true, ...options }))
  })

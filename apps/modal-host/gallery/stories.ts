/** Every view in every state. A story opens the modal with a snapshot, then presses what it names, as a visitor would. */
import type { ConnectAttempt, HostSnapshot } from '../src/session/contract'
import {
  attempt,
  connected,
  elsewhere,
  fewNetworks,
  harbor,
  juniper,
  lantern,
  linkless,
  longNamed,
  manyNetworks,
  nameless,
  snapshot,
  tide,
} from './fixtures'

export type Directory = 'full' | 'loading' | 'failing' | 'empty'

export type Story = {
  readonly snapshot: HostSnapshot
  /** Accessible names of buttons, pressed in order. */
  readonly press?: readonly string[]
  readonly type?: string
  /** What pressing a wallet leads to. */
  readonly attempt?: ConnectAttempt
  readonly directory?: Directory
  /** What must be there when the picture is taken. */
  readonly awaits?: RegExp
}

const account: HostSnapshot = {
  ...snapshot,
  opening: { key: 1, view: 'Account' },
  connections: { eip155: connected },
  nativeBalance: { kind: 'ready', formatted: '4218.073', symbol: 'ETH' },
}
const networks: HostSnapshot = { ...account, opening: { key: 1, view: 'Account' } }

function connecting(row: ConnectAttempt['row'], status: ConnectAttempt['status']): Story {
  const wallets = [row, ...snapshot.wallets.filter(({ id }) => id !== row.id)]
  return { snapshot: { ...snapshot, wallets }, press: [row.name], attempt: attempt(row, status) }
}

export const stories: Readonly<Record<string, Story>> = {
  connect: { snapshot },
  'connect-loading': { snapshot: { ...snapshot, ready: false } },
  'connect-none-installed': { snapshot: { ...snapshot, wallets: [tide, juniper, nameless] } },
  'connect-nothing': { snapshot: { ...snapshot, wallets: [], directoryCount: null } },
  'connect-many': {
    snapshot: {
      ...snapshot,
      wallets: [
        harbor,
        longNamed,
        lantern,
        tide,
        juniper,
        nameless,
        linkless,
        { ...tide, id: 't2', name: 'Estuary' },
        { ...juniper, id: 'j2', name: 'Wicket' },
      ],
    },
  },
  'connect-snackbar': { snapshot: { ...snapshot, snackbar: { key: 1, tone: 'bad', text: 'Failed to disconnect' } } },
  'connect-alert': {
    snapshot: {
      ...snapshot,
      alert: {
        code: 'ORIGIN_NOT_ALLOWED',
        title: 'Invalid App Configuration',
        text: 'The origin https://saltmarsh.example is not on the allowlist of this project. Add it to the project’s allowed origins.',
      },
    },
  },
  'all-wallets': { snapshot, press: ['All wallets'], directory: 'full' },
  'all-wallets-search': { snapshot, press: ['All wallets'], type: 'ember', directory: 'full' },
  'all-wallets-no-match': { snapshot, press: ['All wallets'], type: 'zzz', directory: 'full' },
  'all-wallets-loading': { snapshot: { ...snapshot, wallets: [tide] }, press: ['All wallets'], directory: 'loading' },
  'all-wallets-failed': {
    snapshot: { ...snapshot, wallets: [tide] },
    press: ['All wallets'],
    directory: 'failing',
    awaits: /Try again|Erneut versuchen/,
  },
  'connecting-waiting': connecting(lantern, { kind: 'waiting' }),
  'connecting-pending': connecting(lantern, { kind: 'pendingInWallet' }),
  'connecting-declined': connecting(lantern, { kind: 'declined' }),
  'connecting-failed': connecting(lantern, {
    kind: 'failed',
    code: 'DISCONNECTED',
    message: 'The provider is disconnected from all chains',
  }),
  'connecting-connected': connecting(lantern, { kind: 'connected' }),
  'connecting-not-installed': connecting(tide, { kind: 'notInstalled' }),
  'connecting-no-links': connecting(linkless, { kind: 'notInstalled' }),
  'connecting-long-name': connecting(longNamed, { kind: 'waiting' }),
  account: { snapshot: account },
  'account-loading': { snapshot: { ...account, nativeBalance: { kind: 'loading' } } },
  'account-balance-failed': { snapshot: { ...account, nativeBalance: { kind: 'failed' } } },
  'account-large-balance': {
    snapshot: {
      ...account,
      nativeBalance: { kind: 'ready', formatted: '12345678901234.123', symbol: 'VERYLONGSYMBOL' },
    },
  },
  'account-disconnect': { snapshot: account, press: ['Disconnect'] },
  networks: { snapshot: networks, press: ['Ethereum'] },
  'networks-many': { snapshot: { ...networks, networks: manyNetworks }, press: ['Ethereum'] },
  'networks-no-match': { snapshot: { ...networks, networks: manyNetworks }, press: ['Ethereum'], type: 'zzz' },
  'networks-switching': {
    snapshot: { ...networks, switchAttempt: { networkId: 'eip155:8453', status: { kind: 'waiting' } } },
    press: ['Ethereum'],
  },
  'networks-declined': {
    snapshot: { ...networks, switchAttempt: { networkId: 'eip155:8453', status: { kind: 'declined' } } },
    press: ['Ethereum'],
  },
  'networks-failed': {
    snapshot: {
      ...networks,
      switchAttempt: { networkId: 'eip155:10', status: { kind: 'failed', message: 'Chain is not supported' } },
    },
    press: ['Ethereum'],
  },
  'unsupported-chain': {
    snapshot: {
      ...account,
      networks: fewNetworks.slice(0, 3),
      opening: { key: 1, view: 'UnsupportedChain' },
      connections: { eip155: elsewhere },
    },
  },
  'what-is-a-wallet': { snapshot, press: ['What is a wallet?'] },
}

/** A story in one setting. `width` and `height` in CSS px; `scale` in device pixels each. */
export type Setting = {
  readonly name: string
  readonly theme: 'light' | 'dark'
  readonly width: number
  readonly height: number
  readonly scale?: number
  readonly locale?: string
  readonly direction?: 'rtl'
  readonly dapp?: 'violet'
  readonly stories?: readonly string[]
}

export const settings: readonly Setting[] = [
  { name: 'light', theme: 'light', width: 480, height: 720 },
  { name: 'dark', theme: 'dark', width: 480, height: 720 },
  { name: 'mobile', theme: 'light', width: 390, height: 844 },
  {
    name: 'mobile-dark',
    theme: 'dark',
    width: 390,
    height: 844,
    stories: ['connect', 'account', 'all-wallets', 'connecting-waiting'],
  },
  {
    name: 'german',
    theme: 'light',
    width: 480,
    height: 720,
    locale: 'de',
    stories: [
      'connect',
      'connect-none-installed',
      'all-wallets-failed',
      'connecting-pending',
      'account-disconnect',
      'networks-switching',
      'unsupported-chain',
      'what-is-a-wallet',
    ],
  },
  {
    name: 'rtl',
    theme: 'dark',
    width: 480,
    height: 720,
    direction: 'rtl',
    stories: ['connect', 'all-wallets', 'connecting-waiting', 'account', 'networks', 'what-is-a-wallet'],
  },
  // 200 per cent of 640 by 720: half the CSS pixels, twice as large.
  {
    name: 'zoomed',
    theme: 'light',
    width: 320,
    height: 360,
    scale: 2,
    stories: [
      'connect',
      'all-wallets',
      'connecting-declined',
      'account',
      'networks',
      'connect-alert',
      'unsupported-chain',
    ],
  },
  {
    name: 'violet',
    theme: 'light',
    width: 480,
    height: 720,
    dapp: 'violet',
    stories: ['connect', 'account', 'networks', 'connecting-waiting'],
  },
]

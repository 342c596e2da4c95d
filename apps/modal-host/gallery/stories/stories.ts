/** Every view in every state. A scenario opens the modal with a snapshot, then presses buttons by name. */
import type { ConnectAttempt, HostSnapshot, Pairing } from '../../src/snapshot/contract'
import {
  anyWallet,
  attempt,
  bitcoinNetwork,
  compass,
  connected,
  elsewhere,
  fewNetworks,
  harbor,
  juniper,
  lantern,
  linkless,
  logo,
  longNamed,
  longNamedPhone,
  manyNetworks,
  nameless,
  networksOfThree,
  onBitcoin,
  onSolana,
  pairingAttempt,
  snapshot,
  solanaNetwork,
  tide,
} from '../fixtures/snapshots'
import { currencyOf } from '../fixtures/tokens'
import { accountStories } from './account'
import { embeddedStories } from './embedded'
import { progressStories } from './progress'
import { sendStories } from './send'
import { shopStories } from './shop'
import { signInStories } from './sign-in'
import type { Story } from './story'
import { swapStories } from './swap'

const account: HostSnapshot = {
  ...snapshot,
  opening: { key: 1, view: 'Account' },
  connections: { eip155: connected },
  nativeBalance: { kind: 'ready', formatted: '4218.073', symbol: 'ETH' },
}
const shown = { awaits: /USD Coin/ } as const
const networks: HostSnapshot = { ...account, opening: { key: 1, view: 'Account' } }

function connecting(row: ConnectAttempt['row'], status: ConnectAttempt['status']): Story {
  const wallets = [row, ...snapshot.wallets.filter(({ id }) => id !== row.id)]
  return { snapshot: { ...snapshot, wallets }, press: [row.name], attempt: attempt(row, status) }
}

function pairing(
  row: ConnectAttempt['row'],
  status: ConnectAttempt['status'] = { kind: 'waiting' },
  more: { readonly pairing?: Pairing; readonly relay?: HostSnapshot['relay'] } = {},
): Story {
  const { relay = 'connected' } = more
  const wallets = [row, ...snapshot.wallets.filter(({ id }) => id !== row.id)]
  return {
    snapshot: { ...snapshot, wallets, relay },
    press: [row.name],
    attempt: pairingAttempt(row, status, more.pairing),
  }
}

const three: HostSnapshot = {
  ...account,
  networks: networksOfThree,
  namespaces: ['eip155', 'solana', 'bip122'],
  connections: { eip155: connected, solana: onSolana, bip122: onBitcoin },
}
const bitcoin: HostSnapshot = {
  ...three,
  activeNetworkId: bitcoinNetwork.caipNetworkId,
  nativeBalance: { kind: 'ready', formatted: '0.482', symbol: 'BTC' },
}

export const stories: Readonly<Record<string, Story>> = {
  connect: { snapshot },
  'connect-logo': { snapshot: { ...snapshot, brand: { logo, disclaimer: 'Not for residents of Atlantis.' } } },
  'connect-walletconnect': {
    snapshot: { ...snapshot, wallets: [anyWallet, harbor, compass, tide, juniper], namespaces: three.namespaces },
  },
  'connect-only-solana': {
    snapshot: { ...snapshot, wantedNamespace: 'solana', wallets: [compass, juniper], namespaces: three.namespaces },
  },
  'wallet-request': {
    snapshot: {
      ...account,
      opening: { key: 1, view: 'WalletRequest' },
      walletRequests: [{ id: '1', name: juniper.name }],
    },
  },
  'wallet-request-lost': {
    snapshot: {
      ...account,
      opening: { key: 1, view: 'WalletRequest' },
      relay: 'lost',
      walletRequests: [
        { id: '1', name: juniper.name },
        { id: '2', name: juniper.name },
      ],
    },
  },
  'wallet-request-left': {
    snapshot: {
      ...account,
      opening: { key: 1, view: 'WalletRequest' },
      walletRequests: [{ id: '1', name: juniper.name, isLeft: true }],
    },
  },
  'pairing-code': pairing(juniper),
  'pairing-preparing': pairing(juniper, { kind: 'waiting' }, { pairing: { kind: 'preparing' } }),
  'pairing-lost': pairing(juniper, { kind: 'waiting' }, { relay: 'lost' }),
  'pairing-long-name': pairing(longNamedPhone),
  'pairing-ways': pairing(tide),
  'pairing-desktop': { ...pairing(tide), press: [tide.name, 'Desktop'] },
  'pairing-web': { ...pairing(tide), press: [tide.name, 'Browser'] },
  'pairing-extension': { ...pairing(tide), press: [tide.name, 'Extension'] },
  'pairing-link-preparing': {
    ...pairing(tide, { kind: 'waiting' }, { pairing: { kind: 'preparing' } }),
    press: [tide.name, 'Desktop'],
  },
  'pairing-expired': pairing(juniper, { kind: 'expired' }),
  'pairing-declined': pairing(juniper, { kind: 'declined' }),
  'pairing-connected': pairing(juniper, { kind: 'connected' }),
  'pairing-app': { ...pairing(juniper), phone: true },
  'pairing-app-ways': { ...pairing(tide), phone: true },
  'pairing-app-lost': { ...pairing(juniper, { kind: 'waiting' }, { relay: 'lost' }), phone: true },
  'get-wallet': { ...pairing(tide), press: [tide.name, 'Get Tide Wallet'] },
  'any-wallet': pairing(anyWallet),
  'any-wallet-preparing': pairing(anyWallet, { kind: 'waiting' }, { pairing: { kind: 'preparing' } }),
  'any-wallet-phone': { ...pairing(anyWallet), phone: true },
  'any-wallet-elsewhere': {
    ...pairing(anyWallet),
    press: [anyWallet.name, 'Use a wallet on another device'],
    phone: true,
  },
  'choose-chain': {
    snapshot: { ...three, opening: snapshot.opening, connections: { solana: onSolana }, wallets: [compass, tide] },
    press: [compass.name],
    attempt: attempt(compass, { kind: 'choosing' }),
  },
  'switch-active-chain': {
    snapshot: {
      ...three,
      opening: { key: 1, view: 'SwitchActiveChain' },
      connections: { eip155: connected },
      activeNetworkId: solanaNetwork.caipNetworkId,
    },
  },
  'account-of-three': { snapshot: three, ...shown },
  'account-one-of-three': { snapshot: { ...three, connections: { eip155: connected } }, ...shown },
  'account-bitcoin': {
    snapshot: bitcoin,
    tokens: currencyOf(bitcoinNetwork.caipNetworkId, 'BTC', '0.482'),
    awaits: /BTC/,
  },
  'account-solana': {
    snapshot: {
      ...three,
      activeNetworkId: solanaNetwork.caipNetworkId,
      connections: { eip155: elsewhere, solana: onSolana },
      nativeBalance: { kind: 'ready', formatted: '12.804', symbol: 'SOL' },
    },
    tokens: currencyOf(solanaNetwork.caipNetworkId, 'SOL', '12.804'),
    awaits: /SOL/,
  },
  'account-disconnect-several': { snapshot: three, press: ['Disconnect'] },
  'networks-of-three': { snapshot: three, press: ['Ethereum'] },
  'unsupported-of-three': {
    snapshot: {
      ...three,
      opening: { key: 1, view: 'UnsupportedChain' },
      connections: { eip155: elsewhere, solana: onSolana },
    },
  },
  'connect-loading': { snapshot: { ...snapshot, ready: false } },
  'connect-none-installed': { snapshot: { ...snapshot, wallets: [nameless, linkless] } },
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
        text: 'https://saltmarsh.example is not on the allowlist of this project. Add it to the project’s allowed origins.',
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
  account: { snapshot: account, ...shown },
  'account-loading': { snapshot: { ...account, nativeBalance: { kind: 'loading' } } },
  'account-balance-failed': {
    snapshot: { ...account, nativeBalance: { kind: 'failed' } },
    tokens: 'failing',
    awaits: /Balance unavailable/,
  },
  'account-large-balance': {
    snapshot: {
      ...account,
      nativeBalance: { kind: 'ready', formatted: '12345678901234.123', symbol: 'VERYLONGSYMBOL' },
    },
    tokens: 'failing',
    awaits: /VERYLONGSYMBOL/,
  },
  'account-disconnect': { snapshot: account, press: ['Disconnect'], ...shown },
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
      switchAttempt: {
        networkId: 'eip155:10',
        status: { kind: 'failed', code: 'CHAIN_NOT_SUPPORTED', message: 'Chain is not supported' },
      },
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
  ...accountStories,
  ...embeddedStories,
  ...sendStories,
  ...shopStories,
  ...progressStories,
  ...signInStories,
  ...swapStories,
}

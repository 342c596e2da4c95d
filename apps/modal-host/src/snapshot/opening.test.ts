import type { Connection, Namespace } from '@postern/protocol'
import { describe, expect, it } from 'vitest'
import { connectMethodsOf } from '../connections/wallets/wallet-list'
import { isMobile } from '../host/dependencies'
import type { HostSnapshot } from './host-snapshot'
import { connectOpening, type Opening, openingOf, type Surroundings } from './opening'
import { createSnapshotStore } from './store'
import type { WalletRow } from './wallet-row'

const empty = createSnapshotStore({ themeMode: 'light', locale: 'en', walletCount: 7, isTopLevel: false }).getState()
const desktop = { isMobile: false, isExternal: () => false }
const mobile = { isMobile: true, isExternal: (id: string) => id.startsWith('external') }

function row(id: string, ...connectorIds: string[]): WalletRow {
  return {
    id,
    name: id,
    group: 'injected',
    connectors: connectorIds.map((connectorId) => ({ connectorId, namespace: 'eip155' as const })),
  }
}

function connection(namespace: Namespace, changes: { unsupported?: true; networkId?: string } = {}): Connection {
  return {
    status: 'connected',
    connector: { id: 'w', name: 'W', type: 'ANNOUNCED' },
    accounts: [{ namespace, address: 'a', type: 'eoa' }],
    networkId: `${namespace}:1`,
    ...(changes.unsupported && { unsupported: true }),
  }
}

const finding: Connection = { status: 'connecting', accounts: [{ namespace: 'solana', address: 'a', type: 'eoa' }] }

describe('default views', () => {
  it.each<[string, Partial<HostSnapshot>, string]>([
    ['Connect while disconnected (spec §2)', {}, 'Connect'],
    ['Connect while a wallet is only being asked', { connections: { eip155: { status: 'connecting' } } }, 'Connect'],
    ['Account with any namespace connected (spec §2)', { connections: { solana: connection('solana') } }, 'Account'],
    ['Account while a session is being found again', { connections: { solana: finding } }, 'Account'],
    [
      'UnsupportedChain if the active wallet is on an unknown network',
      { activeNetworkId: 'eip155:9', connections: { eip155: connection('eip155', { unsupported: true }) } },
      'UnsupportedChain',
    ],
    [
      'Account where only another namespace is on one',
      {
        activeNetworkId: 'solana:1',
        connections: { eip155: connection('eip155', { unsupported: true }), solana: connection('solana') },
      },
      'Account',
    ],
  ])('%s', (_what, changes, view) => {
    expect(openingOf({ ...empty, ...changes }, desktop)).toEqual({ view })
  })

  const installed = row('fox', 'w1')
  it.each<[string, Partial<HostSnapshot>, Surroundings, Opening]>([
    ['Connect on a desktop, whatever is in the page', { wallets: [installed] }, desktop, { view: 'Connect' }],
    ['Connect on a desktop without any wallet', {}, desktop, { view: 'Connect' }],
    ['AllWallets on a phone without a wallet (spec §2)', { wallets: [row('listed')] }, mobile, { view: 'AllWallets' }],
    ['Connect there where the directory is empty', { directoryCount: 0 }, mobile, { view: 'Connect' }],
    [
      'AllWallets there where email is offered',
      { connectMethods: ['email', 'wallet'] },
      mobile,
      { view: 'AllWallets' },
    ],
    ['Connect there with a disclaimer', { brand: { disclaimer: 'No advice.' } }, mobile, { view: 'Connect' }],
    ['Connect there with a question', { consentAsked: true }, mobile, { view: 'Connect' }],
    [
      'Connect there for the one way that the dapp asks for',
      { wantedMethod: { kind: 'social', provider: 'google' } },
      mobile,
      { view: 'Connect' },
    ],
    ['Connect there for the user’s own wallet', { walletKept: true }, mobile, { view: 'Connect' }],
    [
      'a wallet directly in its own browser',
      { wallets: [row('listed'), installed] },
      mobile,
      { view: 'ConnectingExternal', connect: installed },
    ],
    ['Connect where two are in the page', { wallets: [installed, row('b', 'w2')] }, mobile, { view: 'Connect' }],
    [
      'AllWallets where the only one is the dapp’s own',
      { wallets: [row('own', 'external-1')] },
      mobile,
      { view: 'AllWallets' },
    ],
    [
      'the wallet’s own browser beside a connector of the dapp’s',
      { wallets: [row('own', 'external-1'), installed] },
      mobile,
      { view: 'ConnectingExternal', connect: installed },
    ],
  ])('chooses: %s', (_what, changes, surroundings, opening) => {
    expect(connectOpening({ ...empty, ...changes }, surroundings)).toEqual(opening)
  })
})

describe('connectMethodsOf', () => {
  const everything = ['email', 'social', 'wallet'] as const

  it.each([
    [
      'email, social, wallet (spec §2)',
      { offered: everything, hasPageWallet: false, order: undefined },
      ['email', 'social', 'wallet'],
    ],
    [
      'wallet first with one in the page (spec §2)',
      { offered: everything, hasPageWallet: true, order: undefined },
      ['wallet', 'email', 'social'],
    ],
    [
      'the dapp’s order (spec §2)',
      { offered: everything, hasPageWallet: true, order: ['social'] as const },
      ['social', 'wallet', 'email'],
    ],
    [
      'only what is offered',
      { offered: ['wallet'] as const, hasPageWallet: false, order: ['email', 'wallet'] as const },
      ['wallet'],
    ],
  ])('%s', (_what, given, methods) => {
    expect(connectMethodsOf(given)).toEqual(methods)
  })
})

describe('isMobile', () => {
  it.each([
    ['Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 Chrome/126 Mobile Safari/537.36', 5, true],
    ['Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 Version/17.5 Mobile/15E148', 5, true],
    ['Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 Version/17.5 Safari/605.1.15', 5, true],
    ['Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 Version/17.5 Safari/605.1.15', 0, false],
    ['Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/126 Safari/537.36', 10, false],
    ['Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/126 Safari/537.36', 0, false],
  ])('%s with %i touch points: %s', (userAgent, maxTouchPoints, expected) => {
    expect(isMobile({ userAgent, maxTouchPoints })).toBe(expected)
  })
})

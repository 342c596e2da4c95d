import type { Connection } from '@postern/protocol'
import { describe, expect, it } from 'vitest'
import { type Followed, type Here, nextView } from './follow'

const connected: Connection = {
  status: 'connected',
  connector: { id: 'a', name: 'A', type: 'ANNOUNCED' },
  accounts: [{ namespace: 'eip155', address: '0x1', type: 'eoa' }],
  networkId: 'eip155:1',
}
const elsewhere: Connection = { ...connected, networkId: 'eip155:61', unsupported: true }
const restored: Connection = {
  status: 'reconnecting',
  accounts: [{ namespace: 'eip155', address: '0x1', type: 'eoa' }],
}

function at(view: Here['view'], more: Partial<Here> = {}): Here {
  return { view, depth: 0, arrived: 1, ...more }
}

function host(connection: Connection | null, more: Partial<Followed> = {}): Followed {
  return {
    open: true,
    opening: { key: 1, view: 'Connect' },
    connections: connection === null ? {} : { eip155: connection },
    activeNetworkId: 'eip155:1',
    connectAttempt: null,
    signIn: null,
    emailChange: null,
    embedded: null,
    approvals: [],
    ...more,
  }
}

function attempt(kind: 'connected' | 'declined'): Pick<Followed, 'connectAttempt'> {
  return {
    connectAttempt: {
      row: { id: 'a', name: 'A', group: 'injected', connectors: [] },
      via: 'page',
      status: { kind },
      retryAt: 0,
    },
  }
}

describe('nextView', () => {
  it('1: goes to the view that an opening asks for, and forgets the way there', () => {
    expect(nextView(at('Connect', { arrived: null }), host(null, { opening: { key: 1, view: 'AllWallets' } }))).toBe(
      'AllWallets',
    )
    expect(nextView(at('Connect', { arrived: null }), host(null))).toBeNull()
    expect(nextView(at('Connect', { arrived: null, depth: 2 }), host(null))).toBe('Connect')
    expect(nextView(at('WhatIsAWallet'), host(null, { opening: { key: 2, view: 'Connect' } }))).toBe('Connect')
  })

  it('2: makes ready, while closed, what the next opening will most likely ask for', () => {
    const closed = { open: false }
    expect(nextView(at('AllWallets', { depth: 1 }), host(null, closed))).toBe('Connect')
    expect(nextView(at('Connect'), host(null, closed))).toBeNull()
    expect(nextView(at('Connect'), host(connected, closed))).toBe('Account')
    expect(nextView(at('Connect'), host(restored, closed))).toBe('Account')
    expect(nextView(at('Connect'), host(elsewhere, closed))).toBe('UnsupportedChain')
  })

  it('3: leaves a connection attempt when it has succeeded, and only then', () => {
    expect(nextView(at('ConnectingExternal', { depth: 1 }), host(connected, attempt('connected')))).toBe('Account')
    expect(nextView(at('ConnectingExternal', { depth: 1 }), host(elsewhere, attempt('connected')))).toBe(
      'UnsupportedChain',
    )
    expect(nextView(at('ConnectingExternal', { depth: 1 }), host(null, attempt('declined')))).toBeNull()
    expect(nextView(at('GetWallet', { depth: 2 }), host(connected, attempt('connected')))).toBe('Account')
    expect(nextView(at('ConnectingExternal', { depth: 1 }), host(null))).toBeNull()
  })

  it('4: ends Account and UnsupportedChain with their connection, and leaves other views alone', () => {
    expect(nextView(at('Account'), host(null))).toBe('Connect')
    expect(nextView(at('Account'), host({ status: 'disconnected' }))).toBe('Connect')
    expect(nextView(at('UnsupportedChain'), host(null))).toBe('Connect')
    expect(nextView(at('Networks'), host(null))).toBeNull()
    expect(nextView(at('Account'), host(restored))).toBeNull()
  })

  it('4: ends SwitchActiveChain with what it explains', () => {
    const chosen = { activeNetworkId: 'solana:S' } as const
    expect(nextView(at('SwitchActiveChain'), host(connected, chosen))).toBeNull()
    expect(nextView(at('SwitchActiveChain'), host(connected))).toBe('Account')
    expect(nextView(at('SwitchActiveChain'), host(null, chosen))).toBe('Connect')
  })

  it('5: follows the wallet to a network that the dapp does not know, and back', () => {
    expect(nextView(at('Account'), host(elsewhere))).toBe('UnsupportedChain')
    expect(nextView(at('UnsupportedChain'), host(elsewhere))).toBeNull()
    expect(nextView(at('UnsupportedChain'), host(connected))).toBe('Account')
  })

  it('6: shows an attempt by the view of its kind', () => {
    const row = { id: 'a', name: 'A', group: 'recommended', connectors: [], walletConnect: true } as const
    const by = (via: 'page' | 'walletConnect', entry?: { id: string; name: string }) =>
      host(null, {
        connectAttempt: { row: { ...row, ...(entry && { entry }) }, via, status: { kind: 'waiting' }, retryAt: 0 },
      })
    expect(nextView(at('ConnectingExternal'), by('page'))).toBeNull()
    expect(nextView(at('ConnectingExternal'), by('walletConnect'))).toBe('ConnectingWalletConnectBasic')
    expect(nextView(at('ConnectingExternal'), by('walletConnect', { id: 'a', name: 'A' }))).toBe(
      'ConnectingWalletConnect',
    )
    expect(nextView(at('ConnectingWalletConnect'), by('page'))).toBe('ConnectingExternal')
    expect(nextView(at('GetWallet'), by('walletConnect'))).toBeNull()
  })
})

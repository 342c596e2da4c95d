import type { Connection } from '@postern/protocol'
import { approvalRequest } from '@postern/protocol/testing/approval-request'
import { describe, expect, it } from 'vitest'
import type { SignIn } from '../../snapshot/contract'
import { factsOfView, type ViewFacts, viewFacts } from '../../snapshot/views'
import { embeddedUser } from '../../testing/snapshot'
import { behind, type Followed, type Here, nextMove, nextView } from './follow'

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
    signInPrompt: null,
    embedded: null,
    approvals: [],
    walletRequests: [],
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

function email(step: Extract<SignIn, { kind: 'email' }>['step']): SignIn {
  return { kind: 'email', email: 'a@example.org', step, resendAt: 0, error: null }
}

const embedded = embeddedUser()

const approval: Followed['approvals'][number] = {
  request: approvalRequest({ kind: 'eip155.message', address: '0x1', account: 'eoa', message: '0x48' }, { id: 'r1' }),
  height: null,
  status: { kind: 'waiting' },
}

it('12. leaves the card of a request once no wallet is asked any more', () => {
  const asked = { walletRequests: [{ id: '1', name: 'Lantern' }] }
  expect(nextView(at('WalletRequest'), host(null, asked))).toBeNull()
  expect(nextView(at('WalletRequest'), host(null))).toBe('Connect')
})

describe('nextView', () => {
  it('1: goes to the requested view of an opening, and clears the history', () => {
    expect(nextView(at('Connect', { arrived: null }), host(null, { opening: { key: 1, view: 'AllWallets' } }))).toBe(
      'AllWallets',
    )
    expect(nextView(at('Connect', { arrived: null }), host(null))).toBeNull()
    expect(nextView(at('Connect', { arrived: null, depth: 2 }), host(null))).toBe('Connect')
    expect(nextView(at('WhatIsAWallet'), host(null, { opening: { key: 2, view: 'Connect' } }))).toBe('Connect')
  })

  it('2: while closed, prepares the most likely next view', () => {
    const closed = { open: false }
    expect(nextView(at('AllWallets', { depth: 1 }), host(null, closed))).toBe('Connect')
    expect(nextView(at('Connect'), host(null, closed))).toBeNull()
    expect(nextView(at('Connect'), host(connected, closed))).toBe('Account')
    expect(nextView(at('Connect'), host(restored, closed))).toBe('Account')
    expect(nextView(at('Connect'), host(elsewhere, closed))).toBe('UnsupportedChain')
  })

  it('3: leaves a connection attempt only when it has succeeded', () => {
    expect(nextView(at('ConnectingExternal', { depth: 1 }), host(connected, attempt('connected')))).toBe('Account')
    expect(nextView(at('ConnectingExternal', { depth: 1 }), host(elsewhere, attempt('connected')))).toBe(
      'UnsupportedChain',
    )
    expect(nextView(at('ConnectingExternal', { depth: 1 }), host(null, attempt('declined')))).toBeNull()
    expect(nextView(at('GetWallet', { depth: 2 }), host(connected, attempt('connected')))).toBe('Account')
    expect(nextView(at('ConnectingExternal', { depth: 1 }), host(null))).toBeNull()
  })

  it('4: leaves Account and UnsupportedChain when their connection ends, but no other view', () => {
    expect(nextView(at('Account'), host(null))).toBe('Connect')
    expect(nextView(at('Account'), host({ status: 'disconnected' }))).toBe('Connect')
    expect(nextView(at('UnsupportedChain'), host(null))).toBe('Connect')
    expect(nextView(at('Networks'), host(null))).toBeNull()
    expect(nextView(at('Account'), host(restored))).toBeNull()
  })

  it('4: leaves SwitchActiveChain when it no longer applies', () => {
    const chosen = { activeNetworkId: 'solana:S' } as const
    expect(nextView(at('SwitchActiveChain'), host(connected, chosen))).toBeNull()
    expect(nextView(at('SwitchActiveChain'), host(connected))).toBe('Account')
    expect(nextView(at('SwitchActiveChain'), host(null, chosen))).toBe('Connect')
  })

  it('5: follows the wallet to a network that the dapp does not support, and back', () => {
    expect(nextView(at('Account'), host(elsewhere))).toBe('UnsupportedChain')
    expect(nextView(at('UnsupportedChain'), host(elsewhere))).toBeNull()
    expect(nextView(at('UnsupportedChain'), host(connected))).toBe('Account')
  })

  it('6: shows an attempt in the view of its kind', () => {
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

  it('7: shows sign-in in the view of its step, one level below Connect', () => {
    expect(nextMove(at('Connect'), host(null, { signIn: email('sending') }))).toBeNull()
    expect(nextMove(at('Connect'), host(null, { signIn: email('device') }))).toEqual({
      to: 'EmailVerifyDevice',
      stepIn: true,
    })
    expect(nextMove(at('EmailVerifyDevice', { depth: 1 }), host(null, { signIn: email('code') }))).toEqual({
      to: 'EmailVerifyOtp',
      stepIn: false,
    })
    expect(nextView(at('EmailVerifyDevice', { depth: 1 }), host(null, { signIn: email('sending') }))).toBeNull()
    expect(nextView(at('Connect'), host(null, { signIn: email('opening') }))).toBe('EmailVerifyOtp')
    const google: SignIn = { kind: 'social', provider: 'google', step: 'starting', error: null }
    expect(nextView(at('Connect'), host(null, { signIn: google }))).toBe('ConnectingSocial')
    const farcaster: SignIn = { kind: 'farcaster', step: 'starting', error: null }
    expect(nextView(at('Connect'), host(null, { signIn: farcaster }))).toBe('ConnectingFarcaster')
  })

  it('7: goes home once the user is signed in and there is an account to show', () => {
    const view = at('EmailVerifyOtp', { depth: 1 })
    expect(nextView(view, host(connected, { embedded }))).toBe('Account')
    expect(nextView(view, host(null, { embedded }))).toBeNull()
    expect(nextView(view, host(null))).toBeNull()
    expect(nextView(view, host(connected))).toBeNull()
  })

  it('8: shows a request above any view, and restores that view when no request is left', () => {
    const waiting = { approvals: [approval] }
    expect(nextMove(at('WalletSecurity', { depth: 1 }), host(connected, { embedded, ...waiting }))).toEqual({
      to: 'ApproveTransaction',
      stepIn: true,
    })
    expect(nextView(at('ApproveTransaction', { depth: 2 }), host(connected, { embedded, ...waiting }))).toBeNull()
    expect(nextView(at('ApproveTransaction', { depth: 2 }), host(connected, { embedded }))).toBe(behind)
    expect(nextView(at('ApproveTransaction'), host(connected, { embedded }))).toBe('Account')
  })

  it('8: shows a request at once when the modal opens for it', () => {
    const opening = { key: 2, view: 'ApproveTransaction' } as const
    expect(nextMove(at('Account'), host(connected, { embedded, opening, approvals: [approval] }))).toEqual({
      to: 'ApproveTransaction',
      stepIn: false,
    })
    expect(nextView(at('Account'), host(connected, { embedded, open: false, approvals: [approval] }))).toBeNull()
  })

  it('9: shows an email change in the view of its step', () => {
    const change = (step: 'sending' | 'primary' | 'secondary') =>
      host(connected, { embedded, emailChange: { email: 'b@example.org', step, error: null } })
    expect(nextView(at('UpdateEmail', { depth: 2 }), change('sending'))).toBeNull()
    expect(nextView(at('UpdateEmail', { depth: 2 }), change('primary'))).toBe('UpdateEmailPrimaryOtp')
    expect(nextView(at('UpdateEmailPrimaryOtp', { depth: 2 }), change('primary'))).toBeNull()
    expect(nextView(at('UpdateEmailPrimaryOtp', { depth: 2 }), change('secondary'))).toBe('UpdateEmailSecondaryOtp')
    expect(nextView(at('UpdateEmailSecondaryOtp', { depth: 2 }), host(connected, { embedded }))).toBeNull()
    expect(nextView(at('Account'), change('primary'))).toBeNull()
  })

  it('9: leaves the embedded wallet’s views on sign-out', () => {
    expect(nextView(at('WalletSecurity', { depth: 1 }), host(null))).toBe('Connect')
    expect(nextView(at('DeleteAccount', { depth: 2 }), host(connected))).toBe('Account')
    expect(nextView(at('RemoveDevice', { depth: 2 }), host(connected))).toBe('Account')
    expect(nextView(at('WalletSecurity', { depth: 1 }), host(connected, { embedded }))).toBeNull()
  })

  it('10: leaves feature views with the last connection', () => {
    for (const view of ['Send', 'OnRamp', 'Pay', 'TransactionProgress'] as const) {
      expect(nextView(at(view, { depth: 1 }), host(null))).toBe('Connect')
      expect(nextView(at(view, { depth: 1 }), host(connected))).toBeNull()
      expect(nextView(at(view, { depth: 1 }), host(restored))).toBeNull()
    }
  })

  it('11: shows the sign-in prompt until it is answered, even after an earlier move home', () => {
    const opening = { key: 1, view: 'SIWXSignMessage' } as const
    const signInPrompt = {
      view: 'SIWXSignMessage',
      namespace: 'eip155',
      networkId: 'eip155:1',
      address: '0x1',
      wallet: { name: 'A' },
      domain: 'd.example',
      isRequired: true,
      step: 'asked',
      error: null,
    } as const
    expect(nextView(at('SIWXSignMessage'), host(connected, { opening, signInPrompt }))).toBeNull()
    expect(nextView(at('Account'), host(connected, { opening, signInPrompt }))).toBe('SIWXSignMessage')
    expect(nextView(at('SIWXSignMessage'), host(connected, { opening }))).toBe('Account')
    expect(nextView(at('Account'), host(connected, { opening }))).toBeNull()
  })
})

describe('10. for a user without an account', () => {
  const isView = (name: string): name is Here['view'] => Object.hasOwn(viewFacts, name)
  const viewsFor = (about: ViewFacts['for']) =>
    Object.keys(viewFacts)
      .filter(isView)
      .filter((view) => factsOfView(view).for === about)
  const without = (view: Here['view']) => nextView(at(view, { depth: 1 }), host(null))

  it.each(viewsFor('anyone'))('%s, which needs none, stays', (view) => expect(without(view)).toBeNull())

  it.each(viewsFor('account'))('%s, which is about one, gives way to Connect', (view) =>
    expect(without(view)).toBe('Connect'),
  )

  it.each(viewsFor('owner'))('%s ends with the sign-in to the embedded wallet, and not before', (view) => {
    expect(without(view)).toBe('Connect')
    expect(nextView(at(view, { depth: 1 }), host(null, { embedded }))).toBeNull()
  })
})

import { describe, expect, it } from 'vitest'
import type { WalletSession } from '../../connector'
import { evmAccount, otherEvmAccount } from '../testing/set-up'
import { eventsBetween } from './session-view'

const account = (address: string) => ({ namespace: 'eip155', address, type: 'eoa' }) as const
const session: WalletSession = { accounts: [account(evmAccount)], networkId: 'eip155:1' }

describe('eventsBetween', () => {
  it('has every part of a first session, the network first', () => {
    expect(eventsBetween(null, session)).toEqual([
      { kind: 'network', networkId: 'eip155:1' },
      { kind: 'accounts', accounts: session.accounts },
    ])
  })

  it('has only what changed', () => {
    expect(eventsBetween(session, { ...session, accounts: [account(evmAccount)] })).toEqual([])
    expect(eventsBetween(session, { ...session, networkId: 'eip155:8453' })).toEqual([
      { kind: 'network', networkId: 'eip155:8453' },
    ])
    const accounts = [account(otherEvmAccount), account(evmAccount)] as const
    expect(eventsBetween(session, { ...session, accounts })).toEqual([{ kind: 'accounts', accounts }])
  })

  it('is a disconnect without a session', () => {
    expect(eventsBetween(session, null)).toEqual([{ kind: 'disconnected' }])
  })
})

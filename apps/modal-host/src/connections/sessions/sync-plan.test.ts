import type { Connection } from '@postern/protocol'
import { describe, expect, it } from 'vitest'
import type { SessionState } from './machine'
import { planSync, type SyncPlan } from './sync-plan'

const connector = { id: 'w1', name: 'MetaMask', type: 'ANNOUNCED' } as const
const known = {
  connector,
  accounts: [{ namespace: 'eip155' as const, address: '0xA', type: 'eoa' as const }],
  networkId: 'eip155:1' as const,
}
const states = {
  disconnected: { status: 'disconnected' },
  asking: { status: 'connecting', connector },
  restoring: { status: 'connecting', ...known },
  reconnecting: { status: 'reconnecting', ...known },
  connected: { status: 'connected', ...known },
} satisfies Record<string, Connection>

function plan(connection: Connection, stored: string | null, options: Partial<SessionState & { own: string }> = {}) {
  const state = { connection, attempt: options.attempt ?? null }
  return planSync(state, options.own ?? null, stored === null ? null : { stableId: stored })
}

describe('planSync', () => {
  it.each<[keyof typeof states, SyncPlan, SyncPlan]>([
    ['disconnected', 'none', 'restore'],
    ['asking', 'none', 'none'],
    ['restoring', 'end', 'none'],
    ['reconnecting', 'end', 'none'],
    ['connected', 'end', 'none'],
  ])('%s: %s without a stored session, %s with the same one', (name, without, same) => {
    expect(plan(states[name], null, { own: 'fox' })).toBe(without)
    expect(plan(states[name], 'fox', { own: 'fox' })).toBe(same)
  })

  it.each(['restoring', 'reconnecting', 'connected'] as const)('%s: replaced by another wallet’s session', (name) => {
    expect(plan(states[name], 'rabby', { own: 'fox' })).toBe('replace')
  })

  it('leaves a session whose wallet is not found yet', () => {
    expect(plan(states.restoring, 'rabby')).toBe('none')
  })

  it('only leaves the session if the user is connecting another wallet', () => {
    expect(plan(states.connected, null, { own: 'fox', attempt: 2 })).toBe('leave')
  })
})

/** Parts of a snapshot, for the tests of views and the gallery. */
import type { Embedded } from '../snapshot/contract'

export const address = '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045'

export const embeddedConnector = { id: 'auth', name: 'Email', type: 'AUTH' } as const

/** The user of the embedded wallet, with one account. */
export function embeddedUser(changes: Partial<Embedded> = {}): Embedded {
  return {
    email: 'ada@example.org',
    userName: null,
    provider: 'email',
    accounts: [{ address, type: 'eoa' }],
    preferred: 'eoa',
    smartAccountDeployed: false,
    storage: 'frame',
    locked: null,
    recoveryWanted: null,
    ended: null,
    isNew: false,
    isMovePutOff: false,
    security: null,
    ...changes,
  }
}

export function walletSecurity(changes: Partial<NonNullable<Embedded['security']>> = {}) {
  return { recovery: 'gateway', devices: [], recoveries: [], isExposed: false, previous: null, ...changes } as const
}

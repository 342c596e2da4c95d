// @vitest-environment happy-dom
import { defaultFeatures, type SmartSession } from '@postern/protocol'
import { Failure } from '@postern/protocol/failure'
import { describe, expect, it, vi } from 'vitest'
import { address, arrival, connected, dialog, mount, press, text, title } from '../../boot/testing/mount-app'
import type { BlockchainApi, MoneyHost } from '../../snapshot/money'
import { embeddedConnector } from '../../testing/snapshot'
import { noon, testMoney } from '../testing/test-money'
import { inOrder, stateOf } from './session-state'

const token = '0x5FbDB2315678afecb367f032d93F642f64180aa3'
const session: SmartSession = {
  pci: '0x7073',
  project: { name: '<b>Game\u202e</b>' },
  expirationTimestamp: noon + 86_400_000,
  createdAt: noon - 1_000,
  permissions: [{ type: 'erc20-token-transfer', data: { address: token, allowance: '5000000', remaining: '2500000' } }],
}

const smart = {
  ...connected,
  connector: embeddedConnector,
  accounts: [{ namespace: 'eip155' as const, address, type: 'smartAccount' as const }],
}

async function view(api: Partial<BlockchainApi>, request: MoneyHost['request'] = async () => null) {
  const balance = async () => ({
    balances: [
      {
        name: 'Devnet Dollar',
        symbol: 'DUSD',
        chainId: 'eip155:1' as const,
        address: `eip155:1:${token}`,
        price: 1,
        quantity: { decimals: '6', numeric: '10' },
        iconUrl: '',
      },
    ],
  })
  const app = await mount(
    { connections: { eip155: smart }, features: { ...defaultFeatures, smartSessions: true } },
    testMoney({ api: { balance, ...api }, request }),
  )
  await app.open('Account')
  await arrival(() => expect(text()).toContain('Smart sessions'))
  await press('Smart sessions')
  await arrival(() => expect(title()).toBe('Smart sessions'))
  return app
}

describe('app permissions', () => {
  it('are shown in words, and revoked by the wallet', async () => {
    let sessions = [session]
    const smartSessions = vi.fn(async () => ({ pcis: sessions }))
    const request = vi.fn<MoneyHost['request']>(async (_namespace, method) => {
      if (method === 'wallet_revokePermissions') sessions = [{ ...session, revokedAt: noon }]
      return null
    })
    await view({ smartSessions }, request)
    await arrival(() => expect(text()).toContain('2.5\u00A0DUSD'))
    expect(text()).toContain('<b>Game</b>')
    expect(smartSessions).toHaveBeenCalledWith(`eip155:1:${address}`, expect.anything())
    await press('Revoke')
    await arrival(() => expect(text()).toContain('Revoked'))
    expect(request).toHaveBeenCalledWith('eip155', 'wallet_revokePermissions', [{ permissionsContext: session.pci }])
    expect([...dialog().querySelectorAll('button')].map((one) => one.textContent)).not.toContain('Revoke')
  })

  it('stay if the visitor declines', async () => {
    await view({ smartSessions: async () => ({ pcis: [session] }) }, () => Promise.reject(new Failure('USER_REJECTED')))
    await arrival(() => expect(text()).toContain('Active'))
    await press('Revoke')
    await arrival(() => expect(text()).toContain('You declined. The session is unchanged.'))
  })

  it('reload after a revocation that failed halfway', async () => {
    let sessions = [session]
    const request = vi.fn<MoneyHost['request']>(async (_namespace, method) => {
      if (method === 'wallet_revokePermissions') return null
      sessions = [{ ...session, revokedAt: noon }]
      throw new Failure('USER_REJECTED')
    })
    await view({ smartSessions: async () => ({ pcis: sessions }) }, request)
    await arrival(() => expect(text()).toContain('Active'))
    await press('Revoke')
    await arrival(() => expect(text()).toContain('Revoked'))
  })

  it('show the empty and the error state', async () => {
    await view({ smartSessions: async () => ({ pcis: [] }) })
    await arrival(() => expect(text()).toContain('No active permissions'))
  })

  it.each([
    ['it is off', smart, false],
    ['the wallet could not take it back', connected, true],
  ] as const)('have no row and send no request if %s', async (_where, connection, smartOn) => {
    const smartSessions = vi.fn()
    const app = await mount(
      { connections: { eip155: connection }, features: { ...defaultFeatures, smartSessions: smartOn } },
      testMoney({ api: { smartSessions } }),
    )
    await app.open('Account')
    await arrival(() => expect(text()).toContain('Network'))
    expect(text()).not.toContain('Smart sessions')
    expect(smartSessions).not.toHaveBeenCalled()
  })

  it('list active ones first', () => {
    const expired = { ...session, pci: '0x01', expirationTimestamp: noon / 1_000 - 5, createdAt: noon }
    expect(stateOf(expired, noon)).toBe('expired')
    expect(inOrder([expired, session], noon)).toEqual([session, expired])
  })

  it('are shown even with an expiry beyond the range of Date', async () => {
    await view({ smartSessions: async () => ({ pcis: [{ ...session, expirationTimestamp: 1e300 }] }) })
    await arrival(() => expect(text()).toContain('<b>Game</b>'))
  })
})

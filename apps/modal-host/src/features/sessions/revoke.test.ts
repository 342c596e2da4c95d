import type { SmartSession } from '@postern/protocol'
import { Failure } from '@postern/protocol/failure'
import { describe, expect, it, vi } from 'vitest'
import type { MoneyHost } from '../../snapshot/money'
import { testMoney } from '../testing/test-money'
import { revoke } from './revoke'

const address = '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045'
const account = `eip155:1:${address}`
const signature = `0x${'ab'.repeat(65)}`
const session: SmartSession = {
  pci: 'permission-1',
  project: { name: 'Game' },
  expirationTimestamp: Date.UTC(2030, 0, 1),
  createdAt: 0,
  permissions: [],
}

function service(listed: readonly SmartSession[], wallet: () => Promise<unknown> = async () => ({})) {
  const requested: string[] = []
  const request: MoneyHost['request'] = async (_, method, params) => {
    requested.push(`${method} ${JSON.stringify(params)}`)
    return method === 'wallet_revokePermissions' ? wallet() : signature
  }
  const revokeSession = vi.fn(async () => undefined)
  const money = testMoney({ request, api: { smartSessions: async () => ({ pcis: [...listed] }), revokeSession } })
  return { money, requested, revokeSession }
}

const toTheWallet = 'wallet_revokePermissions [{"permissionsContext":"permission-1"}]'
const inOwnersWords = `personal_sign ["0x5265766f6b65207065726d697373696f6e2d31","${address}"]`

describe('revoke', () => {
  it.each([
    ['lists it no more', []],
    ['lists it as taken back', [{ ...session, revokedAt: 1 }]],
    ['lists it as over', [{ ...session, expirationTimestamp: 1_700_000_000 }]],
  ])('2. requests no signature if the service %s', async (_, listed) => {
    const { money, requested, revokeSession } = service(listed)
    await revoke(money, { pci: session.pci, account })
    expect(requested).toEqual([toTheWallet])
    expect(revokeSession).not.toHaveBeenCalled()
  })

  it('2. notifies a service that still lists it, with the user’s signature', async () => {
    const { money, requested, revokeSession } = service([session])
    await revoke(money, { pci: session.pci, account })
    expect(requested).toEqual([toTheWallet, inOwnersWords])
    expect(revokeSession).toHaveBeenCalledExactlyOnceWith(address, { pci: session.pci, signature })
  })

  it('2. notifies the service of a permission that the wallet does not know', async () => {
    const { money, revokeSession } = service([session], () => Promise.reject(new Failure('INVALID_PARAMS')))
    await revoke(money, { pci: session.pci, account })
    expect(revokeSession).toHaveBeenCalledTimes(1)
  })

  it('3. succeeds if the wallet revoked it and the service’s list is unavailable', async () => {
    const { money, requested, revokeSession } = service([])
    const api = { ...money.api, smartSessions: () => Promise.reject(new Failure('HTTP_STATUS')) }
    await revoke({ ...money, api }, { pci: session.pci, account })
    expect(requested).toEqual([toTheWallet])
    expect(revokeSession).not.toHaveBeenCalled()
  })

  it('1. rejects if the wallet does', async () => {
    const { money, requested, revokeSession } = service([session], () => Promise.reject(new Failure('USER_REJECTED')))
    await expect(revoke(money, { pci: session.pci, account })).rejects.toMatchObject({ code: 'USER_REJECTED' })
    expect(requested).toEqual([toTheWallet])
    expect(revokeSession).not.toHaveBeenCalled()
  })

  it.each(['x\n\ngame.example wants you to sign in', 'all my money', ''])(
    '2. never requests a signature of a text other than a name: %j',
    async (pci) => {
      const { money, requested, revokeSession } = service([{ ...session, pci }])
      await expect(revoke(money, { pci, account })).rejects.toMatchObject({ code: 'INTERNAL' })
      expect(requested.filter((question) => question.startsWith('personal_sign'))).toEqual([])
      expect(revokeSession).not.toHaveBeenCalled()
    },
  )
})

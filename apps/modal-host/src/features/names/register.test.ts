import { NameClaim, type NameProfile, NameRelease } from '@postern/protocol'
import { Failure } from '@postern/protocol/failure'
import { describe, expect, it, vi } from 'vitest'
import { noon, testMoney } from '../testing/test-money'
import { registerName, releaseName } from './register'

const registration = {
  name: 'ada-lovelace.postern',
  address: '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045',
  networkId: 'eip155:1',
} as const
const profile: NameProfile = { name: registration.name, registered_at: '', addresses: {}, attributes: [] }
const signature = `0x${'ab'.repeat(65)}`

describe('registerName', () => {
  it('1. asks the user to sign exactly what is registered', async () => {
    const request = vi.fn(async () => signature)
    const register = vi.fn(async () => profile)
    await registerName(registration, testMoney({ request, api: { registerName: register } }))
    const [[namespace, method, params]] = request.mock.calls as unknown as [[string, string, [string, string]]]
    const [message, signer] = params
    const text = Buffer.from(message.slice(2), 'hex').toString()
    expect([namespace, method, signer]).toEqual(['eip155', 'personal_sign', registration.address])
    expect(NameClaim.parse(JSON.parse(text))).toEqual({
      name: registration.name,
      address: registration.address,
      chainId: 'eip155:1',
      attributes: {},
      timestamp: noon / 1000,
    })
    expect(register).toHaveBeenCalledWith({
      coin_type: 60,
      address: registration.address,
      message: text,
      signature,
    })
  })

  it('2. registers nothing without approval', async () => {
    const register = vi.fn(async () => profile)
    const request = () => Promise.reject(new Failure('USER_REJECTED'))
    await expect(
      registerName(registration, testMoney({ request, api: { registerName: register } })),
    ).rejects.toMatchObject({ code: 'USER_REJECTED' })
    expect(register).not.toHaveBeenCalled()
  })

  it.each([null, '', '0x', '0xabc', { signature }])('rejects %j as a signature', async (answer) => {
    const register = vi.fn(async () => profile)
    await expect(
      registerName(registration, testMoney({ request: async () => answer, api: { registerName: register } })),
    ).rejects.toMatchObject({ code: 'INTERNAL' })
    expect(register).not.toHaveBeenCalled()
  })
})

describe('releaseName', () => {
  it('1. asks the user to sign exactly what is released, which registers nothing', async () => {
    const request = vi.fn(async () => signature)
    const release = vi.fn(async () => ({ name: registration.name, free_from: '2026-04-15T12:00:00.000Z' }))
    await releaseName(registration, testMoney({ request, api: { releaseName: release } }))
    const [[, , [message]]] = request.mock.calls as unknown as [[string, string, [string, string]]]
    const text = Buffer.from(message.slice(2), 'hex').toString()
    expect(NameRelease.parse(JSON.parse(text))).toEqual({
      release: registration.name,
      address: registration.address,
      chainId: 'eip155:1',
      timestamp: noon / 1000,
    })
    expect(NameClaim.safeParse(JSON.parse(text)).success).toBe(false)
    expect(release).toHaveBeenCalledWith({ coin_type: 60, address: registration.address, message: text, signature })
  })
})

import { manualClock } from '@postern/base/testing/manual-clock'
import { Failure } from '@postern/protocol/failure'
import { describe, expect, it, vi } from 'vitest'
import { testMoney } from '../testing/test-money'
import { forgetIdentity, loadIdentity, mayHaveName } from './load-identity'

const address = '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045'
const png = 'data:image/png;base64,iVBORw0KGgo='

describe('loadIdentity', () => {
  it('asks again on another chain', async () => {
    const identity = vi.fn(async ({ chainId }: { chainId?: string | undefined }) => ({
      name: `${chainId}.eth`,
      avatar: null,
    }))
    const money = testMoney({ api: { identity } })
    for (const chainId of ['eip155:1', 'eip155:8453', 'eip155:1'] as const)
      expect((await loadIdentity(money, { address, chainId })).name).toBe(`${chainId}.eth`)
    expect(identity).toHaveBeenCalledTimes(2)
    forgetIdentity(money, address)
    await loadIdentity(money, { address, chainId: 'eip155:8453' })
    expect(identity).toHaveBeenCalledTimes(3)
  })

  it('loads once in 5 minutes, whatever the case of the address (spec §3, §9)', async () => {
    const clock = manualClock()
    const identity = vi.fn(async () => ({ name: 'ada.eth', avatar: png }))
    const money = testMoney({ api: { identity }, clock })
    expect(await loadIdentity(money, { address })).toEqual({ name: 'ada.eth', avatar: png })
    clock.advance(299_999)
    expect(await loadIdentity(money, { address: address.toLowerCase() })).toEqual({ name: 'ada.eth', avatar: png })
    expect(identity).toHaveBeenCalledTimes(1)
    clock.advance(1)
    await loadIdentity(money, { address })
    expect(identity).toHaveBeenCalledTimes(2)
  })

  it('caches a missing identity, but no failure', async () => {
    const identity = vi.fn(async () => ({ name: null, avatar: null }))
    identity.mockRejectedValueOnce(new Failure('HTTP_STATUS'))
    const money = testMoney({ api: { identity } })
    await expect(loadIdentity(money, { address })).rejects.toMatchObject({ code: 'HTTP_STATUS' })
    await loadIdentity(money, { address })
    expect(await loadIdentity(money, { address })).toEqual({ name: null, avatar: null })
    expect(identity).toHaveBeenCalledTimes(2)
  })

  it('reloads a forgotten identity, and no other', async () => {
    const other = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
    const identity = vi.fn(async () => ({ name: 'ada.postern', avatar: null }))
    identity.mockResolvedValueOnce({ name: 'not a name', avatar: null })
    const money = testMoney({ api: { identity } })
    await loadIdentity(money, { address })
    await loadIdentity(money, { address: other })
    forgetIdentity(money, address)
    expect((await loadIdentity(money, { address })).name).toBe('ada.postern')
    await loadIdentity(money, { address: other })
    expect(identity).toHaveBeenCalledTimes(3)
  })

  it('shows a hostile name on one line, and no image of another site', async () => {
    const identity = async () => ({ name: 'ada\u202e.eth\n<b>', avatar: 'https://tracker.example/a.png' })
    expect(await loadIdentity(testMoney({ api: { identity } }), { address })).toEqual({
      name: 'ada.eth <b>',
      avatar: null,
    })
  })

  it('neither reads nor writes storage that the page provides', async () => {
    const writes: string[] = []
    const spoofed = { [address.toLowerCase()]: { timestamp: 0, value: { name: 'vitalik.eth', avatar: null } } }
    const kept = {
      place: 'page',
      get: () => JSON.stringify(spoofed),
      set: (name: string) => void writes.push(name),
    } as const
    const money = testMoney({
      api: { identity: async () => ({ name: 'ada.eth', avatar: null }) },
      kept,
      clock: manualClock(1),
    })
    expect((await loadIdentity(money, { address })).name).toBe('ada.eth')
    expect(writes).toEqual([])
  })

  it('ignores corrupted storage', async () => {
    const identity = async () => ({ name: 'ada.eth', avatar: null })
    const money = testMoney({ api: { identity } })
    money.kept.set('identityCache', '{"x":{"timestamp":"now"}}')
    expect((await loadIdentity(money, { address })).name).toBe('ada.eth')
  })
})

describe('mayHaveName', () => {
  it('accepts EVM addresses only', () => {
    expect(mayHaveName(address)).toBe(true)
    expect(mayHaveName('7S3P4HxJpyyigGzodYwHtCxZyUQe9JiBMHyRWXArAaKv')).toBe(false)
    expect(mayHaveName('bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq')).toBe(false)
  })
})

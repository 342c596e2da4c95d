import { describe, expect, test, vi } from 'vitest'
import { emptySnapshot } from '../state/state'
import type { Postern, Profile } from '../types/index'
import { readDetails } from './details'

const account = { namespace: 'eip155', address: '0xAbC', networkId: 'eip155:1' } as const
const network = {
  id: 1,
  name: 'Ethereum',
  chainNamespace: 'eip155' as const,
  caipNetworkId: 'eip155:1' as const,
  nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
  rpcUrls: [],
  blockExplorers: [],
  testnet: false,
}

function setUp(profile: () => Promise<Profile>, balance = '0x1158e460913d0000') {
  const getProfile = vi.fn(profile)
  const request = vi.fn(async () => balance)
  const postern: Postern = Object.assign(Object.create(null), {
    getProfile,
    eip155: { request },
    getSnapshot: () => ({ ...emptySnapshot, networks: [network] }),
  })
  return { postern, getProfile, request }
}

describe('the details of an account', () => {
  test('asks only for what the button wants', async () => {
    const { postern, getProfile, request } = setUp(async () => ({ name: 'ada.eth', avatar: 'data:image/png;base64,x' }))
    expect(await readDetails(postern, account, ['balance'], 'en')).toEqual({
      key: 'eip155:1:0xAbC',
      balance: '1.25 ETH',
    })
    expect(getProfile).not.toHaveBeenCalled()
    expect(await readDetails(postern, account, ['name'], 'en')).toEqual({ key: 'eip155:1:0xAbC', name: 'ada.eth' })
    expect(request).toHaveBeenCalledTimes(1)
    expect(await readDetails(postern, account, ['avatar'], 'en')).toMatchObject({ avatar: 'data:image/png;base64,x' })
  })

  test('writes the balance in the language of the page, with three decimals', async () => {
    const { postern } = setUp(async () => ({}), '0x56bc75e2d63100000')
    expect(await readDetails(postern, account, ['balance'], 'de')).toMatchObject({ balance: '100 ETH' })
    const small = setUp(async () => ({}), '0x462d01dbc3b7c000').postern
    expect(await readDetails(small, account, ['balance'], 'de')).toMatchObject({ balance: '5,056 ETH' })
    expect(await readDetails(small, account, ['balance'], 'no tag')).toMatchObject({ balance: '5.056 ETH' })
  })

  test.each([
    [1_999_600_000_000_000_000n, '1.999 ETH'],
    [1_999_999_999_999_999_999_999n, '1,999.999 ETH'],
    [999_500_000_000_000n, '0 ETH'],
  ])('rounds a balance down: %s wei', async (wei, balance) => {
    const { postern } = setUp(async () => ({}), `0x${wei.toString(16)}`)
    expect(await readDetails(postern, account, ['balance'], 'en')).toMatchObject({ balance })
  })

  test('what fails is absent', async () => {
    const { postern } = setUp(() => Promise.reject(new Error('offline')), 'nonsense')
    expect(await readDetails(postern, account, ['name', 'avatar', 'balance'], 'en')).toEqual({ key: 'eip155:1:0xAbC' })
  })
})

import { regtest, testKey } from '@postern/chains/bip122/testing/test-chain'
import { describe, expect, it } from 'vitest'
import { type BitcoinSession, networkOf, reduceBitcoinSession } from './session'

const mainnet = 'bip122:000000000019d6689c085ae165831e93'
const testnet = 'bip122:000000000933ea01ad0ee984209779ba'
const signet = 'bip122:00000008819873e925422c1ff0f99f7c'
const local = { address: testKey('p2wpkh').address, purpose: 'payment' }
const account = { namespace: 'bip122', address: local.address, type: 'payment' } as const
const onTestnets = {
  namespace: 'bip122',
  address: 'tb1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3q0sl5k7',
  type: 'payment',
} as const

const choice = { preferred: mainnet, configured: [mainnet, regtest], supported: undefined } as const
const session: BitcoinSession = { accounts: [account], networkId: regtest }
const reduce = (event: string, data?: unknown, from = session) => reduceBitcoinSession(from, { event, data }, choice)

describe('reduceBitcoinSession', () => {
  it('1. a disconnect leaves no account, and the network', () => {
    expect(reduce('disconnect')).toEqual([{ accounts: [], networkId: regtest }, [{ kind: 'disconnected' }]])
  })

  it('2. accounts on the session’s network keep it', () => {
    const [next, events] = reduce('accountsChanged', [local], { accounts: [], networkId: regtest })
    expect(next).toEqual({ accounts: [account], networkId: regtest })
    expect(events).toEqual([{ kind: 'accounts', accounts: [account] }])
  })

  it('2. accounts of another network bring it with them', () => {
    const [next, events] = reduce('accountsChanged', [local], { accounts: [], networkId: mainnet })
    expect(next.networkId).toBe(regtest)
    expect(events.map(({ kind }) => kind)).toEqual(['accounts', 'network'])
  })

  it('2. an empty list keeps the network', () => {
    expect(reduce('accountsChanged', [])).toEqual([
      { accounts: [], networkId: regtest },
      [{ kind: 'accounts', accounts: [] }],
    ])
  })

  it('3. an announced network is the session’s, configured or not', () => {
    expect(reduce('chainChanged', signet)).toEqual([
      { accounts: [account], networkId: signet },
      [{ kind: 'network', networkId: signet }],
    ])
  })

  it.each([
    ['accountsChanged', 'no list'],
    ['accountsChanged', [{ address: 'no address' }]],
    ['chainChanged', 'eip155:1'],
    ['chainChanged', 1],
    ['message', []],
  ])('4. a malformed or unknown event changes nothing (%s %s)', (event, data) => {
    const [next, events] = reduce(event, data)
    expect(next).toBe(session)
    expect(events).toEqual([])
  })
})

describe('networkOf', () => {
  const testnets = { preferred: mainnet, configured: [mainnet, signet], supported: undefined } as const

  it('takes the stated network if the addresses are valid there', () => {
    expect(networkOf([onTestnets], testnet, testnets)).toBe(testnet)
    expect(networkOf([onTestnets], mainnet, testnets)).toBe(signet)
  })

  it('takes a preferred or configured network that the wallet supports', () => {
    expect(networkOf([onTestnets], null, { ...testnets, preferred: testnet })).toBe(testnet)
    expect(networkOf([onTestnets], null, { ...testnets, preferred: testnet, supported: [signet] })).toBe(signet)
  })

  it('takes any valid network before an invalid one', () => {
    expect(networkOf([account], null, { preferred: mainnet, configured: [mainnet], supported: [] })).toBe(regtest)
  })
})

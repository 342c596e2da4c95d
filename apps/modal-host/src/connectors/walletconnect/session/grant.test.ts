import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  evmAccount,
  oldSolanaMainnet,
  otherEvmAccount,
  paymentAddress,
  regtest,
  solanaAccount,
  solanaMainnet,
} from '../testing/set-up'
import { accountsOf, grantsOf, networkOf, toAccounts } from './grant'

const none = { methods: [], events: [] }

describe('grantsOf', () => {
  it('1. drops entries that are not accounts of a known namespace', () => {
    const accounts = ['eip155:1', 'cosmos:hub:abc', 'eip155:x:0x1', '', `eip155:1:${evmAccount}:more`]
    expect(grantsOf({ eip155: { accounts, ...none } }).size).toBe(0)
  })

  it.each<[string, unknown]>([
    ['an account that is too long', { accounts: [`eip155:1:${evmAccount}`, 'x'.repeat(257)], ...none }],
    ['an account that is no text', { accounts: [null, 7, `eip155:1:${evmAccount}`], ...none }],
    [
      'a method that is too long',
      { accounts: [`eip155:1:${evmAccount}`], methods: ['x'.repeat(257), 'personal_sign'] },
    ],
    ['no methods', { accounts: [`eip155:1:${evmAccount}`] }],
    ['methods that are no list', { accounts: [`eip155:1:${evmAccount}`], methods: 'all' }],
  ])('1. drops alone: %s', (_, eip155) => {
    const grants = grantsOf({ eip155, cosmos: { chains: [] }, other: null })
    expect(grants.get('eip155')?.networks).toMatchObject([{ networkId: 'eip155:1', addresses: [evmAccount] }])
  })

  it('1. cuts a list at its limit', () => {
    const accounts = Array.from({ length: 2_100 }, (_, at) => `eip155:1:0x${at.toString(16).padStart(40, '0')}`)
    const grants = grantsOf({
      eip155: { accounts, ...none },
      solana: { accounts: [`${solanaMainnet}:${solanaAccount}`] },
    })
    expect(grants.get('eip155')?.networks[0]?.addresses).toHaveLength(2_048)
    expect([...grants.keys()]).toEqual(['eip155', 'solana'])
  })

  it('2. reads both key formats, and ignores accounts under another namespace’s key', () => {
    const grants = grantsOf({
      'eip155:1': { accounts: [`eip155:1:${evmAccount}`], ...none, methods: ['personal_sign'] },
      'eip155:8453': { accounts: [`eip155:8453:${evmAccount}`], ...none },
      solana: { accounts: [`eip155:10:${evmAccount}`], ...none },
    })
    expect([...grants.keys()]).toEqual(['eip155'])
    expect(grants.get('eip155')?.networks.map(({ networkId }) => networkId)).toEqual(['eip155:1', 'eip155:8453'])
    expect(grants.get('eip155')?.methods.has('personal_sign')).toBe(true)
  })

  it('3. merges a renamed network, and uses its current id if the wallet knows it', () => {
    const old = `${oldSolanaMainnet}:${solanaAccount}`
    const today = `${solanaMainnet}:${solanaAccount}`
    const networks = (accounts: string[]) => grantsOf({ solana: { accounts, ...none } }).get('solana')?.networks
    expect(networks([old])).toEqual([
      { networkId: solanaMainnet, chainId: oldSolanaMainnet, addresses: [solanaAccount] },
    ])
    for (const both of [
      [old, today],
      [today, old],
    ])
      expect(networks(both)).toEqual([{ networkId: solanaMainnet, chainId: solanaMainnet, addresses: [solanaAccount] }])
  })

  it('4. never throws, whatever the input', () => {
    fc.assert(fc.property(fc.anything(), (value) => grantsOf(value).size === 0 || grantsOf(value).size > 0))
    expect(grantsOf({ eip155: { accounts: 'all', ...none } }).size).toBe(0)
    expect(grantsOf(JSON.parse('{"__proto__":{"accounts":[]}}')).size).toBe(0)
  })
})

describe('networkOf and accountsOf', () => {
  const grant = {
    methods: new Set<string>(),
    networks: [
      { networkId: 'eip155:10', chainId: 'eip155:10', addresses: [otherEvmAccount] },
      { networkId: 'eip155:1', chainId: 'eip155:1', addresses: [evmAccount] },
    ],
  } as const
  const normalise = async (_: unknown, addresses: readonly string[]) => {
    if (addresses.some((address) => address.includes('<'))) throw new Error('not an address')
    return addresses
  }

  it('returns the first wanted network that is granted, otherwise the wallet’s first', () => {
    expect(networkOf(grant, [undefined, 'eip155:8453', 'eip155:1'])).toBe('eip155:1')
    expect(networkOf(grant, ['eip155:8453'])).toBe('eip155:10')
  })

  it('lists the network’s accounts first, then those of other chains', async () => {
    const options = { namespace: 'eip155', networkId: 'eip155:1', described: [], normalise } as const
    const addresses = async (first?: string) =>
      (await accountsOf(grant, { ...options, first })).map(({ address }) => address)
    expect(await addresses()).toEqual([evmAccount, otherEvmAccount])
    expect(await addresses(otherEvmAccount)).toEqual([otherEvmAccount, evmAccount])
    expect(await addresses('0xstranger')).toEqual([evmAccount, otherEvmAccount])
  })

  it('returns a Bitcoin address on its own network only', async () => {
    const bitcoin = {
      methods: new Set<string>(),
      networks: [
        { networkId: regtest, chainId: regtest, addresses: [paymentAddress, '<script>'] },
        { networkId: 'bip122:000000000019d6689c085ae165831e93', chainId: 'x', addresses: ['bc1qmainnet'] },
      ],
    } as const
    const accounts = await accountsOf(bitcoin, { namespace: 'bip122', networkId: regtest, described: [], normalise })
    expect(accounts.map(({ address }) => address)).toEqual([paymentAddress])
  })

  it('drops Bitcoin addresses of another network, whatever their source', async () => {
    const mainnet = 'bip122:000000000019d6689c085ae165831e93'
    const own = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4'
    const foreign = 'tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx'
    const described = [{ address: '2N3oefVeg6stiTb5Kh3ozCSkaqmx91FDbsm', purpose: 'ordinals' }] as const
    const options = { namespace: 'bip122', networkId: mainnet, described, normalise } as const
    expect((await toAccounts([foreign, own], options)).map(({ address }) => address)).toEqual([own])
    expect(await toAccounts([foreign], options)).toEqual([])
  })
})

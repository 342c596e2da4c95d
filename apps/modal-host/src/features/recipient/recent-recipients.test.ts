import { describe, expect, it } from 'vitest'
import { testMoney } from '../testing/test-money'
import { lookalikeOf, recentRecipients, rememberRecipient } from './recent-recipients'

const alice = '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045'
const [ada, bob] = ['0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266', '0x70997970C51812dc3A010C7d01b50e0d17dc79C8']
const place = 'recentRecipients.eip155.0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266'
const own = { namespace: 'eip155', address: ada } as const
const poisoned = '0xd8dA000000000000000000000000000000006045'

describe('recent recipients', () => {
  it('are stored newest first, each once, fifty per account', () => {
    const money = testMoney()
    rememberRecipient(money, own, { address: alice, name: 'alice.eth' })
    rememberRecipient(money, own, { address: poisoned })
    rememberRecipient(money, own, { address: alice.toLowerCase() })
    expect(recentRecipients(money, own).map(({ address }) => address)).toEqual([alice.toLowerCase(), poisoned])
    const other = { namespace: 'solana', address: 'a' } as const
    for (let index = 0; index < 60; index++) rememberRecipient(money, other, { address: `a${index}` })
    expect(recentRecipients(money, other)).toHaveLength(50)
  })

  it('are not shared with other accounts in the same browser', () => {
    const money = testMoney()
    rememberRecipient(money, own, { address: alice })
    expect(recentRecipients(money, { ...own, address: bob })).toEqual([])
    expect(recentRecipients(money, { ...own, namespace: 'solana' })).toEqual([])
    expect(recentRecipients(money, { ...own, address: ada.toLowerCase() })).toEqual([{ address: alice }])
  })

  it('are not read from the dapp’s page, which could add its own address', () => {
    const stored = new Map([[place, JSON.stringify([{ address: poisoned }])]])
    const money = testMoney({
      kept: { place: 'page', get: (name) => stored.get(name) ?? null, set: (name) => void stored.set(name, 'written') },
    })
    expect(recentRecipients(money, own)).toEqual([])
    rememberRecipient(money, own, { address: alice })
    expect(stored.get(place)).not.toBe('written')
  })

  it('ignore corrupted storage', () => {
    const money = testMoney()
    money.kept.set(place, '{"not": "a list"}')
    expect(recentRecipients(money, own)).toEqual([])
  })
})

describe('lookalikeOf', () => {
  const recents = [{ address: alice }]

  it('finds a known address with the same start and end', () => {
    expect(lookalikeOf(poisoned, recents)).toEqual({ address: alice })
    expect(lookalikeOf(poisoned.toLowerCase(), recents)).toEqual({ address: alice })
    expect(lookalikeOf('0x1111000000000000000000000000000000A96045', recents)).toEqual({ address: alice })
  })

  it('is null for the known address itself, and for others', () => {
    expect(lookalikeOf(alice, recents)).toBeNull()
    expect(lookalikeOf(alice.toLowerCase(), recents)).toBeNull()
    expect(lookalikeOf('0x70997970C51812dc3A010C7d01b50e0d17dc79C8', recents)).toBeNull()
  })

  it('ignores the prefix that all addresses share', () => {
    const one = { address: 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4' }
    expect(lookalikeOf('bc1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3qccf3t4', [one])).toBeNull()
    expect(lookalikeOf('bc1qw508aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaf3t4', [one])).toEqual(one)
  })
})

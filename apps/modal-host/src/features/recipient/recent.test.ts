import { describe, expect, it } from 'vitest'
import { testMoney } from '../testing/test-money'
import { lookalikeOf, recentRecipients, rememberRecipient } from './recent'

const alice = '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045'
const poisoned = '0xd8dA000000000000000000000000000000006045'

describe('recent recipients', () => {
  it('are kept the newest first, each once, fifty of a namespace', () => {
    const money = testMoney()
    rememberRecipient(money, 'eip155', { address: alice, name: 'alice.eth' })
    rememberRecipient(money, 'eip155', { address: poisoned })
    rememberRecipient(money, 'eip155', { address: alice.toLowerCase() })
    expect(recentRecipients(money, 'eip155').map(({ address }) => address)).toEqual([alice.toLowerCase(), poisoned])
    expect(recentRecipients(money, 'solana')).toEqual([])
    for (let index = 0; index < 60; index++) rememberRecipient(money, 'solana', { address: `a${index}` })
    expect(recentRecipients(money, 'solana')).toHaveLength(50)
  })

  it('are not believed of the dapp’s page, which could add its own address', () => {
    const kept = new Map([['recentRecipients.eip155', JSON.stringify([{ address: poisoned }])]])
    const money = testMoney({
      kept: { place: 'page', get: (name) => kept.get(name) ?? null, set: (name) => void kept.set(name, 'written') },
    })
    expect(recentRecipients(money, 'eip155')).toEqual([])
    rememberRecipient(money, 'eip155', { address: alice })
    expect(kept.get('recentRecipients.eip155')).not.toBe('written')
  })

  it('survive what is spoilt', () => {
    const money = testMoney()
    money.kept.set('recentRecipients.eip155', '{"not": "a list"}')
    expect(recentRecipients(money, 'eip155')).toEqual([])
  })
})

describe('lookalikeOf', () => {
  const recents = [{ address: alice }]

  it('tells an address with the ends of a known one', () => {
    expect(lookalikeOf(poisoned, recents)).toEqual({ address: alice })
    expect(lookalikeOf(poisoned.toLowerCase(), recents)).toEqual({ address: alice })
    expect(lookalikeOf('0x1111000000000000000000000000000000A96045', recents)).toEqual({ address: alice })
  })

  it('is silent of the known one itself, and of others', () => {
    expect(lookalikeOf(alice, recents)).toBeNull()
    expect(lookalikeOf(alice.toLowerCase(), recents)).toBeNull()
    expect(lookalikeOf('0x70997970C51812dc3A010C7d01b50e0d17dc79C8', recents)).toBeNull()
  })

  it('does not take what every address begins with for a likeness', () => {
    const one = { address: 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4' }
    expect(lookalikeOf('bc1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3qccf3t4', [one])).toBeNull()
    expect(lookalikeOf('bc1qw508aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaf3t4', [one])).toEqual(one)
  })
})

import type { TransactionItem } from '@postern/protocol'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { amountsOf, cutDecimal, entryOf, entryOfTracked } from './describe'

type Transfer = NonNullable<TransactionItem['transfers']>[number]

const ether = (numeric: string, direction: Transfer['direction'] = 'in'): Transfer => ({
  fungible_info: { name: 'Ether', symbol: 'ETH' },
  direction,
  quantity: { numeric },
})
const picture = (name: string, numeric = '1', isSpam = false): Transfer => ({
  nft_info: { name, flags: { is_spam: isSpam } },
  direction: 'in',
  quantity: { numeric },
})

function item(
  operationType: string,
  transfers: Transfer[] | null = [],
  changes: Partial<TransactionItem['metadata']> = {},
) {
  const metadata = {
    operationType,
    hash: '0xab',
    status: 'confirmed',
    sentFrom: '0x01',
    sentTo: '0x02',
    minedAt: '2026-01-15T12:00:00.000Z',
    chain: 'eip155:1',
    ...changes,
  } as const
  return { id: 'one', metadata, transfers } satisfies TransactionItem
}

const texts = (of: TransactionItem) =>
  amountsOf(of).map(({ sign, decimal, unit }) => `${sign}${decimal === null ? '' : `${decimal} `}${unit}`)

describe('amountsOf', () => {
  it.each([
    ['receive', '+1.500 ETH'],
    ['deposit', '+1.500 ETH'],
    ['borrow', '+1.500 ETH'],
    ['claim', '+1.500 ETH'],
    ['withdraw', '−1.500 ETH'],
    ['repay', '−1.500 ETH'],
    ['burn', '−1.500 ETH'],
    ['send', '1.500 ETH'],
    ['constructor', '1.500 ETH'],
  ])('1. shows %s as %s', (operation, text) => expect(texts(item(operation, [ether('1.5')]))).toEqual([text]))

  it('1. lists outgoing before incoming amounts of several, without signs', () => {
    const dollars: Transfer = { fungible_info: { symbol: 'USDC' }, direction: 'in', quantity: { numeric: '2500.1239' } }
    expect(texts(item('trade', [dollars, ether('1', 'out')]))).toEqual(['1.000 ETH', '2500.123 USDC'])
  })

  it('1. lists two equal transfers as two', () => {
    expect(texts(item('send', [ether('1', 'out'), ether('1', 'out')]))).toEqual(['1.000 ETH', '1.000 ETH'])
    expect(texts(item('trade', [ether('1'), ether('1', 'out')]))).toEqual(['1.000 ETH', '1.000 ETH'])
    expect(texts(item('mint', [picture('Stone'), picture('Stone')]))).toEqual(['Stone', 'Stone'])
  })

  it('2. omits what is not a decimal', () => {
    for (const numeric of ['', 'NaN', '1e21', '0x10', '1,5', '<b>1</b>', ' 1'])
      expect(texts(item('receive', [ether(numeric)]))).toEqual([])
    expect(texts(item('receive', null))).toEqual([])
  })

  it('3. shows NFTs by name and quantity', () => {
    expect(texts(item('receive', [picture('Stone #7')]))).toEqual(['+Stone #7'])
    expect(texts(item('send', [picture('Item #2', '5')]))).toEqual(['5 Item #2'])
  })

  it('3. shows untrusted text on one line', () => {
    const hostile: Transfer = {
      fungible_info: { symbol: 'US\u202eD\n<img src=x onerror=alert(1)>' },
      direction: 'in',
      quantity: { numeric: '1' },
    }
    const [text = ''] = texts(item('receive', [hostile]))
    expect(text).toMatch(/^\+1\.000 USD <img src/)
    expect(text).not.toMatch(/[\u202e\n]/)
    expect(text.length).toBeLessThan(30)
  })
})

describe('cutDecimal', () => {
  it('2. keeps every integer digit, and cuts after the third decimal, at any size (spec §9)', () => {
    const digits = fc.stringMatching(/^(0|[1-9][0-9]{0,79})$/)
    const fraction = fc.stringMatching(/^[0-9]{1,80}$/)
    fc.assert(
      fc.property(digits, fraction, (whole, behind) => {
        expect(cutDecimal(`${whole}.${behind}`, 3)).toBe(`${whole}.${behind.slice(0, 3).padEnd(3, '0')}`)
        expect(cutDecimal(whole, 3)).toBe(`${whole}.000`)
        expect(cutDecimal(`${whole}.${behind}`, 0)).toBe(whole)
      }),
    )
  })

  it('2. returns a decimal or null for any text', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(cutDecimal(text, 3) ?? '0.000').toMatch(/^\d+\.\d{3}$/)
      }),
    )
  })
})

describe('entryOf', () => {
  it('names the sender of incoming transactions, otherwise the recipient', () => {
    expect(entryOf(item('receive')).party).toEqual({ kind: 'from', address: '0x01' })
    expect(entryOf(item('send')).party).toEqual({ kind: 'to', address: '0x02' })
    expect(entryOf(item('trade')).party).toBeNull()
    expect(entryOf(item('send', [], { sentTo: '' })).party).toBeNull()
  })

  it('is spam if everything that it moved is', () => {
    expect(entryOf(item('receive', [picture('Claim at x.io', '1', true)])).isSpam).toBe(true)
    expect(entryOf(item('receive', [picture('Claim at x.io', '1', true), ether('1')])).isSpam).toBe(false)
    expect(entryOf(item('receive', null)).isSpam).toBe(false)
  })

  it('returns null for an invalid date, and a generic word for an unknown kind', () => {
    expect(entryOf(item('weird', [], { minedAt: 'yesterday' }))).toMatchObject({ at: null, operation: 'other' })
  })

  it('uses no image of another site', () => {
    const tracked: Transfer = {
      ...ether('1'),
      fungible_info: { symbol: 'X', icon: { url: 'https://tracker.example/x.png' } },
    }
    expect(entryOf(item('receive', [tracked])).picture).toBeUndefined()
  })
})

describe('entryOfTracked', () => {
  const sent = {
    id: 't1',
    networkId: 'eip155:1',
    from: '0x01',
    at: 5,
    purpose: { kind: 'send', amount: '0.12345', symbol: 'ETH', to: '0x02' },
  } as const

  it('covers only what the wallet sent', () => {
    expect(entryOfTracked({ ...sent, status: { kind: 'asking' } })).toBeNull()
    expect(entryOfTracked({ ...sent, status: { kind: 'declined' } })).toBeNull()
    expect(entryOfTracked({ ...sent, status: { kind: 'failed', code: 'INTERNAL', message: '' } })).toBeNull()
    expect(entryOfTracked({ ...sent, status: { kind: 'sent', hash: '0xab' } })).toMatchObject({
      status: 'pending',
      hash: '0xab',
      amounts: [{ sign: '', decimal: '0.123', unit: 'ETH' }],
      operation: 'send',
    })
  })

  it.each([
    ['confirmed', 'confirmed'],
    ['cancelled', 'replaced'],
    ['dropped', 'failed'],
    ['unknown', 'pending'],
  ] as const)('maps outcome %s to %s', (kind, status) => {
    expect(entryOfTracked({ ...sent, status: { kind: 'ended', hash: '0xab', outcome: { kind } } })?.status).toBe(status)
  })
})

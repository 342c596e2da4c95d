import type { WalletEntry } from '@postern/protocol'
import { describe, expect, it } from 'vitest'
import { createDirectory } from './directory'
import type { WalletQuery } from './query'

const evm = 'eip155:1'
const solana = 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp'
const bitcoin = 'bip122:000000000019d6689c085ae165831e93'

const noIcons = { wallets: new Map(), networks: new Map(), currencies: new Map(), tokens: new Map() }

const wallets: WalletEntry[] = [
  { id: 'io.third', name: 'Ünïcode Fox', order: 3, chains: [evm], rdns: 'io.third' },
  { id: 'io.first', name: 'Fox', order: 1, chains: [evm, solana], rdns: 'io.first', badge_type: 'certified' },
  { id: 'io.second', name: 'Foxglove Wallet', order: 2, chains: [solana], homepage: 'https://www.glove.example/' },
  { id: 'io.fourth', name: 'Arcticfox', order: 4, chains: [bitcoin], explorer_ids: ['a'.repeat(64), 'b'.repeat(64)] },
  { id: 'io.unplaced', name: 'Unplaced', chains: [evm] },
  { id: 'io.chainless', name: 'Chainless', order: 5 },
]
const directory = createDirectory({ wallets, icons: noIcons })
const ids = (query: Partial<WalletQuery>) => directory.query(query).data.map((wallet) => wallet.id)

describe('createDirectory', () => {
  it('1. uses the directory’s order without a search, with unordered wallets last', () => {
    expect(ids({})).toEqual(['io.first', 'io.second', 'io.third', 'io.fourth', 'io.chainless', 'io.unplaced'])
  })

  it('1. ranks an exact name first, then prefixes, later words and other matches in the name', () => {
    expect(ids({ search: 'fox' })).toEqual(['io.first', 'io.second', 'io.third', 'io.fourth'])
  })

  it('1. finds a wallet by its home page or reverse domain name if no name matches', () => {
    expect(ids({ search: 'glove.example' })).toEqual(['io.second'])
    expect(ids({ search: 'io.third' })).toEqual(['io.third'])
  })

  it.each(['unicode', 'ÜNÏCODE', '  unicode   fox '])('2. ignores case, accents and spaces in %j', (search) => {
    expect(ids({ search })).toEqual(['io.third'])
  })

  it('2. treats a blank term as no search', () => {
    expect(ids({ search: '  \u0301 ' })).toHaveLength(wallets.length)
  })

  it('2. treats regular expression characters as plain text', () => {
    expect(ids({ search: '.*' })).toEqual([])
    expect(ids({ search: '[' })).toEqual([])
  })

  it('3. finds wallets by namespace, for any of its networks', () => {
    expect(ids({ chains: ['eip155:8453'] })).toEqual(['io.first', 'io.third', 'io.unplaced'])
    expect(ids({ chains: ['solana', 'bip122'] })).toEqual(['io.first', 'io.second', 'io.fourth'])
    expect(ids({ chains: ['cosmos:cosmoshub-4'] })).toEqual([])
  })

  it('4. includes and excludes by id or reverse domain name, and exclusion wins (spec §7)', () => {
    expect(ids({ include: ['io.fourth', 'io.first'] })).toEqual(['io.first', 'io.fourth'])
    expect(ids({ include: ['io.fourth', 'io.first'], exclude: ['io.first'] })).toEqual(['io.fourth'])
    expect(ids({ include: ['unknown'] })).toEqual([])
    for (const id of ['a', 'b']) expect(ids({ include: [id.repeat(64)] })).toEqual(['io.fourth'])
    expect(ids({ chains: ['bip122'], exclude: ['b'.repeat(64)] })).toEqual([])
    expect(ids({ include: [] })).toHaveLength(wallets.length)
  })

  it('filters by badge, reverse domain name and full name (spec §7)', () => {
    expect(ids({ badge_type: 'certified' })).toEqual(['io.first'])
    expect(ids({ badge_type: 'none' })).not.toContain('io.first')
    expect(ids({ rdns: ['io.first', 'io.third'] })).toEqual(['io.first', 'io.third'])
    expect(ids({ names: ['fox', 'ARCTICFOX'] })).toEqual(['io.first', 'io.fourth'])
  })

  it('5. counts all matches and returns one page', () => {
    expect(directory.query({ search: 'fox', entries: 3, page: 2 })).toMatchObject({
      count: 4,
      data: [{ id: 'io.fourth' }],
    })
    expect(directory.query({ entries: 2, page: 9 })).toEqual({ count: 6, data: [] })
  })

  it('returns every wallet once over all pages', () => {
    const many = createDirectory({ wallets: thousand(), icons: noIcons })
    const seen = Array.from({ length: 25 }, (_, i) =>
      many.query({ page: i + 1 }).data.map((wallet) => wallet.id),
    ).flat()
    expect(new Set(seen).size).toBe(1_000)
    expect(seen).toHaveLength(1_000)
  })

  it('recommends the first wallets of each namespace, for any choice of namespaces', () => {
    expect(directory.recommended(['eip155'], 2).map((wallet) => wallet.id)).toEqual(['io.first', 'io.third'])
    const all = directory.recommended(['eip155', 'solana', 'bip122'], 2)
    expect(all.map((wallet) => wallet.id)).toEqual(['io.first', 'io.second', 'io.third', 'io.fourth'])
    for (const wallet of directory.recommended(['solana', 'bip122'], 2).slice(0, 2)) expect(all).toContain(wallet)
  })

  it('counts the wallets that support any of the namespaces', () => {
    expect(directory.count(['eip155'])).toBe(3)
    expect(directory.count(['eip155', 'solana', 'bip122'])).toBe(5)
  })

  it('searches a thousand wallets in a few milliseconds', () => {
    const many = createDirectory({ wallets: thousand(), icons: noIcons })
    // Of the processor: other work on the machine does not count.
    const started = process.cpuUsage()
    for (let i = 0; i < 200; i += 1) many.query({ search: `wallet ${i}`, entries: 100, chains: ['eip155:1'] })
    const { user, system } = process.cpuUsage(started)
    expect((user + system) / 1_000 / 200).toBeLessThan(5)
  })
})

function thousand(): WalletEntry[] {
  return Array.from({ length: 1_000 }, (_, i) => ({
    id: `com.example.w${i}`,
    name: `Wallet ${i} Éxample`,
    order: 1_000 - i,
    chains: [evm],
    rdns: `com.example.w${i}`,
    homepage: `https://w${i}.example.com`,
  }))
}

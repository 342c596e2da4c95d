import type { PageWallet, WalletEntry } from '@postern/protocol'
import { describe, expect, it } from 'vitest'
import { type WalletSources, walletRows } from './wallet-rows'

function inPage(name: string, changes: Partial<PageWallet> = {}): PageWallet {
  return { id: `page-${name}`, namespace: 'eip155', type: 'ANNOUNCED', name, rdns: `com.${name}`, ...changes }
}

function entry(name: string, changes: Partial<WalletEntry> = {}): WalletEntry {
  return { id: `id-${name}`, name, rdns: `com.${name}`, chains: ['eip155:1'], image_id: name, ...changes }
}

function rows(sources: Partial<WalletSources>) {
  return walletRows({
    pageWallets: [],
    entries: [],
    recent: [],
    namespaces: ['eip155'],
    featured: [],
    include: [],
    exclude: [],
    custom: [],
    order: [],
    wanted: null,
    walletConnect: 'off',
    imageUrl: ({ image_id }) => (image_id ? `/getWalletImage/${image_id}` : undefined),
    ...sources,
  })
}

const order = (sources: Partial<WalletSources>) => rows(sources).map(({ group, name }) => `${group}:${name}`)

describe('walletRows', () => {
  const entries = ['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((name) => entry(name))

  it.each<[string, Partial<WalletSources>, string[]]>([
    [
      'recommends four of the directory',
      { entries },
      ['recommended:a', 'recommended:b', 'recommended:c', 'recommended:d'],
    ],
    [
      'puts recent, injected, featured and recommended in the order of the spec',
      {
        entries,
        pageWallets: [inPage('x'), inPage('c')],
        recent: [{ id: 'id-b', name: 'b' }],
        featured: ['id-f', 'com.e'],
      },
      [
        'recent:b',
        'injected:x',
        'injected:c',
        'featured:f',
        'featured:e',
        'recommended:a',
        'recommended:d',
        'recommended:g',
      ],
    ],
    [
      'shows a wallet once, in the first group that it belongs to',
      {
        entries,
        pageWallets: [inPage('a')],
        recent: [{ id: 'com.a', name: 'a' }],
        featured: ['id-a', 'com.a', 'id-b', 'id-b'],
      },
      ['recent:a', 'featured:b', 'recommended:c', 'recommended:d', 'recommended:e', 'recommended:f'],
    ],
    [
      'keeps two recent ones, newest first',
      {
        entries,
        recent: [
          { id: 'id-g', name: 'g' },
          { id: 'id-f', name: 'f' },
          { id: 'id-e', name: 'e' },
        ],
      },
      ['recent:g', 'recent:f', 'recommended:a', 'recommended:b', 'recommended:c', 'recommended:d'],
    ],
    ['leaves out a recent wallet of which nothing is known', { recent: [{ id: 'gone', name: 'Gone' }] }, []],
    [
      'never shows an excluded one, in the page or not',
      { entries: entries.slice(0, 2), pageWallets: [inPage('x')], exclude: ['com.x', 'id-a'] },
      ['recommended:b'],
    ],
    [
      'shows none but the included ones',
      { entries, pageWallets: [inPage('x'), inPage('c')], include: ['com.c', 'id-d'] },
      ['injected:c', 'recommended:d'],
    ],
    [
      'lets exclusion win over inclusion',
      { entries, include: ['id-a', 'id-b'], exclude: ['com.a'] },
      ['recommended:b'],
    ],
    [
      'shows only wallets of the configured namespaces',
      {
        entries: [
          entry('s', { chains: ['solana:x'] }),
          entry('none', { chains: [] }),
          entry('m', { chains: ['solana:x', 'eip155:1'] }),
        ],
        pageWallets: [inPage('sol', { namespace: 'solana' })],
      },
      ['recommended:m'],
    ],
    ['ignores a featured wallet that nobody knows', { entries: [], featured: ['id-zzz'] }, []],
  ])('%s', (_what, sources, expected) => {
    expect(order(sources)).toEqual(expected)
  })

  it('is one row for a wallet of the page that the directory lists too: its own name and icon, the entry’s links', () => {
    const icon = 'data:image/png;base64,AA=='
    const listed = entry('metamask', { name: 'MetaMask Wallet', homepage: 'https://metamask.io' })
    expect(rows({ entries: [listed], pageWallets: [inPage('metamask', { name: 'MetaMask', icon })] })).toEqual([
      {
        id: 'com.metamask',
        name: 'MetaMask',
        group: 'injected',
        imageUrl: icon,
        connectors: [{ connectorId: 'page-metamask', namespace: 'eip155' }],
        entry: listed,
      },
    ])
  })

  it('lends a page wallet without an icon the directory’s', () => {
    expect(rows({ entries: [entry('a')], pageWallets: [inPage('a')] })).toMatchObject([
      { imageUrl: '/getWalletImage/a' },
    ])
  })

  it('is one row for one wallet in two namespaces, and for one that announces itself twice', () => {
    const both = rows({
      namespaces: ['eip155', 'solana'],
      pageWallets: [inPage('p'), inPage('p', { id: 'again' }), inPage('p', { id: 'sol', namespace: 'solana' })],
    })
    expect(both).toHaveLength(1)
    expect(both[0]?.connectors).toEqual([
      { connectorId: 'page-p', namespace: 'eip155' },
      { connectorId: 'sol', namespace: 'solana' },
    ])
  })

  it('finds a legacy wallet by its namespace', () => {
    const legacy: PageWallet = { id: 'l', namespace: 'eip155', type: 'INJECTED', name: 'Browser Wallet' }
    expect(rows({ pageWallets: [legacy] })).toMatchObject([{ id: 'injected:eip155', group: 'injected' }])
  })
})

import type { PageWallet, WalletEntry } from '@postern/protocol'
import { describe, expect, it } from 'vitest'
import { rowOfEntry, type WalletSources, walletRows } from './wallet-rows'

function inPage(name: string, changes: Partial<PageWallet> = {}): PageWallet {
  return { id: `page-${name}`, namespace: 'eip155', type: 'ANNOUNCED', name, rdns: `com.${name}`, ...changes }
}

function entry(name: string, changes: Partial<WalletEntry> = {}): WalletEntry {
  return { id: `id-${name}`, name, rdns: `com.${name}`, chains: ['eip155:1'], image_id: name, ...changes }
}

function rows(sources: Partial<WalletSources>) {
  return walletRows(all(sources))
}

function all(sources: Partial<WalletSources>): WalletSources {
  return {
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
  }
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
    ['ignores an unknown featured wallet', { entries: [], featured: ['id-zzz'] }, []],
  ])('%s', (_what, sources, expected) => {
    expect(order(sources)).toEqual(expected)
  })

  it('merges a page wallet with its directory entry: the wallet’s name and icon, the entry’s links', () => {
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

  it('uses the directory’s icon for a page wallet without one', () => {
    expect(rows({ entries: [entry('a')], pageWallets: [inPage('a')] })).toMatchObject([
      { imageUrl: '/getWalletImage/a' },
    ])
  })

  it('merges a wallet in two namespaces', () => {
    const both = rows({
      namespaces: ['eip155', 'solana'],
      pageWallets: [inPage('p'), inPage('p', { id: 'sol', namespace: 'solana' })],
    })
    expect(both).toHaveLength(1)
    expect(both[0]?.connectors).toEqual([
      { connectorId: 'page-p', namespace: 'eip155' },
      { connectorId: 'sol', namespace: 'solana' },
    ])
  })

  it('shows two rows of one rdns or key, neither of them recent', () => {
    const key = { rdns: undefined, key: 'standard:s', namespace: 'solana' as const }
    const shown = rows({
      namespaces: ['eip155', 'solana'],
      recent: [
        { id: 'com.p', name: 'p' },
        { id: 'id-p', rdns: 'com.p', name: 'p' },
      ],
      entries: [entry('p')],
      featured: ['com.p'],
      pageWallets: [inPage('p'), inPage('p', { id: 'again' }), inPage('s', key), inPage('s', { ...key, id: 'twice' })],
    })
    expect(shown.map(({ id, group }) => [id, group])).toEqual([
      ['com.p', 'injected'],
      ['again', 'injected'],
      ['standard:s', 'injected'],
      ['twice', 'injected'],
    ])
    expect(shown.flatMap(({ connectors }) => connectors.map(({ connectorId }) => connectorId))).toEqual([
      'page-p',
      'again',
      'page-s',
      'twice',
    ])
  })

  it('hides both rows of an rdns that the dapp excludes', () => {
    expect(rows({ exclude: ['com.p'], pageWallets: [inPage('p'), inPage('p', { id: 'again' })] })).toEqual([])
  })

  it('matches a legacy wallet by its namespace', () => {
    const legacy: PageWallet = { id: 'l', namespace: 'eip155', type: 'INJECTED', name: 'Browser Wallet' }
    expect(rows({ pageWallets: [legacy] })).toMatchObject([{ id: 'injected:eip155', group: 'injected' }])
  })
})

describe('groups and their order (spec §2)', () => {
  const everything: Partial<WalletSources> = {
    entries: ['a', 'b', 'c', 'd', 'e', 'f'].map((name) => entry(name)),
    pageWallets: [inPage('x'), inPage('y'), external('own')],
    recent: [{ id: 'com.y', name: 'y' }],
    featured: ['id-f'],
    custom: [{ id: 'mine', name: 'mine' }],
    walletConnect: 'offered',
  }
  const usual = [
    'walletConnect:WalletConnect',
    'recent:y',
    'injected:x',
    'featured:f',
    'custom:mine',
    'external:own',
    'recommended:a',
    'recommended:b',
    'recommended:c',
    'recommended:d',
  ]
  const by = (...first: string[]) => [
    ...first.flatMap((group) => usual.filter((row) => row.startsWith(`${group}:`))),
    ...usual.filter((row) => !first.some((group) => row.startsWith(`${group}:`))),
  ]

  it.each<[string, Partial<WalletSources>, string[]]>([
    ['is that of the spec', {}, usual],
    ['puts what the dapp names first (spec §2)', { order: ['featured'] }, by('featured')],
    ['in the order of the dapp (spec §2)', { order: ['recommended', 'external'] }, by('recommended', 'external')],
    ['and a group named twice once', { order: ['custom', 'external', 'custom'] }, by('custom', 'external')],
    [
      'can be turned round',
      {
        recent: [{ id: 'id-a', name: 'a' }],
        pageWallets: [inPage('x'), external('own')],
        order: ['recommended', 'external', 'custom', 'featured', 'injected', 'recent', 'walletConnect'],
      },
      [
        'recommended:b',
        'recommended:c',
        'recommended:d',
        'recommended:e',
        'external:own',
        'custom:mine',
        'featured:f',
        'injected:x',
        'recent:a',
        'walletConnect:WalletConnect',
      ],
    ],
    [
      'takes a wallet of two groups into the one that stands first',
      { order: ['featured'], featured: ['com.x'], entries: [] },
      ['featured:x', 'walletConnect:WalletConnect', 'recent:y', 'custom:mine', 'external:own'],
    ],
    [
      'recommends nothing that another group has, wherever it stands',
      {
        order: ['recommended'],
        recent: [{ id: 'id-a', name: 'a' }],
        pageWallets: [],
        custom: [],
        walletConnect: 'off',
      },
      ['recommended:b', 'recommended:c', 'recommended:d', 'recommended:e', 'recent:a', 'featured:f'],
    ],
    [
      'leaves WalletConnect out where it is not offered',
      { walletConnect: 'off' },
      usual.filter((row) => !row.startsWith('walletConnect')),
    ],
    [
      'leaves WalletConnect out while a wallet is connected by it',
      { walletConnect: 'connected' },
      usual.filter((row) => !row.startsWith('walletConnect')),
    ],
    [
      'leaves WalletConnect out where the dapp excludes it by name',
      { exclude: ['walletConnect'] },
      usual.filter((row) => !row.startsWith('walletConnect')),
    ],
    [
      'keeps WalletConnect beside a list of included wallets',
      { include: ['com.x'], recent: [] },
      ['walletConnect:WalletConnect', 'injected:x'],
    ],
    [
      'lets a custom wallet take the place of the directory’s, by id and by rdns',
      {
        pageWallets: [],
        recent: [],
        featured: [],
        walletConnect: 'off',
        custom: [
          { id: 'id-a', name: 'A of mine' },
          { id: 'other', rdns: 'com.b', name: 'B of mine' },
        ],
      },
      ['custom:A of mine', 'custom:B of mine', 'recommended:c', 'recommended:d', 'recommended:e', 'recommended:f'],
    ],
    [
      'finds a custom wallet in the page by its rdns',
      { custom: [{ id: 'mine', name: 'mine', rdns: 'com.x' }], entries: [], featured: [], walletConnect: 'off' },
      ['recent:y', 'injected:x', 'external:own'],
    ],
    [
      'excludes custom, external and featured wallets like all others',
      { exclude: ['mine', 'external:own', 'id-f', 'com.y'], walletConnect: 'off', entries: [] },
      ['injected:x'],
    ],
  ])('%s', (_what, changes, expected) => {
    expect(order({ ...everything, ...changes })).toEqual(expected)
  })
})

describe('one wallet in several namespaces', () => {
  const namespaces = ['eip155', 'solana', 'bip122'] as const
  const evm = inPage('Phantom', { rdns: 'app.phantom' })
  const solana = standard('Phantom', 'solana')
  const bitcoin = inPage('Phantom', { id: 'page-btc', namespace: 'bip122', type: 'INJECTED', key: 'injected:phantom' })
  delete bitcoin.rdns
  const connectors = [
    { connectorId: 'page-Phantom', namespace: 'eip155' },
    { connectorId: 'page-solana-Phantom', namespace: 'solana' },
    { connectorId: 'page-btc', namespace: 'bip122' },
  ]

  it.each([
    ['EVM first', [evm, solana, bitcoin]],
    ['Bitcoin first', [bitcoin, evm, solana]],
    ['Solana first', [solana, bitcoin, evm]],
  ])('is one row by name, with the same id in any order of announcements (%s)', (_what, pageWallets) => {
    const listed = entry('phantom', { name: 'Phantom', rdns: 'app.phantom', chains: ['eip155:1', 'solana:x'] })
    expect(rows({ namespaces, pageWallets, entries: [listed] })).toMatchObject([
      { id: 'app.phantom', group: 'injected', connectors, entry: { id: 'id-phantom' } },
    ])
  })

  it('matches a directory entry by injected id, or by name for Wallet Standard and Bitcoin', () => {
    const phantom = inPage('Phantom', { namespace: 'bip122', type: 'INJECTED', key: 'injected:phantom.bitcoin' })
    delete phantom.rdns
    const listed = entry('app.phantom', { name: 'Phantom', rdns: 'app.phantom', chains: ['bip122:x'] })
    expect(rows({ namespaces, entries: [listed], pageWallets: [phantom] })).toHaveLength(1)

    const glow = standard('Glow', 'solana')
    const xverse = inPage('Xverse Wallet', { namespace: 'bip122', type: 'INJECTED', key: 'injected:xverse' })
    delete xverse.rdns
    const entries = [
      entry('glow', { rdns: null, name: 'glow', chains: ['solana:x'] }),
      entry('xverse', { rdns: null, chains: ['bip122:x'], injected: [{ namespace: 'bip122', injected_id: 'xverse' }] }),
    ]
    expect(rows({ namespaces, entries, pageWallets: [glow, xverse] })).toMatchObject([
      { id: 'standard:Glow', entry: { id: 'id-glow' } },
      { id: 'injected:xverse', entry: { id: 'id-xverse' } },
    ])
  })

  it('keeps two wallets of one namespace apart, even with the same name', () => {
    const twin = inPage('twin', { id: 'other', rdns: 'com.other', name: 'Phantom' })
    expect(rows({ namespaces, pageWallets: [evm, twin] }).map(({ id }) => id)).toEqual(['app.phantom', 'com.other'])
  })

  it('is merged neither with the dapp’s own connector nor with a listed wallet', () => {
    const own = { ...external('own'), name: 'Phantom' }
    const listed = entry('phantom', { name: 'Phantom', rdns: 'app.phantom' })
    const both = rows({ namespaces, pageWallets: [own, solana], entries: [listed] })
    expect(both.map(({ id, group }) => `${group}:${id}`)).toEqual([
      'injected:standard:Phantom',
      'external:external:own',
    ])
    expect(both[1]).not.toHaveProperty('entry')
  })

  it('has its connectors in the order of the dapp’s namespaces', () => {
    const [row] = rows({ namespaces: ['bip122', 'solana', 'eip155'], pageWallets: [evm, solana, bitcoin] })
    expect(row?.connectors.map(({ namespace }) => namespace)).toEqual(['bip122', 'solana', 'eip155'])
  })

  it('is filtered by the wanted namespace, and hidden without a connector for it', () => {
    const entries = [
      entry('sol', { chains: ['solana:x'] }),
      entry('evm'),
      entry('MetaMask', { rdns: 'io.metamask', chains: ['eip155:1', 'solana:x'] }),
    ]
    const metaMask = inPage('MetaMask', { rdns: 'io.metamask' })
    const narrowed = rows({
      namespaces,
      wanted: 'solana',
      pageWallets: [evm, solana, metaMask],
      entries,
      custom: [
        { id: 'everywhere', name: 'everywhere' },
        { id: 'bare', name: 'bare', chains: ['bip122'] },
      ],
    })
    expect(narrowed.map(({ id, connectors: own }) => [id, own.length])).toEqual([
      ['standard:Phantom', 1],
      ['everywhere', 0],
      ['id-sol', 0],
      ['id-MetaMask', 0],
    ])
  })
})

describe('wallets reachable by WalletConnect', () => {
  const linked = entry('linked', { mobile_link: 'linked://' })

  it('marks wallets with a link of their own, in the page or not, while WalletConnect is offered', () => {
    const sources = { entries: [linked, entry('bare')], pageWallets: [] }
    expect(rows({ ...sources, walletConnect: 'offered' }).map((row) => [row.id, row.walletConnect])).toEqual([
      ['walletConnect', true],
      ['id-linked', true],
      ['id-bare', undefined],
    ])
    expect(rows({ ...sources, walletConnect: 'connected' })[0]).toMatchObject({ id: 'id-linked', walletConnect: true })
    expect(rows({ ...sources, walletConnect: 'off' })[0]).not.toHaveProperty('walletConnect')
    expect(rows({ entries: [linked], pageWallets: [inPage('linked')], walletConnect: 'offered' })[1]).toMatchObject({
      id: 'com.linked',
      walletConnect: true,
      connectors: [{ namespace: 'eip155' }],
    })
  })
})

describe('rowOfEntry', () => {
  it('has no connector of a page in which two wallets match', () => {
    const sources = all({ walletConnect: 'offered', pageWallets: [inPage('p'), inPage('p', { id: 'again' })] })
    const row = rowOfEntry(entry('p', { mobile_link: 'p://' }), sources)
    expect(row).toMatchObject({ id: 'id-p', connectors: [], walletConnect: true })
  })

  const listed = entry('a', { desktop_link: 'a://' })

  it('is the page wallet that matches the entry', () => {
    expect(rowOfEntry(listed, all({ pageWallets: [inPage('a')] }))).toMatchObject({
      id: 'com.a',
      group: 'injected',
      connectors: [{ connectorId: 'page-a' }],
      entry: { id: 'id-a' },
    })
  })

  it('is a new row for another entry, even an unknown one', () => {
    expect(rowOfEntry(listed, all({ walletConnect: 'offered' }))).toMatchObject({
      id: 'id-a',
      connectors: [],
      imageUrl: '/getWalletImage/a',
      walletConnect: true,
    })
    expect(rowOfEntry(entry('b', { chains: [] }), all({}))).toMatchObject({ id: 'id-b', connectors: [] })
  })
})

function external(id: string): PageWallet {
  return { id: `page-${id}`, namespace: 'eip155', type: 'EXTERNAL', name: id, key: `external:${id}` }
}

function standard(name: string, namespace: 'solana' | 'bip122'): PageWallet {
  return { id: `page-${namespace}-${name}`, namespace, type: 'ANNOUNCED', name, key: `standard:${name}` }
}

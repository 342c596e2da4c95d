import { describe, expect, it } from 'vitest'
import { mergeEntries } from './merge'
import { cleanLinks, type SourceEntry } from './source-entry'

const entry = (part: Partial<SourceEntry> & Pick<SourceEntry, 'source' | 'name'>): SourceEntry => ({
  namespaces: ['eip155'],
  links: {},
  injected: [],
  icons: [],
  homepage: `https://${part.name.toLowerCase().replaceAll(' ', '-')}.example`,
  ...part,
})
const extension = 'https://chromewebstore.google.com/detail/x/acmacodkjbdgmoleebolmdjonilkdbch'

describe('mergeEntries', () => {
  it.each([
    ['a reverse domain name', { rdns: 'io.rabby' }, { rdns: 'io.rabby' }],
    ['an extension', { links: { chrome_store: extension } }, { links: { chrome_store: `${extension}?hl=en` } }],
    [
      'an Android package',
      { links: { play_store: 'https://play.google.com/store/apps/details?id=io.a' } },
      { links: { play_store: 'https://play.google.com/store/apps/details?hl=en&id=io.a' } },
    ],
  ])('1. merges entries that share %s', (_what, one, other) => {
    const merged = mergeEntries([
      entry({ source: 'thirdweb', name: 'One', ...one }),
      entry({ source: 'rainbowkit', name: 'Other', ...other }),
    ])
    expect(merged.map((record) => record.name)).toEqual(['One'])
  })

  it('1. merges names that differ only in words such as "wallet"', () => {
    const merged = mergeEntries([
      entry({ source: 'thirdweb', name: 'Rabby' }),
      entry({ source: 'rainbowkit', name: 'Rabby Wallet' }),
      entry({ source: 'rainbowkit', name: 'Rabbit' }),
    ])
    expect(merged.map((record) => record.name)).toEqual(['Rabby', 'Rabbit'])
  })

  it('2. takes each field from the first source and combines namespaces, flags and links', () => {
    const [record] = mergeEntries([
      entry({ source: 'thirdweb', name: 'A', id: 'io.a', homepage: 'https://a.example', injected: ['isA'] }),
      entry({
        source: 'wallet-book',
        name: 'A',
        rdns: 'io.a',
        homepage: 'https://other.example',
        namespaces: ['solana'],
        injected: ['isA', 'isB'],
        links: { chrome_store: extension },
      }),
    ])
    expect(record).toMatchObject({
      id: 'io.a',
      rdns: 'io.a',
      homepage: 'https://a.example',
      namespaces: ['eip155', 'solana'],
      injected: ['isA', 'isB'],
      links: { chrome_store: extension },
    })
  })

  it("3. puts RainbowKit's picture before the registry's", () => {
    const [registry, kit] = [new Uint8Array([1]), new Uint8Array([2])]
    const [record] = mergeEntries([
      entry({ source: 'thirdweb', name: 'A', icons: [registry] }),
      entry({ source: 'rainbowkit', name: 'A', icons: [kit] }),
    ])
    expect(record?.icons).toEqual([kit, registry])
  })

  it('4. merges entries of one source only by name', () => {
    const merged = mergeEntries([
      entry({ source: 'thirdweb', name: 'A', links: { chrome_store: extension } }),
      entry({ source: 'thirdweb', name: 'B', links: { chrome_store: extension } }),
      entry({ source: 'thirdweb', name: 'A Wallet' }),
    ])
    expect(merged.map((record) => record.name)).toEqual(['A', 'B'])
  })

  it('does not derive an id from a store page', () => {
    expect(
      mergeEntries([
        entry({ source: 'rainbowkit', name: 'A', homepage: 'https://chrome.google.com/webstore/detail/a' }),
      ]),
    ).toEqual([])
  })
})

describe('cleanLinks', () => {
  it('keeps valid links, trimmed', () => {
    const links = {
      mobile_link: ' metamask:// ',
      desktop_link: 'https://desk.example/wc',
      app_store: 'https://apps.apple.com/us/app/x/id1',
      chrome_store: extension,
    }
    expect(cleanLinks(links)).toEqual({
      ...links,
      mobile_link: 'metamask://',
      desktop_link: 'https://desk.example/wc/',
    })
  })

  it.each([
    ['mobile_link', 'javascript://%0aalert(1)'],
    ['mobile_link', 'intent://scan/#Intent;end'],
    ['mobile_link', 'app.example.com'],
    ['webapp_link', 'http://app.example.com'],
    ['webapp_link', 'https://app.example.com/?ref=wc'],
    ['desktop_link', 'https://app.example.com/#/'],
    ['mobile_link', 'one://a,two://b'],
    ['webapp_link', extension],
    ['app_store', 'https://apps.apple.com.evil.example/app'],
    ['play_store', 'http://play.google.com/store/apps/details?id=x'],
    ['chrome_store', 'nothing'],
    ['chrome_store', '-'],
  ])('drops %s %j', (name, link) => {
    expect(cleanLinks({ [name]: link })).toEqual({})
  })
})

import type { WalletEntry } from '@postern/protocol'
import { describe, expect, it } from 'vitest'
import type { WalletRow } from '../../snapshot/contract'
import { installLinks, knownRow, platformOf, rowOfEntry, searchFor } from './wallet-rows'

const entry: WalletEntry = {
  id: 'tide',
  name: 'Tide',
  homepage: 'https://tide.example',
  rdns: 'example.tide',
  chrome_store: 'https://chrome.example/tide',
  app_store: 'https://apple.example/tide',
  play_store: 'https://google.example/tide',
}

describe('installLinks', () => {
  it('returns the platform’s links, the best first', () => {
    const kinds = (platform: Parameters<typeof installLinks>[1]) =>
      installLinks(entry, platform).map(({ kind }) => kind)
    expect(kinds('desktop')).toEqual(['chrome', 'website', 'apple', 'google'])
    expect(kinds('ios')).toEqual(['apple', 'website'])
    expect(kinds('android')).toEqual(['google', 'website'])
  })

  it('returns only web links', () => {
    const hostile: WalletEntry = {
      id: 'x',
      name: 'X',
      homepage: 'javascript:alert(1)',
      chrome_store: 'data:text/html,<script>',
      app_store: null,
      play_store: 'not a link',
    }
    expect(installLinks(hostile, 'desktop')).toEqual([])
    expect(installLinks(undefined, 'desktop')).toEqual([])
  })
})

describe('platformOf', () => {
  it('recognizes phones', () => {
    expect(platformOf('Mozilla/5.0 (Linux; Android 15; Pixel 9) Chrome/140')).toBe('android')
    expect(platformOf('Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X)')).toBe('ios')
    expect(platformOf('Mozilla/5.0 (X11; Linux x86_64) Chrome/140')).toBe('desktop')
  })
})

describe('knownRow', () => {
  const inPage: WalletRow = {
    id: 'example.tide',
    name: 'Tide',
    group: 'injected',
    connectors: [{ connectorId: '1', namespace: 'eip155' }],
  }

  it('is the page wallet if it is the same one', () => {
    expect(knownRow(entry, [inPage])).toBe(inPage)
    expect(knownRow(entry, [])).toBeUndefined()
  })
})

describe('rowOfEntry', () => {
  it('creates a row from the directory entry', () => {
    expect(rowOfEntry(entry, '/image')).toEqual({
      id: 'tide',
      name: 'Tide',
      group: 'recommended',
      connectors: [],
      entry,
      imageUrl: '/image',
    })
  })
})

describe('searchFor', () => {
  it.each([
    ['Tide Wallet', ' tide', true],
    ['Zérion', 'zer', true],
    ['Tide', 'tied', false],
    ['Tide', '', true],
  ])('%s for "%s": %s', (name, search, expected) => {
    expect(searchFor(search)(name)).toBe(expected)
  })
})

import { isOpenableLink } from '@postern/protocol'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { walletHome, walletLink } from './wallet-link'

const entry = { id: 'fox', name: 'Fox' }
const uri = 'wc:abc@2?relay-protocol=irn&symKey=00'

describe('walletLink', () => {
  it('returns only links that may be opened, whatever the directory says', () => {
    const schemes = fc.constantFrom(
      'javascript:',
      'JaVaScRiPt:',
      'data:',
      'intent:',
      'file:',
      'https:',
      'http:',
      'fox:',
      '',
    )
    const hostile = fc.oneof(
      fc.string(),
      fc.webUrl({ withFragments: true, withQueryParameters: true }),
      fc.tuple(schemes, fc.string()).map(([scheme, rest]) => `${scheme}${rest}`),
    )
    fc.assert(
      fc.property(hostile, fc.constantFrom('mobile', 'desktop', 'webapp'), fc.string(), (link, kind, code) => {
        const given = { ...entry, mobile_link: link, desktop_link: link, webapp_link: link }
        const made = walletLink(given, kind, code)
        if (made !== null) expect(isOpenableLink(made.url)).toBe(true)
        const home = walletHome(given)
        if (home !== null) expect(isOpenableLink(home)).toBe(true)
      }),
    )
  })

  it('is null for a wallet without an entry, or without a link of that kind', () => {
    expect(walletLink(undefined, 'mobile', uri)).toBeNull()
    expect(walletLink({ ...entry, mobile_link: null }, 'mobile', uri)).toBeNull()
    expect(walletHome(entry)).toBeNull()
  })

  it('opens app links as apps, and websites in a tab', () => {
    const links = {
      ...entry,
      mobile_link: 'https://fox.example/app',
      desktop_link: 'fox://',
      webapp_link: 'https://fox.example',
    }
    const kinds = (['mobile', 'desktop', 'webapp'] as const).map((kind) => walletLink(links, kind, 'wc:1')?.target)
    expect(kinds).toEqual(['app', 'app', 'tab'])
  })
})

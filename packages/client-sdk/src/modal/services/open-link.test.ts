import { readFileSync } from 'node:fs'
import { isOpenableLink } from '@postern/protocol'
import { describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { openLink } from './open-link'

function page(isActive?: boolean) {
  const opened: unknown[][] = []
  const navigator = isActive === undefined ? {} : { userActivation: { isActive } }
  return { opened, window: { navigator, open: (...args: unknown[]) => opened.push(args) } }
}

describe('1. only links that may be opened', () => {
  test.each([
    'javascript://%0aalert(1)',
    'JAVASCRIPT://x',
    'java\tscript://x',
    'data://text/html,x',
    'intent://x#Intent;scheme=http;end',
    'http://evil.example/',
    'https://metamask.app.link@evil.example/',
    'wallet:wc',
    '//evil.example',
    'itms-services://?action=download-manifest&url=https://evil.example/app.plist',
    'wallet://send#to=evil',
    'steam://run/1//%22-command',
    'wallet://wc?uri=wc%3A1&to=evil',
    'wallet://wc?uri=wc%3A1#evil',
    'wallet://send;to=evil',
  ])('does not open %s', (url) => {
    for (const target of ['app', 'tab'] as const) {
      const { window, opened } = page(true)
      expect(() => openLink(window, { url, target })).toThrow(expect.objectContaining({ code: 'INVALID_PARAMS' }))
      expect(opened).toEqual([])
    }
  })
})

test('2. a wallet’s own scheme goes to the system, and the page stays', () => {
  const { window, opened } = page(true)
  openLink(window, { url: 'metamask://wc?uri=wc%3A1', target: 'app' })
  expect(opened).toEqual([['metamask://wc?uri=wc%3A1', '_self']])
})

test('2. a wallet’s own scheme does not open in a new tab', () => {
  const { window, opened } = page(true)
  expect(() => openLink(window, { url: 'metamask://wc?uri=wc%3A1', target: 'tab' })).toThrow(
    expect.objectContaining({ code: 'INVALID_PARAMS' }),
  )
  expect(opened).toEqual([])
})

test('2. the links of all wallets of the directory open', () => {
  const known = z.array(z.object({ mobile_link: z.optional(z.string()), desktop_link: z.optional(z.string()) }))
  const entries = known.parse(JSON.parse(readFileSync('apps/gateway/data/wallets.json', 'utf8')))
  const links = entries.flatMap(({ mobile_link, desktop_link }) => [mobile_link ?? [], desktop_link ?? []].flat())
  const pairing = encodeURIComponent(`wc:${'a'.repeat(64)}@2?relay-protocol=irn&symKey=${'b'.repeat(64)}`)
  expect(links.length).toBeGreaterThan(200)
  for (const link of links) expect([link, isOpenableLink(`${link}wc?uri=${pairing}`)]).toEqual([link, true])
})

test.each(['app', 'tab'] as const)(
  '2, 3. a universal link (%s) opens a new tab that learns nothing about this page',
  (target) => {
    const { window, opened } = page()
    openLink(window, { url: 'https://metamask.app.link/wc?uri=wc%3A1', target })
    expect(opened).toEqual([['https://metamask.app.link/wc?uri=wc%3A1', '_blank', 'noopener,noreferrer']])
  },
)

test('4. without a recent click no tab opens, and the call is POPUP_BLOCKED', () => {
  const { window, opened } = page(false)
  const link = { url: 'https://a.example/', target: 'tab' } as const
  expect(() => openLink(window, link)).toThrow(expect.objectContaining({ code: 'POPUP_BLOCKED' }))
  expect(opened).toEqual([])
})

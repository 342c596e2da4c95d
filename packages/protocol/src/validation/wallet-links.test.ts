import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseWalletLink } from './wallet-links'

describe('parseWalletLink', () => {
  it.each([
    ['metamask://', 'native', 'metamask://'],
    ['rainbow://wc', 'native', 'rainbow://wc/'],
    ['https://metamask.app.link', 'universal', 'https://metamask.app.link/'],
    ['https://metamask.app.link/', 'universal', 'https://metamask.app.link/'],
    ['HTTPS://Go.CB-W.com/dapp', 'universal', 'https://go.cb-w.com/dapp/'],
    ['http://localhost:3000', 'universal', 'http://localhost:3000/'],
  ])('1. %s is a %s link, %s', (text, kind, href) => expect(parseWalletLink(text)).toEqual({ kind, href }))

  it.each([
    ['wallet', 'wallet://'],
    ['wallet:', 'wallet://'],
    ['wallet:wc', 'wallet://wc/'],
    ['wallet:/wc', 'wallet://wc/'],
  ])('2. %s is completed to %s (spec §5)', (text, href) => expect(parseWalletLink(text)?.href).toBe(href))

  it.each([
    'javascript:alert(1)',
    'JavaScript:alert(1)',
    'java\tscript:alert(1)',
    ' javascript:alert(1)',
    'javascript\n:alert(1)',
    '\u0001javascript:alert(1)',
    'data:text/html,x',
    'vbscript:x',
    'file:///etc/passwd',
    'blob:https://example.com/1',
    'about:blank',
    'view-source:https://example.com',
    'intent://scan/#Intent;scheme=x;end',
    'ws://example.com',
    'https:',
    'https:example.com',
    'https://',
    'https://bank.example@evil.test/',
    'https://user:pass@evil.test/',
    '',
    '://x',
    '1wallet://',
    'https://exämple.com',
    `wallet://${'x'.repeat(2100)}`,
    'web+wallet://pair',
    'ms-settings://x',
    'ssh://host',
    'smb://host/share',
  ])('3. rejects %j', (text) => expect(parseWalletLink(text)).toBeNull())

  it('3. an accepted link ends with a slash and parses to itself (spec §5)', () => {
    const link = fc.tuple(
      fc.constantFrom('javascript', 'JAVASCRIPT', 'https', 'wallet', 'data', 'x'),
      fc.constantFrom(':', '://', '\t:', ''),
      fc.string(),
    )
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          link.map((parts) => parts.join('')),
        ),
        (text) => {
          const parsed = parseWalletLink(text)
          if (parsed === null) return
          expect(parsed.href.endsWith('/')).toBe(true)
          expect(parsed.href).not.toMatch(/^\s*(javascript|data|vbscript|file|blob):/i)
          expect(parsed.kind === 'universal').toBe(/^https?:/.test(parsed.href))
          expect(parseWalletLink(parsed.href)).toEqual(parsed)
        },
      ),
    )
  })
})

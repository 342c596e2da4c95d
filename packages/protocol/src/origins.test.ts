import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { defaultAncestors, frameAncestors, isOriginAllowed, parseAllowedOrigin } from './origins'

const only = { defaultAncestors: false }
const withDefaults = { defaultAncestors: true }
const allows = (entry: string, origin: string) => isOriginAllowed(origin, [entry], only)

const label = fc.stringMatching(/^[a-z][a-z0-9]{0,12}$/)

describe('the allowlist', () => {
  it('1. is exact in scheme, host and port (spec §6)', () => {
    expect(allows('https://app.example.com', 'https://app.example.com')).toBe(true)
    for (const other of [
      'http://app.example.com',
      'https://app.example.com:8443',
      'https://example.com',
      'https://www.app.example.com',
    ]) {
      expect(allows('https://app.example.com', other)).toBe(false)
    }
    expect(allows('http://app.example.com:3000', 'http://app.example.com:3000')).toBe(true)
    expect(allows('http://app.example.com:3000', 'http://app.example.com')).toBe(false)
    expect(allows('https://app.example.com:443', 'https://app.example.com')).toBe(true)
  })

  it('2. a wildcard matches exactly one label (spec §6)', () => {
    expect(allows('https://*.example.com', 'https://app.example.com')).toBe(true)
    for (const other of [
      'https://example.com',
      'https://a.b.example.com',
      'http://app.example.com',
      'https://app.example.com:444',
      'https://.example.com',
    ]) {
      expect(allows('https://*.example.com', other)).toBe(false)
    }
  })

  it('2. holds for random labels', () => {
    fc.assert(
      fc.property(fc.array(label, { minLength: 0, maxLength: 4 }), (labels) => {
        const origin = `https://${[...labels, 'example', 'com'].join('.')}`
        expect(allows('https://*.example.com', origin)).toBe(labels.length === 1)
      }),
    )
  })

  it('3. a wildcard needs two labels after it', () => {
    for (const wide of [
      'https://*',
      'https://*.com',
      'https://*.*.com',
      'https://a.*.com',
      'https://app*.example.com',
      '*',
    ]) {
      expect(parseAllowedOrigin(wide)).toBeNull()
    }
    expect(parseAllowedOrigin('http://*.localhost:*')).toBe('http://*.localhost:*')
    expect(parseAllowedOrigin('http://*.0.0.1')).toBeNull()
  })

  it('4. compares hosts in their normalized form', () => {
    expect(parseAllowedOrigin('HTTPS://App.Example.COM/')).toBe('https://app.example.com')
    expect(allows('https://*.bücher.example', 'https://a.xn--bcher-kva.example')).toBe(true)
    expect(allows('https://xn--bcher-kva.example', 'https://xn--bcher-kva.example')).toBe(true)
    // A Cyrillic a.
    expect(allows('https://\u0430pple.example', 'https://apple.example')).toBe(false)
    // Browsers never report these.
    expect(allows('https://app.example.com', 'https://APP.example.com')).toBe(false)
    expect(allows('https://app.example.com', 'https://app.example.com/')).toBe(false)
    expect(allows('https://app.example.com', 'https://app.example.com:443')).toBe(false)
  })

  it('5. look-alikes do not match', () => {
    for (const entry of ['https://example.com', 'https://*.example.com']) {
      for (const other of [
        'https://example.com.evil.test',
        'https://app.example.com.evil.test',
        'https://notexample.com',
        'https://app.notexample.com',
        'https://app-example.com',
        'https://example.com.',
        'https://app.example.com.',
        'https://example.com@evil.test',
      ]) {
        expect(allows(entry, other), `${entry} ${other}`).toBe(false)
      }
    }
  })

  it('5. an allowed origin with text before or after it does not match', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), (text) => {
        expect(allows('https://example.com', `https://example.com${text}`)).toBe(false)
        expect(allows('https://example.com', `${text}https://example.com`)).toBe(false)
      }),
    )
  })

  it("6. 'null' and other schemes are never allowed", () => {
    for (const origin of [
      'null',
      '',
      'file://',
      'data:',
      'blob:https://example.com',
      'chrome-extension://abc',
      'ftp://example.com',
    ]) {
      expect(isOriginAllowed(origin, ['null', '*', origin, 'https://example.com'], withDefaults)).toBe(false)
    }
  })

  it('7. any port is accepted on loopback hosts only', () => {
    expect(parseAllowedOrigin('https://example.com:*')).toBeNull()
    expect(parseAllowedOrigin('https://localhost.example.com:*')).toBeNull()
    expect(allows('http://127.0.0.1:*', 'http://127.0.0.1:5173')).toBe(true)
  })

  it.each([
    'https://example.com; script-src *',
    'https://example.com;',
    "https://example.com 'none'",
    'https://a;b.example.com',
    'https://a,b.example.com',
    'https://example.com/path',
    'https://example.com?q',
    'https://example.com#f',
    'https://user@example.com',
    'https://example.com\n',
    'https://example.com\r\nX: y',
    'https://example.com:99999',
    'https://[::1]',
    'javascript://example.com',
    'example.com',
    'https://',
    'null',
  ])('8. rejects the entry %j', (entry) => {
    expect(parseAllowedOrigin(entry)).toBeNull()
    expect(frameAncestors([entry], only)).toEqual([])
  })

  it('8. no entry yields a source that breaks out of the directive, and parsing is idempotent', () => {
    const parts = fc.array(
      fc.constantFrom('https://', 'http://', '*.', 'a', 'com', '.', ':', '443', '*', ';', ' ', ',', '\n', 'ü', '/'),
    )
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.webUrl(),
          parts.map((list) => list.join('')),
        ),
        (entry) => {
          const source = parseAllowedOrigin(entry)
          if (source === null) return
          expect(source).toMatch(/^https?:\/\/(\*\.)?[a-z0-9.-]+(:(\d+|\*))?$/)
          expect(parseAllowedOrigin(source)).toBe(source)
        },
      ),
    )
  })
})

describe('default ancestors (spec §6)', () => {
  it.each([
    'http://localhost',
    'http://localhost:3000',
    'https://localhost:5173',
    'http://demo.localhost:4500',
    'http://127.0.0.1:8080',
    'https://my-app.pages.dev',
    'https://my-app.vercel.app',
    'https://1234.ngrok-free.app',
    'https://quick-fox.trycloudflare.com',
  ])('allows %s, unless disabled (spec §6)', (origin) => {
    expect(isOriginAllowed(origin, [], withDefaults)).toBe(true)
    expect(isOriginAllowed(origin, [], only)).toBe(false)
  })

  it.each([
    'https://pages.dev',
    'http://my-app.pages.dev',
    'https://a.my-app.pages.dev',
    'https://my-app.pages.dev.evil.test',
    'https://localhost.evil.test',
    'http://127.0.0.1.evil.test',
    'http://192.168.1.1:3000',
    'https://evil-vercel.app',
  ])('does not allow %s', (origin) => expect(isOriginAllowed(origin, [], withDefaults)).toBe(false))

  it('are valid entries', () => {
    for (const entry of defaultAncestors) expect(parseAllowedOrigin(entry)).toBe(entry)
  })
})

describe('frameAncestors', () => {
  it('lists the project first and each source once, and is empty if nothing is allowed', () => {
    expect(frameAncestors([], only)).toEqual([])
    expect(frameAncestors(['https://B.example', 'https://b.example/'], only)).toEqual(['https://b.example'])
    expect(frameAncestors(['https://b.example'], withDefaults)).toEqual(['https://b.example', ...defaultAncestors])
  })

  it('never excludes an origin that the matcher allows', () => {
    const entries = ['https://app.example.com', 'https://*.example.org', 'http://localhost:*']
    fc.assert(
      fc.property(label, fc.constantFrom(...entries), (name, entry) => {
        const origin = entry.replace('*.', `${name}.`).replace(':*', '')
        expect(isOriginAllowed(origin, entries, only)).toBe(true)
        expect(frameAncestors(entries, only)).toContain(entry)
      }),
    )
  })
})

import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { signInDomain } from './sign-in-message'

const origin = 'https://app.example:8443'
const text = (domain: string, uri = origin) =>
  `${domain} wants you to sign in with your Ethereum account:\n0x1111111111111111111111111111111111111111\n\nURI: ${uri}\nVersion: 1`

describe('signInDomain', () => {
  it('1. lets through what is no sign-in message', () => {
    expect(signInDomain('I like turtles', origin)).toBe('none')
  })

  it.each([text('app.example:8443'), text('https://app.example:8443'), text('APP.example:8443')])(
    '2. takes the page’s own domain: %j',
    (message) => {
      expect(signInDomain(message, origin)).toBe('own')
    },
  )

  it.each([
    text('evil.example'),
    text('app.example'),
    text('app.example:8443.evil.example'),
    text('http://app.example:8443'),
    text('app.example:8443', 'https://evil.example/login'),
    text('app.example:8443', 'not a url'),
    // The statement looks like the line of the URI.
    text('app.example:8443', 'https://evil.example').replace('\n\nURI', `\n\nURI: ${origin}\n\nURI`),
    // Dressed up so that the first line is not where it should be.
    ` ${text('evil.example')}`,
    `\n${text('evil.example')}`,
    `Hello\n${text('evil.example')}`,
    text('a b'),
    text('app.example:8443').replace('Ethereum account:', 'Ethereum account'),
  ])('3. blocks every other: %j', (message) => {
    expect(signInDomain(message, origin)).toBe('foreign')
  })

  it('3. blocks for a page without an origin', () => {
    expect(signInDomain(text('app.example'), 'null')).toBe('foreign')
  })

  it('is never talked into a domain that is not the page’s', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), fc.webUrl(), (before, after, uri) => {
        const message = `${before}evil.example wants you to sign in with your Ethereum account:${after}\nURI: ${uri}`
        expect(signInDomain(message, origin)).toBe('foreign')
      }),
    )
  })
})

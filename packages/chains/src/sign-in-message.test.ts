import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { signInDomain } from './sign-in-message'

const origin = 'https://app.example:8443'
const text = (domain: string, uri = origin) =>
  `${domain} wants you to sign in with your Ethereum account:\n0x1111111111111111111111111111111111111111\n\nURI: ${uri}\nVersion: 1`

describe('signInDomain', () => {
  it('1. returns none for text that is not a sign-in message', () => {
    expect(signInDomain('I like turtles', origin)).toBe('none')
  })

  it.each([
    text('app.example:8443'),
    text('https://app.example:8443'),
    text('APP.example:8443'),
    // EIP-4361: the URI is the resource, such as an API; the domain decides.
    text('app.example:8443', 'https://api.app.example/login'),
    text('app.example:8443', 'http://app.example:8443'),
    text('app.example:8443', 'https://elsewhere.example'),
    text('app.example:8443', 'not a url'),
  ])('2. returns own for the page’s own domain: %j', (message) => {
    expect(signInDomain(message, origin)).toBe('own')
  })

  it.each([
    text('evil.example'),
    text('app.example'),
    text('app.example:8443.evil.example'),
    text('http://app.example:8443'),
    // The opening line is disguised or not first.
    ` ${text('evil.example')}`,
    `\n${text('evil.example')}`,
    `Hello\n${text('evil.example')}`,
    text('a b'),
    text('app.example:8443').replace('Ethereum account:', 'Ethereum account'),
  ])('3. returns foreign for any other message: %j', (message) => {
    expect(signInDomain(message, origin)).toBe('foreign')
  })

  it('3. returns foreign if the page has no origin', () => {
    expect(signInDomain(text('app.example'), 'null')).toBe('foreign')
  })

  it('never returns own for a foreign domain, whatever surrounds it', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), fc.webUrl(), (before, after, uri) => {
        const message = `${before}evil.example wants you to sign in with your Ethereum account:${after}\nURI: ${uri}`
        expect(signInDomain(message, origin)).toBe('foreign')
      }),
    )
  })
})

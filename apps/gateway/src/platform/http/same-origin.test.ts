import { expect, test } from 'vitest'
import { isOwn } from './same-origin'

const wallet = 'https://wallet.example.com'
test.each<[string, string | undefined, string | undefined, boolean]>([
  ['1. its own page, by POST', wallet, 'same-origin', true],
  ['1. its own page, by GET', undefined, 'same-origin', true],
  ['1. its own page in a browser that says less', wallet, undefined, true],
  ['1. the address bar', undefined, 'none', true],
  ['2. the modal', 'https://modal.example.com', 'same-site', false],
  ['2. a dapp', 'https://app.example.com', 'cross-site', false],
  ['2. an opaque origin', 'null', 'cross-site', false],
  ['2. a look-alike', `${wallet}.evil.test`, 'cross-site', false],
  ['2. another port', `${wallet}:8443`, 'same-site', false],
  ['2. another scheme', 'http://wallet.example.com', 'cross-site', false],
  ['2. an image or a form without an origin', undefined, 'cross-site', false],
  ['2. the same of a sibling', undefined, 'same-site', false],
  ['2. its own origin, though the browser says otherwise', wallet, 'cross-site', false],
  ['2. an empty origin', '', 'same-origin', false],
  ['3. no browser', undefined, undefined, true],
])('%s: %s, %s → %s', (_, origin, site, expected) => {
  expect(isOwn(origin, site, wallet)).toBe(expected)
})

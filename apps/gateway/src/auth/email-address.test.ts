import { describe, expect, test } from 'vitest'
import { browserName } from './browser-name'
import { parseEmailAddress } from './email-address'

describe('parseEmailAddress', () => {
  test.each([
    ['name@example.com', 'name@example.com', 'name@example.com'],
    ['  Name.Other+tag@Example.COM ', 'Name.Other+tag@example.com', 'name.other+tag@example.com'],
    ['name@bücher.example', 'name@xn--bcher-kva.example', 'name@xn--bcher-kva.example'],
    ["o'neill@mail.example.co.uk", "o'neill@mail.example.co.uk", "o'neill@mail.example.co.uk"],
  ])('%s', (text, address, subject) => {
    expect(parseEmailAddress(text)).toEqual({ address, subject })
  })

  test.each([
    '',
    'name',
    '@example.com',
    'name@',
    'name@localhost',
    'name@example',
    'name@-example.com',
    'name@exa mple.com',
    'name@example..com',
    'na me@example.com',
    '.name@example.com',
    'name.@example.com',
    'name@127.0.0.1',
    'name@[127.0.0.1]',
    '"name"@example.com',
    'name@example.com,other@example.com',
    'name@example.com\r\nBcc: other@example.com',
    'Name <name@example.com>',
    `${'a'.repeat(65)}@example.com`,
    `name@${'a'.repeat(250)}.com`,
    'näme@example.com',
  ])('rejects %j', (text) => {
    expect(parseEmailAddress(text)).toBeNull()
  })
})

describe('browserName', () => {
  test.each([
    [
      'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Safari/537.36',
      'Chrome on Linux',
    ],
    [
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0 Safari/537.36 Edg/130.0',
      'Edge on Windows',
    ],
    [
      'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1',
      'Safari on iOS',
    ],
    ['Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:128.0) Gecko/20100101 Firefox/128.0', 'Firefox on macOS'],
    ['<b>Chrome</b>', 'an unknown browser'],
    [undefined, 'an unknown browser'],
  ])('%s', (userAgent, name) => {
    expect(browserName(userAgent)).toBe(name)
  })
})

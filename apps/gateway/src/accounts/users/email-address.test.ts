import { describe, expect, test } from 'vitest'
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

import { expect, test } from 'vitest'
import { hasManyOwners, ownedDomain, registeredDomain } from './registrable-domain'

test.each([
  ['a.b.example.com', 'example.com', 'example.com'],
  ['a.example.co.uk', 'example.co.uk', 'example.co.uk'],
  ['example.com.au', 'example.com.au', 'example.com.au'],
  ['a.xn--85x722f.xn--55qx5d.cn', 'xn--85x722f.xn--55qx5d.cn', 'xn--85x722f.xn--55qx5d.cn'],
  ['a.city.kawasaki.jp', 'city.kawasaki.jp', 'city.kawasaki.jp'],
  ['a.user.github.io', 'user.github.io', 'github.io'],
  ['example.uk.com', 'example.uk.com', 'uk.com'],
  ['modal.corp.internal', 'corp.internal', 'corp.internal'],
  ['co.uk', 'co.uk', 'co.uk'],
  ['localhost', 'localhost', 'localhost'],
  ['192.0.2.1', '192.0.2.1', '192.0.2.1'],
])('%s belongs to the owner of %s, registered as %s', (host, owned, registered) => {
  expect(ownedDomain(host)).toBe(owned)
  expect(registeredDomain(host)).toBe(registered)
})

test.each([
  'com',
  'co.uk',
  'com.br',
  'xn--55qx5d.cn',
  'kawasaki.jp',
  'github.io',
  'pages.dev',
  'uk.com',
  'compute.amazonaws.com',
])('names under %s have many owners', (host) => {
  expect(hasManyOwners(host)).toBe(true)
})

test.each(['example.com', 'example.co.uk', 'user.github.io', 'corp.internal', 'city.kawasaki.jp'])(
  'names under %s have one owner',
  (host) => {
    expect(hasManyOwners(host)).toBe(false)
  },
)

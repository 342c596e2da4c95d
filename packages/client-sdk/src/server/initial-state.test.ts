import { describe, expect, test } from 'vitest'
import { emptySnapshot } from '../state/state'
import type { Snapshot } from '../types/index'
import { cookieOf, initialStateFrom } from './initial-state'

const connector = { id: 'io.rabbit', name: 'Rabbit; the wallet', type: 'ANNOUNCED' } as const
const snapshot: Snapshot = {
  ...emptySnapshot,
  activeNetworkId: 'eip155:1',
  connections: {
    eip155: {
      status: 'connected',
      connector,
      accounts: [{ namespace: 'eip155', address: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8', type: 'eoa' }],
      networkId: 'eip155:1',
    },
  },
}
const headerOf = (cookie: string) => `theme=dark; ${cookie.split('; ')[0]}`
const cookieWith = (value: unknown) => `postern.demo=${encodeURIComponent(JSON.stringify(value))}`
const replaced = (at: number, value: string) => row.map((each, index) => (index === at ? value : each))
const row = ['eip155', '0x70997970C51812dc3A010C7d01b50e0d17dc79C8', 'eoa', 'eip155:1', 'w', 'W', 'ANNOUNCED']

describe('the cookie', () => {
  test('carries the connected account to the server, as one that is being restored', () => {
    const cookie = cookieOf('demo', snapshot)
    expect(cookie).toMatch(/^postern\.demo=[^;]+; Path=\/; Max-Age=31536000; SameSite=Lax$/)
    expect(initialStateFrom('demo', headerOf(cookie))).toEqual({
      activeNetworkId: 'eip155:1',
      connections: { eip155: { ...snapshot.connections.eip155, status: 'connecting' } },
    })
  })

  test('is deleted once no account is connected', () => {
    expect(cookieOf('demo', emptySnapshot)).toContain('Max-Age=0')
  })

  test('of another project is not read', () => {
    expect(initialStateFrom('other', headerOf(cookieOf('demo', snapshot)))).toEqual({})
  })

  test.each([
    ['no header', undefined],
    ['no cookie', 'a=b'],
    ['no JSON', 'postern.demo=%7B'],
    ['a broken escape', 'postern.demo=%'],
    ['no list', cookieWith({})],
  ])('%s is a new visitor', (_, header) => {
    expect(initialStateFrom('demo', header)).toEqual({})
  })

  test.each([
    ['a script for an address', replaced(1, '<script>')],
    ['an address of another namespace', replaced(0, 'solana')],
    ['another namespace', replaced(0, '__proto__')],
    ['a network of another namespace', replaced(3, 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp')],
    ['a number', [...row.slice(0, 5), 7, 'ANNOUNCED']],
    ['an endless name', replaced(5, 'x'.repeat(257))],
    ['an unknown type', replaced(6, 'ROOT')],
  ])('%s is left out', (_, tampered) => {
    expect(initialStateFrom('demo', cookieWith(['eip155:1', tampered])).connections).toEqual({})
  })
})

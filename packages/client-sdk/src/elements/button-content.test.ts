import { describe, expect, test } from 'vitest'
import { emptySnapshot } from '../state'
import type { Connection, Snapshot } from '../types'
import { accountContent, connectContent, networkContent } from './button-content'
import { truncate } from './truncate'

const address = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const connection: Connection = {
  status: 'connected',
  connector: { id: 'r', name: 'Rabbit', type: 'ANNOUNCED' },
  accounts: [{ namespace: 'eip155', address, type: 'eoa' }],
  networkId: 'eip155:1',
}
const image = 'data:image/svg+xml,x'
const network = {
  id: 1,
  name: 'Ethereum',
  chainNamespace: 'eip155' as const,
  caipNetworkId: 'eip155:1' as const,
  nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
  rpcUrls: [],
  blockExplorers: [],
  testnet: false,
}
const ready: Snapshot = { ...emptySnapshot, phase: 'ready', networks: [network], activeNetworkId: 'eip155:1' }
const connected: Snapshot = { ...ready, connections: { eip155: connection } }
const restored: Snapshot = { ...ready, connections: { eip155: { ...connection, status: 'connecting' } } }

test('an address shows its first 4 and last 6 characters', () => {
  expect(truncate(address)).toBe('0x70…dc79C8')
  expect(truncate('short')).toBe('short')
})

describe('the connect button', () => {
  test('asks to connect, with the page’s label if set', () => {
    expect(connectContent(emptySnapshot, null, null)).toEqual({ text: 'Connect wallet', kind: 'primary', busy: false })
    expect(connectContent(emptySnapshot, 'Verbinden', null)).toMatchObject({ text: 'Verbinden' })
  })

  test('is busy while the modal loads after a click, but not while it preloads', () => {
    expect(connectContent({ ...emptySnapshot, phase: 'loading', open: true }, null, null)).toMatchObject({
      text: 'Connecting…',
      busy: true,
    })
    expect(connectContent({ ...emptySnapshot, phase: 'loading' }, null, null)).toMatchObject({ busy: false })
  })

  test('shows the connected address, in full for screen readers', () => {
    expect(connectContent(connected, null, null)).toMatchObject({
      text: '0x70…dc79C8',
      name: `Account ${address}`,
      busy: false,
      mark: 'dot',
    })
  })

  test('shows a returning user’s address at once, as connecting', () => {
    expect(connectContent(restored, null, null)).toMatchObject({
      text: '0x70…dc79C8',
      name: `Connecting ${address}`,
      busy: true,
    })
  })
})

test('the account button is hidden while disconnected', () => {
  expect(accountContent(ready, null, null)).toMatchObject({ hidden: true })
  expect(accountContent(connected, null, null)).not.toHaveProperty('hidden')
})

test('shows the active namespace’s connection of several', () => {
  const solana: Connection = {
    ...connection,
    accounts: [{ namespace: 'solana', address: 'So1'.repeat(12), type: 'eoa' }],
    networkId: 'solana:5',
  }
  const both = { eip155: connection, solana }
  expect(accountContent({ ...ready, connections: both }, null, null).text).toBe('0x70…dc79C8')
  expect(accountContent({ ...ready, activeNetworkId: 'solana:5', connections: both }, null, null).text).toBe(
    'So1S…So1So1',
  )
  expect(accountContent({ ...ready, connections: both }, null, 'solana').text).toBe('So1S…So1So1')
  expect(accountContent({ ...ready, connections: both }, null, 'bip122')).toMatchObject({ hidden: true })
})

describe('the network button', () => {
  test('names the active network and opens the list', () => {
    expect(networkContent(ready, null, null)).toEqual({
      text: 'Ethereum',
      name: 'Network: Ethereum',
      kind: 'plain',
      busy: false,
      view: 'Networks',
    })
  })

  test('shows a network image only if it is a data URI', () => {
    const pictured = (imageUrl: string): Snapshot => ({ ...ready, networks: [{ ...network, assets: { imageUrl } }] })
    expect(networkContent(pictured(image), null, null)).toMatchObject({ mark: { imageUrl: image } })
    expect(networkContent(pictured('https://tracker.example/x.png'), null, null)).not.toHaveProperty('mark')
  })

  test('reports a network that the dapp does not support', () => {
    const elsewhere: Connection = { ...connection, networkId: 'eip155:5', unsupported: true }
    expect(networkContent({ ...ready, connections: { eip155: elsewhere } }, null, null)).toMatchObject({
      text: 'Unsupported network',
    })
  })

  test('asks to choose until the networks are known', () => {
    expect(networkContent(emptySnapshot, null, null)).toMatchObject({ text: 'Select network' })
  })
})

import { describe, expect, test } from 'vitest'
import { emptySnapshot } from '../state/state'
import type { Connection, Snapshot } from '../types/index'
import { accountContent, type Button, type ContentOf, connectContent, networkContent, truncate } from './button-content'
import { noExtras } from './contract'

const plain: Button = { label: null, namespace: null, ...noExtras }
const connectButton = show(connectContent)
const accountButton = show(accountContent)
const networkButton = show(networkContent)

function show(contentOf: ContentOf) {
  return (snapshot: Snapshot, button: Partial<Button> = {}) => contentOf(snapshot, { ...plain, ...button })
}

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
    expect(connectButton(emptySnapshot)).toEqual({ text: 'Connect wallet', kind: 'primary', busy: false })
    expect(connectButton(emptySnapshot, { label: 'Verbinden' })).toMatchObject({ text: 'Verbinden' })
  })

  test('is busy while the modal loads after a click, but not while it preloads', () => {
    expect(connectButton({ ...emptySnapshot, phase: 'loading', open: true })).toMatchObject({
      text: 'Connecting…',
      busy: true,
    })
    expect(connectButton({ ...emptySnapshot, phase: 'loading' })).toMatchObject({ busy: false })
  })

  test('shows the connected address, in full for screen readers', () => {
    expect(connectButton(connected)).toMatchObject({
      text: '0x70…dc79C8',
      name: `Account ${address}`,
      busy: false,
      mark: 'dot',
    })
  })

  test('shows a returning user’s address at once, as connecting', () => {
    expect(connectButton(restored)).toMatchObject({
      text: '0x70…dc79C8',
      name: `Connecting… ${address}`,
      busy: true,
    })
  })
})

test('the account button is hidden while disconnected', () => {
  expect(accountButton(ready)).toMatchObject({ hidden: true })
  expect(accountButton(connected)).not.toHaveProperty('hidden')
})

test('shows the active namespace’s connection of several', () => {
  const solana: Connection = {
    ...connection,
    accounts: [{ namespace: 'solana', address: 'So1'.repeat(12), type: 'eoa' }],
    networkId: 'solana:5',
  }
  const both = { eip155: connection, solana }
  expect(accountButton({ ...ready, connections: both }).text).toBe('0x70…dc79C8')
  expect(accountButton({ ...ready, activeNetworkId: 'solana:5', connections: both }).text).toBe('So1S…So1So1')
  expect(accountButton({ ...ready, connections: both }, { namespace: 'solana' }).text).toBe('So1S…So1So1')
  expect(accountButton({ ...ready, connections: both }, { namespace: 'bip122' })).toMatchObject({ hidden: true })
})

describe('the network button', () => {
  test('names the active network and opens the list', () => {
    expect(networkButton(ready)).toEqual({
      text: 'Ethereum',
      name: 'Network: Ethereum',
      kind: 'plain',
      busy: false,
      view: 'Networks',
    })
  })

  test('shows a network image only if it is a data URI', () => {
    const pictured = (imageUrl: string): Snapshot => ({ ...ready, networks: [{ ...network, assets: { imageUrl } }] })
    expect(networkButton(pictured(image))).toMatchObject({ mark: { imageUrl: image } })
    expect(networkButton(pictured('https://tracker.example/x.png'))).not.toHaveProperty('mark')
  })

  test('reports a network that the dapp does not support', () => {
    const elsewhere: Connection = { ...connection, networkId: 'eip155:5', unsupported: true }
    expect(networkButton({ ...ready, connections: { eip155: elsewhere } })).toMatchObject({
      text: 'Unsupported network',
    })
  })

  test('asks to choose until the networks are known', () => {
    expect(networkButton(emptySnapshot)).toMatchObject({ text: 'Select network' })
  })
})

describe('the details of the account', () => {
  const details = { key: `eip155:1:${address}`, name: 'ada.eth', avatar: image, balance: '0.42 ETH' }

  test('replace the address and the dot, and are told to screen readers', () => {
    expect(connectButton(connected, { details })).toMatchObject({
      text: 'ada.eth',
      name: `Account ada.eth ${address} 0.42 ETH`,
      mark: { imageUrl: image },
      balance: '0.42 ETH',
      account: { namespace: 'eip155', address, networkId: 'eip155:1' },
    })
  })

  test('of another account or network are not shown', () => {
    for (const key of ['eip155:1:0x1', `eip155:8453:${address}`])
      expect(connectButton(connected, { details: { ...details, key } })).toMatchObject({
        text: '0x70…dc79C8',
        mark: 'dot',
        balance: undefined,
      })
  })
})

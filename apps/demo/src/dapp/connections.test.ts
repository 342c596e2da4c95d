import type { Connection, Snapshot } from '@postern/client'
import { expect, test } from 'vitest'
import { connectionView, mainAddress, statusLine } from './connections'

const snapshot: Snapshot = {
  phase: 'ready',
  open: false,
  themeMode: 'light',
  networks: [],
  activeNetworkId: null,
  connections: {},
  walletInfo: {},
}
const bitcoin: Connection = {
  status: 'connected',
  connector: { id: 'w', name: 'Wallet', type: 'ANNOUNCED' },
  accounts: [
    { namespace: 'bip122', address: 'bcrt1pordinals', type: 'ordinals' },
    { namespace: 'bip122', address: 'bcrt1qpayment', type: 'payment' },
  ],
  networkId: 'bip122:0f9188f13cb7b2c71f2a335e3a4fc328',
}

test('the main address is the payment address, and null until the wallet is connected', () => {
  const view = connectionView({ ...snapshot, connections: { bip122: bitcoin } }, 'bip122')
  expect(view).toMatchObject({ status: 'connected', wallet: 'Wallet', network: null })
  expect(mainAddress(view)).toBe('bcrt1qpayment')
  expect(mainAddress({ ...view, status: 'reconnecting' })).toBe(null)
  expect(mainAddress(connectionView(snapshot, 'solana'))).toBe(null)
})

test('the status line says that no EVM wallet is connected when another kind of wallet is', () => {
  expect(statusLine(snapshot)).toBe('Not connected')
  expect(statusLine({ ...snapshot, connections: { bip122: bitcoin } })).toBe('No EVM wallet')
  expect(statusLine({ ...snapshot, connections: { eip155: { status: 'connecting' }, bip122: bitcoin } })).toBe(
    'Connecting',
  )
})

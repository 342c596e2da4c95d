import type { Connection, Network } from '@postern/protocol'
import { describe, expect, it, vi } from 'vitest'
import { createSnapshotStore } from '../snapshot/store'
import { createNetworkSwitch } from './switch-network'

const base: Network = {
  id: 8453,
  caipNetworkId: 'eip155:8453',
  chainNamespace: 'eip155',
  name: 'Base',
  nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
  rpcUrls: [],
  blockExplorers: [],
  testnet: false,
}
const connected = (networkId: 'eip155:1' | 'eip155:8453' | 'eip155:10'): Connection => ({
  status: 'connected',
  connector: { id: 'w', name: 'Lantern', type: 'ANNOUNCED' },
  accounts: [{ namespace: 'eip155', address: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266', type: 'eoa' }],
  networkId,
})

function setUp() {
  const store = createSnapshotStore({ themeMode: 'light', locale: 'en', walletCount: 0, isTopLevel: false })
  const setActive = vi.fn()
  const wallet = { connection: connected('eip155:1'), answer: () => {} }
  const sessions = {
    connection: () => wallet.connection,
    switchNetwork: () =>
      new Promise<void>((resolve) => {
        wallet.answer = resolve
      }),
  }
  const networkSwitch = createNetworkSwitch({ store, sessions, setActive, onForeign: () => undefined })
  return { setActive, wallet, networkSwitch, store }
}

describe('createNetworkSwitch', () => {
  it('1. activates the network once its wallet is on it', async () => {
    const { setActive, wallet, networkSwitch, store } = setUp()
    const switching = networkSwitch.to(base)
    wallet.connection = connected('eip155:8453')
    wallet.answer()
    await switching
    expect(setActive).toHaveBeenCalledExactlyOnceWith('eip155:8453')
    expect(store.getState().switchAttempt).toBeNull()
  })

  it.each([
    ['is gone', { status: 'disconnected' }],
    ['has moved on', connected('eip155:10')],
  ] as const)('1. keeps the active network if the wallet %s by the time of its response', async (_name, then) => {
    const { setActive, wallet, networkSwitch } = setUp()
    const switching = networkSwitch.to(base)
    wallet.connection = then
    wallet.answer()
    await switching
    expect(setActive).not.toHaveBeenCalled()
  })
})

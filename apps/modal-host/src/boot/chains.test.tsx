// @vitest-environment happy-dom
import { setImmediate } from 'node:timers/promises'
import type { Connection, Network } from '@postern/protocol'
import { act } from 'react'
import { describe, expect, it, vi } from 'vitest'
import type { HostSnapshot, WalletRow } from '../snapshot/contract'
import { address, arrival, button, connected, dialog, ethereum, mount, press, text, title } from './testing/mount-app'

const solana: Network = {
  ...ethereum,
  id: 'S',
  name: 'Solana',
  chainNamespace: 'solana',
  caipNetworkId: 'solana:S',
  blockExplorers: [{ name: 'Solscan', url: 'https://solscan.example' }],
}
const bitcoin: Network = {
  ...ethereum,
  id: 'B',
  name: 'Bitcoin',
  chainNamespace: 'bip122',
  caipNetworkId: 'bip122:B',
  blockExplorers: [{ name: 'Mempool', url: 'https://mempool.example' }],
}
const solanaAddress = '7xKXtg2CW87d97TXJSDpbD5jBkheTqA83TZRuJosgAsU'
const payments = 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq'
const ordinals = 'bc1p5cyxnuxmeuwuvkwfem96lqzszd02n6xdcjrs20cac6yqjjwudpxqkedrcr'
const compassConnector = { id: 'example.compass', name: 'Compass', type: 'MULTI_CHAIN' } as const
const onSolana: Connection = {
  status: 'connected',
  connector: compassConnector,
  accounts: [{ namespace: 'solana', address: solanaAddress, type: 'eoa' }],
  networkId: 'solana:S',
}
const onBitcoin: Connection = {
  status: 'connected',
  connector: compassConnector,
  accounts: [
    { namespace: 'bip122', address: ordinals, type: 'ordinals' },
    { namespace: 'bip122', address: payments, type: 'payment' },
  ],
  networkId: 'bip122:B',
}
const three: Partial<HostSnapshot> = {
  networks: [ethereum, solana, bitcoin],
  namespaces: ['eip155', 'solana', 'bip122'],
  connections: { eip155: connected, solana: onSolana, bip122: onBitcoin },
}
const compass: WalletRow = {
  id: 'example.compass',
  name: 'Compass',
  group: 'injected',
  connectors: [
    { connectorId: '1', namespace: 'eip155' },
    { connectorId: '2', namespace: 'solana' },
  ],
}

describe('a wallet with several chains', () => {
  it('asks for a chain and connects it', async () => {
    const { open, actions } = await mount({ ...three, connections: { solana: onSolana }, wallets: [compass] })
    await open()
    await press('Compass')
    expect(actions.connect).toHaveBeenLastCalledWith(compass)
    expect(text()).toContain('Choose a network')
    expect(button('Solana').textContent).toContain('Connected')
    await act(async () => button('Ethereum & EVM').focus())
    await press('Ethereum & EVM')
    expect(actions.connect).toHaveBeenLastCalledWith(compass, 'eip155')
    expect(text()).toContain('Continue in Compass')
    expect(dialog().contains(document.activeElement)).toBe(true)
  })
})

describe('Connect for a single chain', () => {
  it('names the chain, and links to all wallets', async () => {
    const { open, actions } = await mount({ ...three, connections: {}, wantedNamespace: 'solana' })
    await open()
    expect(title()).toBe('Solana wallets')
    await press('Show all wallets')
    expect(actions.want).toHaveBeenCalledExactlyOnceWith(null)
    expect(title()).toBe('Connect')
  })

  it('hides that link if the dapp has a single chain', async () => {
    const { open } = await mount({ wantedNamespace: 'eip155' })
    await open()
    expect(text()).not.toContain('Show all wallets')
  })
})

describe('Account with several chains', () => {
  it('shows the active account, and switches to the others', async () => {
    const { open, store, actions } = await mount(three)
    await open('Account')
    expect(text()).toContain(`Address ${address}`)
    actions.activate.mockImplementation(() => store.setState({ activeNetworkId: 'solana:S' }))
    await act(async () => button('Solana').focus())
    await press('Solana')
    expect(actions.activate).toHaveBeenCalledExactlyOnceWith('solana')
    expect(button('View on Solscan').getAttribute('href')).toBe(`https://solscan.example/account/${solanaAddress}`)
    expect(text()).toContain(`Switched to ${solanaAddress}`)
    expect(dialog().contains(document.activeElement)).toBe(true)
  })

  it('lists the other EVM accounts of the wallet, and switches to one', async () => {
    const second = { namespace: 'eip155', address: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8', type: 'eoa' } as const
    const both = { ...connected, accounts: [...connected.accounts, second] }
    const { open, actions } = await mount({ connections: { eip155: both } })
    await open('Account')
    const row = [...document.querySelectorAll('button')].find((one) => one.textContent?.includes(second.address))
    await act(async () => row?.click())
    expect(actions.chooseAccount).toHaveBeenCalledExactlyOnceWith(second.address)
  })

  it('shows both addresses of a Bitcoin wallet with their purposes, and copies each', async () => {
    const written = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue()
    const { open } = await mount({ ...three, activeNetworkId: 'bip122:B' })
    await open('Account')
    expect(button('View on Mempool').getAttribute('href')).toBe(`https://mempool.example/address/${payments}`)
    await press('Payments')
    await press('Ordinals')
    expect(written.mock.calls).toEqual([[payments], [ordinals]])
  })

  it('offers to connect a missing chain, and Back clears the chain filter', async () => {
    const { open, actions } = await mount({ ...three, connections: { eip155: connected } })
    await open('Account')
    await press('Connect a Bitcoin wallet')
    expect(actions.want).toHaveBeenLastCalledWith('bip122')
    expect(title()).toBe('Bitcoin wallets')
    await press('Back')
    expect(actions.want).toHaveBeenLastCalledWith(null)
    expect(title()).toBe('Account')
  })

  it('disconnects one chain or all after a confirmation', async () => {
    const { open, actions } = await mount(three)
    actions.disconnect.mockImplementation(async () => undefined)
    await open('Account')
    await press('Disconnect')
    expect(actions.disconnect).not.toHaveBeenCalled()
    expect(document.activeElement?.textContent).toBe('Stay connected')
    await press('Only Ethereum')
    await press('Disconnect')
    await press('Disconnect all')
    expect(actions.disconnect.mock.calls).toEqual([['eip155'], [undefined]])
  })
})

describe('SwitchActiveChain', () => {
  const chosen = { ...three, connections: { eip155: connected }, activeNetworkId: 'solana:S' } as const

  it('explains the missing wallet, and links to wallets that support the chain', async () => {
    const { open, actions } = await mount(chosen)
    await open('SwitchActiveChain')
    expect(text()).toContain('Connect a Solana wallet')
    expect(text()).toContain('Lantern stays connected')
    await press('Connect a Solana wallet')
    expect(actions.want).toHaveBeenCalledExactlyOnceWith('solana')
    expect(title()).toBe('Solana wallets')
  })

  it('links back to a connected chain', async () => {
    const { open, actions } = await mount(chosen)
    await open('SwitchActiveChain')
    await press('Stay on Ethereum')
    expect(actions.activate).toHaveBeenCalledExactlyOnceWith('eip155')
    expect(title()).toBe('Account')
  })

  it('closes when a wallet of that chain connects', async () => {
    const { open, set } = await mount(chosen)
    await open('SwitchActiveChain')
    await set({ connections: { eip155: connected, solana: onSolana } })
    expect(title()).toBe('Account')
    expect(text()).toContain(`Address ${solanaAddress}`)
  })
})

describe('Networks with several chains', () => {
  it('groups the networks by chain', async () => {
    const { open } = await mount(three)
    await open('Account')
    await press('Network')
    expect(title()).toBe('Choose network')
    expect([...dialog().querySelectorAll('h2')].map((heading) => heading.textContent)).toEqual([
      'Ethereum & EVM',
      'Solana',
      'Bitcoin',
    ])
    expect([...dialog().querySelectorAll('ul')].map((list) => list.getAttribute('aria-label'))).toEqual([
      'Ethereum & EVM',
      'Solana',
      'Bitcoin',
    ])
  })
})

describe('a network whose chain has no connected wallet', () => {
  it('goes to SwitchActiveChain and stays there', async () => {
    const { open, store, actions } = await mount({ ...three, connections: { eip155: connected } })
    actions.switchNetwork.mockImplementation(async () => {
      store.setState({ activeNetworkId: 'solana:S', opening: { key: 2, view: 'SwitchActiveChain' } })
    })
    await open('Account')
    await press('Network')
    await press('Solana')
    await arrival(() => expect(text()).toContain('Connect a Solana wallet'))
    await act(async () => setImmediate())
    expect(text()).toContain('Connect a Solana wallet')
    expect(actions.close).not.toHaveBeenCalled()
  })
})

describe('UnsupportedChain with other chains', () => {
  it('offers its chain’s networks, the other accounts, and disconnecting this wallet only', async () => {
    const elsewhere: Connection = { ...connected, networkId: 'eip155:61', unsupported: true }
    const { open, store, actions } = await mount({ ...three, connections: { eip155: elsewhere, solana: onSolana } })
    actions.disconnect.mockImplementation(async () => undefined)
    await open('UnsupportedChain')
    expect([...dialog().querySelectorAll('ul[aria-label="Choose network"] button')]).toHaveLength(1)
    await press('Disconnect')
    expect(actions.disconnect).toHaveBeenCalledExactlyOnceWith('eip155')
    actions.activate.mockImplementation(() => store.setState({ activeNetworkId: 'solana:S' }))
    await press('Solana')
    expect(title()).toBe('Account')
  })
})

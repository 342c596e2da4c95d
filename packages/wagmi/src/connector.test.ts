// @vitest-environment jsdom
import { createPostern } from '@postern/client'
import { createConfig, getAccount, reconnect } from '@wagmi/core'
import { http } from 'viem'
import { base, mainnet } from 'viem/chains'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { postern } from './index'

const options = { projectId: 'wagmi', host: 'https://modal.example' }
const stateKey = '@postern/wagmi/state'
const address = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const connected = {
  status: 'connected',
  connector: { id: 'w', name: 'Rabbit', type: 'ANNOUNCED' },
  accounts: [{ namespace: 'eip155', address, type: 'eoa' }],
  networkId: 'eip155:1',
}
const stored = (eip155: object) =>
  JSON.stringify({ themeMode: 'light', networks: [], activeNetworkId: 'eip155:1', connections: { eip155 } })

const configWith = (connector = postern(options)) =>
  createConfig({
    chains: [mainnet, base],
    transports: { [mainnet.id]: http(), [base.id]: http() },
    connectors: [connector],
    storage: null,
  })

afterEach(async () => {
  // The page's instance.
  createPostern({ announce: false, ...options, networks: [mainnet, base] }).destroy()
  // Instances load the modal's code, which must not outlive the test.
  await vi.dynamicImportSettled()
  localStorage.clear()
})

describe('the connector', () => {
  test('is one row: the instance does not announce itself', async () => {
    const config = configWith()
    await config.connectors[0]?.getProvider()
    expect(config.connectors.map(({ id, name, type }) => ({ id, name, type }))).toEqual([
      { id: 'postern', name: 'Postern', type: 'postern' },
    ])
  })

  test('has the page’s instance, with the chains of the config', async () => {
    const [connector] = configWith().connectors
    expect(await connector?.getProvider()).toBe(
      createPostern({ announce: false, ...options, networks: [mainnet, base] }).eip155,
    )
  })

  test('of a new visitor is not authorized, and does not reconnect', async () => {
    const config = configWith()
    expect(await config.connectors[0]?.isAuthorized()).toBe(false)
    expect(await reconnect(config)).toEqual([])
    expect(getAccount(config).status).toBe('disconnected')
  })

  test('waits for an earlier connection, and is not authorized once that is gone', async () => {
    localStorage.setItem(stateKey, stored(connected))
    const [connector] = configWith().connectors
    let isKnown = false
    const authorized = connector?.isAuthorized().finally(() => {
      isKnown = true
    })
    await connector?.getProvider()
    expect(isKnown).toBe(false)
    const instance = createPostern({ announce: false, ...options, networks: [mainnet, base] })
    expect(instance.getSnapshot().connections.eip155?.status).toBe('connecting')
    instance.destroy()
    expect(await authorized).toBe(false)
  })

  test('names a chain that wagmi does not have', async () => {
    const [connector] = configWith().connectors
    await expect(connector?.switchChain?.({ chainId: 10 })).rejects.toThrow('Chain 10')
  })
})

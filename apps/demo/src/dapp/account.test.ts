import type { Snapshot } from '@postern/client'
import { expect, test } from 'vitest'
import { accountView, shortAddress, shortAmount } from './account'

const snapshot: Snapshot = {
  phase: 'ready',
  open: false,
  themeMode: 'light',
  networks: [],
  activeNetworkId: 'eip155:31337',
  connections: {},
  walletInfo: {},
}
const address = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266' as const

test('a disconnected account shows only the active network', () => {
  expect(accountView(snapshot)).toMatchObject({ status: 'disconnected', address: null, networkId: 'eip155:31337' })
})

test('a returning visitor’s address shows while connecting', () => {
  const accounts = [{ namespace: 'eip155' as const, address, type: 'eoa' as const }]
  const connections = { eip155: { status: 'connecting' as const, accounts, networkId: 'eip155:31338' as const } }
  expect(accountView({ ...snapshot, connections })).toMatchObject({
    status: 'connecting',
    address,
    networkId: 'eip155:31338',
  })
})

test('shortens addresses and rounds amounts down', () => {
  expect(shortAddress(address)).toBe('0xf39F…b92266')
  expect(shortAmount(1_999_999_999_999_999_999n, 18)).toBe('1.999')
  expect(shortAmount(10_000n * 10n ** 18n, 18)).toBe('10,000')
  expect(shortAmount(0n, 18)).toBe('0')
})

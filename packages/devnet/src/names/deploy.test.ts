import { createPublicClient, http, toCoinType } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { devnetChain } from '../account-abstraction/deploy'
import { freePorts } from '../http/free-ports'
import { devnetAccounts, ensContracts } from '../networks'
import { type Devnet, startDevnet } from '../start-devnet'
import { aliceAvatar, registerName } from './deploy'

const ports = await freePorts('evm', 'evmTwo', 'names')
const rpcUrl = `http://127.0.0.1:${ports.evm}`
const node = createPublicClient({ chain: devnetChain(rpcUrl, 31337), transport: http(rpcUrl) })
const { universalResolver: universalResolverAddress } = ensContracts
const account = (index: number) => devnetAccounts[index]?.address ?? '0x'
let devnet: Devnet
beforeAll(async () => {
  devnet = await startDevnet({ ports })
})
afterAll(() => devnet.stop())

test('the first accounts have names that resolve in both directions', async () => {
  for (const [name, address] of [
    ['alice.eth', account(0)],
    ['bob.eth', account(1)],
  ] as const) {
    expect(await node.getEnsAddress({ name, universalResolverAddress })).toBe(address)
    expect(await node.getEnsName({ address, universalResolverAddress })).toBe(name)
    expect(await node.getEnsResolver({ name, universalResolverAddress }).catch(() => null)).toBe(null)
  }
  expect(await node.getEnsText({ name: 'alice.eth', key: 'avatar', universalResolverAddress })).toBe(aliceAvatar)
  expect(await node.getEnsText({ name: 'bob.eth', key: 'avatar', universalResolverAddress })).toBe(null)
})

test('unregistered names and addresses resolve to nothing', async () => {
  expect(await node.getEnsAddress({ name: 'unregistered.eth', universalResolverAddress })).toBe(null)
  expect(await node.getEnsAddress({ name: 'alice.example.com', universalResolverAddress })).toBe(null)
  expect(await node.getEnsName({ address: account(2), universalResolverAddress })).toBe(null)
})

test('claiming another account’s name is detected', async () => {
  await registerName(rpcUrl, { label: 'mallory', owner: account(3), primary: 'alice.eth' })
  expect(await node.getEnsAddress({ name: 'mallory.eth', universalResolverAddress })).toBe(account(3))
  await expect(node.getEnsName({ address: account(3), universalResolverAddress, strict: true })).rejects.toThrow(
    /ReverseAddressMismatch/,
  )
})

test('a name of one chain resolves there in both directions, and nowhere else', async () => {
  const name = 'erin.eth'
  const coinType = toCoinType(8453)
  await registerName(rpcUrl, { label: 'erin', owner: account(5), primary: name, onChain: 8453 })
  expect(await node.getEnsAddress({ name, coinType, universalResolverAddress })).toBe(account(5).toLowerCase())
  expect(await node.getEnsName({ address: account(5), coinType, universalResolverAddress })).toBe(name)
  expect(await node.getEnsAddress({ name, universalResolverAddress })).toBe(null)
  for (const other of [60n, toCoinType(10)])
    expect(await node.getEnsName({ address: account(5), coinType: other, universalResolverAddress })).toBe(null)
})

test('names below offchain.eth come from its server, and forged answers are rejected', async () => {
  const fault = (kind: string) =>
    fetch(`http://127.0.0.1:${ports.names}/devnet/fault`, { method: 'POST', body: JSON.stringify({ kind }) })
  const carol = () => node.getEnsAddress({ name: 'carol.offchain.eth', universalResolverAddress, strict: true })
  expect(await carol()).toBe(account(2))
  expect(await node.getEnsAddress({ name: 'dave.offchain.eth', universalResolverAddress })).toBe(account(3))
  expect(await node.getEnsAddress({ name: 'unregistered.offchain.eth', universalResolverAddress })).toBe(null)
  expect(await node.getEnsText({ name: 'carol.offchain.eth', key: 'avatar', universalResolverAddress })).toBe(null)
  for (const kind of ['down', 'forged']) {
    await fault(kind)
    await expect(carol()).rejects.toThrow()
  }
  await fault('none')
  await registerName(rpcUrl, { label: 'carol', owner: account(2), primary: 'carol.offchain.eth' })
  expect(await node.getEnsName({ address: account(2), universalResolverAddress })).toBe('carol.offchain.eth')
  await registerName(rpcUrl, { label: 'mallory', owner: account(4), primary: 'carol.offchain.eth' })
  expect(await node.getEnsName({ address: account(4), universalResolverAddress })).toBe(null)
})

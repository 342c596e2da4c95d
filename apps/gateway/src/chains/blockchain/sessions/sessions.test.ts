import { blockchainAnswers as answers, ErrorBody } from '@postern/protocol'
import { type Address, encodeFunctionData, getAddress, maxUint48, numberToHex, parseAbi } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type BlockchainTest, deadNetwork, startBlockchain } from '../../../testing/blockchain'
import { accountAt, devnetContracts, freePorts, nodeAt, devnetSolanaId as solanaId } from '../../../testing/devnet'
import { permit2, readContext, writeContext } from './permit2'

const ports = await freePorts('evm', 'evmTwo', 'bundler')
const first = 'eip155:31337'
const node = nodeAt(ports.evm)
const { dollar, gem } = devnetContracts
const abi = parseAbi([
  'function approve(address token, address spender, uint160 amount, uint48 expiration)',
  'function lockdown((address token, address spender)[] approvals)',
  'function transferFrom(address from, address to, uint160 amount, address token)',
])
const tokenAbi = parseAbi(['function approve(address spender, uint256 amount) returns (bool)'])
const [owner, spender, other] = [accountAt(0), accountAt(5), accountAt(6)]
/** Time of the newest block, in seconds. */
const blockTime = async () => Number((await node.client.getBlock()).timestamp)

let chains: BlockchainTest
beforeAll(async () => {
  chains = await startBlockchain(ports)
})
afterAll(() => chains.stop())

async function send(account: typeof owner, to: Address, data: `0x${string}`): Promise<void> {
  expect((await node.send(account, { to, data })).status).toBe('success')
}
const approve = (token: Address, amount: bigint, expiration: number, to = spender.address) =>
  send(owner, permit2, encodeFunctionData({ abi, functionName: 'approve', args: [token, to, amount, expiration] }))
const lockdown = (...tokens: Address[]) => {
  const approvals = tokens.map((token) => ({ token, spender: spender.address }))
  return send(owner, permit2, encodeFunctionData({ abi, functionName: 'lockdown', args: [approvals] }))
}
const sessionsOf = async (account: string) => (await chains.get(`/v1/sessions/${account}`, answers.smartSessions)).pcis
const own = () => sessionsOf(`${first}:${owner.address}`)
const revoke = async (pci: string, signature: string, address: string = owner.address) => {
  const response = await chains.post(`/v1/sessions/${address}/revoke`, { pci, signature })
  const body: unknown = await response.json()
  if (!response.ok) expect(ErrorBody.safeParse(body).success).toBe(true)
  return response.status
}

test('1 returns a permission from its grant to its end, as the chain has it', async () => {
  expect(await own()).toEqual([])
  const expiry = (await blockTime()) + 3_600
  await approve(dollar, 5_000_000n, expiry)
  const [granted, ...rest] = await own()
  expect(rest).toEqual([])
  expect(granted).toMatchObject({
    pci: writeContext({ chainId: 31_337n, spender: spender.address, tokens: [dollar] }),
    expirationTimestamp: expiry * 1_000,
    permissions: [
      { type: 'erc20-token-transfer', data: { address: dollar, allowance: '5000000', remaining: '5000000' } },
    ],
  })
  expect(granted?.revokedAt).toBeUndefined()
  expect(granted?.createdAt).toBe((await blockTime()) * 1_000)

  await send(owner, dollar, encodeFunctionData({ abi: tokenAbi, functionName: 'approve', args: [permit2, 5_000_000n] }))
  const args = [owner.address, spender.address, 2_000_000n, dollar] as const
  await send(spender, permit2, encodeFunctionData({ abi, functionName: 'transferFrom', args }))
  expect((await own())[0]?.permissions[0]?.data).toMatchObject({ allowance: '5000000', remaining: '3000000' })

  await approve(dollar, 7_000_000n, expiry)
  expect((await own()).map(({ permissions }) => permissions[0]?.data.allowance)).toEqual(['7000000'])

  await lockdown(dollar)
  const [revoked] = await own()
  expect(revoked?.permissions[0]?.data.remaining).toBe('0')
  expect(revoked?.revokedAt).toBe((await blockTime()) * 1_000)

  await approve(gem, 1n, Number(maxUint48))
  const sessions = await own()
  expect(sessions).toHaveLength(2)
  const endless = sessions.find(({ permissions }) => permissions[0]?.data.address === gem)
  expect(endless?.revokedAt).toBeUndefined()
  expect(new Date(endless?.expirationTimestamp ?? Number.NaN).getTime()).toBe(8_640_000_000_000_000)
})

test('1 is empty for other accounts and networks, and rejects invalid addresses', async () => {
  expect(await sessionsOf(`${first}:${other.address}`)).toEqual([])
  expect(await sessionsOf(`eip155:31338:${owner.address}`)).toEqual([])
  expect(await sessionsOf(`eip155:999999:${owner.address}`)).toEqual([])
  expect(await sessionsOf(`${solanaId}:oeYf6KAJkLYhBuR8CiGc6L4D4Xtfepr85fuDgA9kq96`)).toEqual([])
  const plain = await chains.app.get(`/v1/sessions/${owner.address}?projectId=demo`)
  expect(plain.status).toBe(400)
  expect(await plain.json()).toMatchObject({ reasons: [{ name: 'address', description: 'Invalid CAIP Address' }] })
  expect(await chains.status(`/v1/sessions/${deadNetwork}:${owner.address}`)).toBe(502)
})

test('2 confirms a revocation on the chain, only for the owner', async () => {
  await approve(dollar, 1n, (await blockTime()) + 3_600)
  const pci = writeContext({ chainId: 31_337n, spender: spender.address, tokens: [dollar] })
  const signature = await owner.signMessage({ message: `Revoke ${pci}` })
  expect(await revoke(pci, signature)).toBe(409)
  await lockdown(dollar)
  expect(await revoke(pci, signature)).toBe(200)
  expect(await revoke(pci, await other.signMessage({ message: `Revoke ${pci}` }))).toBe(403)
  expect(await revoke(pci, await owner.signMessage({ message: 'Revoke' }))).toBe(403)
  expect(await revoke(pci, signature, other.address)).toBe(403)
  expect(await revoke(pci, '0x')).toBe(403)
  expect(await revoke('0x1234', signature)).toBe(404)
  expect(await revoke('nonsense', signature)).toBe(404)
  expect(await revoke(pci, 'nonsense')).toBe(400)
})

test('2 confirms a revocation of a permission for many tokens', async () => {
  const tokens = Array.from({ length: 17 }, (_, index) => getAddress(numberToHex(index + 1, { size: 20 })))
  const pci = writeContext({ chainId: 31_337n, spender: spender.address, tokens })
  expect(await revoke(pci, await owner.signMessage({ message: `Revoke ${pci}` }))).toBe(200)
})

test('decodes a context that was encoded, and rejects any other', () => {
  const context = { chainId: 31_337n, spender: spender.address, tokens: [dollar, gem] }
  expect(readContext(writeContext(context))).toEqual(context)
  const encoded = writeContext(context)
  for (const wrong of ['0x', '0x70737037', `${encoded}00`, encoded.replace('0x7073', '0x0000')] as const) {
    expect(readContext(`0x${wrong.slice(2)}`)).toBeNull()
  }
})

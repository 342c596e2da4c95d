import { toSafeSmartAccount } from 'permissionless/accounts'
import {
  type Address,
  createPublicClient,
  createTestClient,
  encodeFunctionData,
  http,
  parseEther,
  parseUnits,
  toHex,
} from 'viem'
import { createBundlerClient, createPaymasterClient, entryPoint07Address } from 'viem/account-abstraction'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import * as z from 'zod'
import { devnetToken } from '../evm/contracts.gen'
import { freePorts } from '../http/free-ports'
import { devnetContracts } from '../networks'
import { type Devnet, startDevnet } from '../start-devnet'
import { deployments, senderCreator } from './addresses'
import { devnetChain } from './deploy'

const ports = await freePorts('evm', 'evmTwo', 'bundler')
const rpcUrl = `http://127.0.0.1:${ports.evm}`
const base = `http://127.0.0.1:${ports.bundler}`
const chain = devnetChain(rpcUrl, 31_337)
const client = createPublicClient({ chain, transport: http(rpcUrl), pollingInterval: 20 })
const tests = createTestClient({ mode: 'anvil', chain, transport: http(rpcUrl) })
const paymaster = createPaymasterClient({ transport: http(`${base}/paymaster/31337`) })
const reader: Address = '0x00000000000000000000000000000000000ada00'

const setBundler = (mode: string) => fetch(`${base}/devnet/bundler`, { method: 'POST', body: JSON.stringify({ mode }) })
const setPaymaster = (on: boolean) =>
  fetch(`${base}/devnet/paymaster`, { method: 'POST', body: JSON.stringify({ on }) })

const Sent = z.object({ result: z.string() })

async function rpc(method: string, params: readonly unknown[], path = '/31337'): Promise<unknown> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 7, method, params })
  return (await fetch(`${base}${path}`, { method: 'POST', body })).json()
}

/** A Safe that is not deployed yet. */
async function setUpSafe({ ether = '0' }: { ether?: string } = {}) {
  const account = await toSafeSmartAccount({
    client,
    owners: [privateKeyToAccount(generatePrivateKey())],
    version: '1.4.1',
    entryPoint: { address: entryPoint07Address, version: '0.7' },
    saltNonce: 0n,
  })
  await tests.setBalance({ address: account.address, value: parseEther(ether) })
  const bundler = createBundlerClient({ account, client, chain, transport: http(`${base}/31337`), pollingInterval: 20 })
  return { account, bundler }
}

describe('startAccountAbstraction', () => {
  let devnet: Devnet
  beforeAll(async () => {
    devnet = await startDevnet({ ports })
  })
  afterAll(() => devnet.stop())
  afterEach(async () => {
    await setBundler('on')
    await setPaymaster(true)
  })

  test.each(['evm', 'evmTwo'] as const)('3. the contracts are at their canonical addresses on %s', async (key) => {
    const port = ports[key]
    const node = createPublicClient({ transport: http(`http://127.0.0.1:${port}`) })
    const addresses: Address[] = [...deployments().map(({ address }) => address), senderCreator]
    for (const address of addresses) expect(await node.getCode({ address }), address).toBeDefined()
  })

  test('a Safe is deployed by its first operation and pays for it', async () => {
    const { account, bundler } = await setUpSafe({ ether: '1' })
    expect(await account.isDeployed()).toBe(false)
    const hash = await bundler.sendUserOperation({ calls: [{ to: reader, value: 1_000n }] })
    const { success, actualGasUsed, receipt, sender } = await bundler.waitForUserOperationReceipt({ hash })
    expect({ success, sender }).toEqual({ success: true, sender: account.address })
    expect(await client.getCode({ address: account.address })).toBeDefined()
    expect(await client.getBalance({ address: reader })).toBe(1_000n)
    // The account pays, not the bundler.
    expect(actualGasUsed).toBeGreaterThanOrEqual(receipt.gasUsed)
  })

  test('an estimate suffices even if the account has a deposit at the entry point', async () => {
    const { account, bundler } = await setUpSafe({ ether: '1' })
    const calls = [{ to: reader, value: 1n }]
    for (const key of [0n, 1n, 2n, 3n]) {
      const hash = await bundler.sendUserOperation({ calls, nonce: await account.getNonce({ key }) })
      expect((await bundler.waitForUserOperationReceipt({ hash })).success).toBe(true)
    }
  })

  test('a Safe without funds is deployed and acts if the paymaster pays', async () => {
    const { account, bundler } = await setUpSafe()
    const mint = encodeFunctionData({
      abi: devnetToken.abi,
      functionName: 'mint',
      args: [account.address, parseUnits('5', 6)],
    })
    const approve = encodeFunctionData({ abi: devnetToken.abi, functionName: 'approve', args: [reader, 7n] })
    const to = devnetContracts.dollar
    const calls = [
      { to, data: mint },
      { to, data: approve },
    ]
    const hash = await bundler.sendUserOperation({ calls, paymaster })
    const receipt = await bundler.waitForUserOperationReceipt({ hash })
    expect(receipt.success).toBe(true)
    // The token's two events only.
    expect(receipt.logs.filter(({ address }) => address.toLowerCase() === to.toLowerCase())).toHaveLength(2)
    expect(await client.getBalance({ address: account.address })).toBe(0n)
    const balance = { abi: devnetToken.abi, address: to, functionName: 'balanceOf', args: [account.address] } as const
    expect(await client.readContract(balance)).toBe(parseUnits('5', 6))

    // The Safe is now deployed.
    const again = await bundler.sendUserOperation({ calls: [{ to: reader, data: '0x' }], paymaster })
    expect((await bundler.waitForUserOperationReceipt({ hash: again })).success).toBe(true)
  })

  test('an operation can be found by its hash, pending and included', async () => {
    const { bundler } = await setUpSafe({ ether: '1' })
    await setBundler('hold')
    const hash = await bundler.sendUserOperation({ calls: [{ to: reader }] })
    expect(await rpc('eth_getUserOperationByHash', [hash])).toMatchObject({ result: { transactionHash: null } })
    expect(await rpc('eth_getUserOperationReceipt', [hash])).toEqual({ jsonrpc: '2.0', id: 7, result: null })
    await setBundler('on')
    const { receipt } = await bundler.waitForUserOperationReceipt({ hash })
    expect((await bundler.getUserOperation({ hash })).transactionHash).toBe(receipt.transactionHash)
  })

  test('two Safes share a bundle, and each gets its own receipt', async () => {
    const [one, two] = [await setUpSafe({ ether: '1' }), await setUpSafe({ ether: '1' })]
    await setBundler('hold')
    const hashes = [
      await one.bundler.sendUserOperation({ calls: [{ to: reader }] }),
      await two.bundler.sendUserOperation({ calls: [{ to: reader }] }),
    ]
    await setBundler('on')
    const [first, second] = await Promise.all(hashes.map((hash) => one.bundler.waitForUserOperationReceipt({ hash })))
    expect(first?.receipt.transactionHash).toBe(second?.receipt.transactionHash)
    expect([first?.sender, second?.sender]).toEqual([one.account.address, two.account.address])
  })

  describe('rejects', () => {
    test('an account that cannot pay: -32500, with the entry point’s reason', async () => {
      const { account, bundler } = await setUpSafe()
      const gas = { callGasLimit: 200_000n, verificationGasLimit: 900_000n, preVerificationGas: 200_000n }
      const prepared = await bundler.prepareUserOperation({ calls: [{ to: reader }], ...gas })
      const signature = await account.signUserOperation(prepared)
      expect(
        await rpc('eth_sendUserOperation', [rpcOf({ ...prepared, signature }), entryPoint07Address]),
      ).toMatchObject({
        error: { code: -32500, message: "AA21 didn't pay prefund" },
      })
    })

    test('another account’s signature: -32507', async () => {
      const { account, bundler } = await setUpSafe({ ether: '1' })
      const other = await setUpSafe()
      const prepared = await bundler.prepareUserOperation({ calls: [{ to: reader }] })
      const signature = await other.account.signUserOperation(prepared)
      expect(
        await rpc('eth_sendUserOperation', [rpcOf({ ...prepared, signature }), entryPoint07Address]),
      ).toMatchObject({
        error: { code: -32507, message: 'AA24 signature error' },
      })
      expect(await client.getCode({ address: account.address })).toBeUndefined()
    })

    test('an operation the paymaster did not sign: -32507 for the paymaster', async () => {
      const { account, bundler } = await setUpSafe()
      const prepared = await bundler.prepareUserOperation({ calls: [{ to: reader }], paymaster })
      const more = { ...prepared, callGasLimit: prepared.callGasLimit + 1n }
      const signature = await account.signUserOperation(more)
      expect(await rpc('eth_sendUserOperation', [rpcOf({ ...more, signature }), entryPoint07Address])).toMatchObject({
        error: { code: -32507, message: 'AA34 signature error' },
      })
    })

    test('an estimate of a call that reverts: -32521', async () => {
      const { bundler } = await setUpSafe()
      const data = encodeFunctionData({ abi: devnetToken.abi, functionName: 'transfer', args: [reader, 1n] })
      await expect(bundler.prepareUserOperation({ calls: [{ to: devnetContracts.gem, data }] })).rejects.toThrow(
        /execution reverted/i,
      )
    })

    test('another entry point, an invalid operation, an unknown method', async () => {
      const code = (value: number) => ({ error: { code: value } })
      expect(await rpc('eth_estimateUserOperationGas', [{}, entryPoint07Address])).toMatchObject(code(-32602))
      expect(await rpc('eth_sendUserOperation', [{}, '0x5FF137D4b0FDCD49DcA30c7CF57E578a026d2789'])).toMatchObject(
        code(-32602),
      )
      expect(await rpc('eth_accounts', [])).toMatchObject(code(-32601))
      expect(await rpc('constructor', [])).toMatchObject(code(-32601))
    })
  })

  test('a second operation with the same nonce replaces the first only if it pays more', async () => {
    const { account, bundler } = await setUpSafe({ ether: '1' })
    await setBundler('hold')
    const prepared = await bundler.prepareUserOperation({ calls: [{ to: reader }] })
    const send = async (factor: bigint, data: `0x${string}`) => {
      const operation = {
        ...prepared,
        callData: await account.encodeCalls([{ to: reader, data }]),
        maxFeePerGas: (prepared.maxFeePerGas * factor) / 100n,
        maxPriorityFeePerGas: (prepared.maxPriorityFeePerGas * factor) / 100n,
        preVerificationGas: prepared.preVerificationGas + 10_000n,
      }
      const signature = await account.signUserOperation(operation)
      return rpc('eth_sendUserOperation', [rpcOf({ ...operation, signature }), entryPoint07Address])
    }
    const first = Sent.parse(await send(100n, '0x')).result
    expect(await send(105n, '0x01')).toMatchObject({ error: { code: -32602 } })
    const second = Sent.parse(await send(120n, '0x02')).result
    expect(await rpc('eth_getUserOperationByHash', [first]), 'is forgotten').toMatchObject({ result: null })
    expect(await rpc('eth_getUserOperationByHash', [second])).toMatchObject({ result: { transactionHash: null } })
  })

  test('2. while off, the bundler returns 503 and the paymaster refuses to pay', async () => {
    await setBundler('off')
    expect((await fetch(`${base}/31337`, { method: 'POST', body: '{}' })).status).toBe(503)
    await setBundler('on')
    await setPaymaster(false)
    const { bundler } = await setUpSafe()
    await expect(bundler.prepareUserOperation({ calls: [{ to: reader }], paymaster })).rejects.toThrow(/switched off/)
  })
})

type Prepared = Readonly<Record<string, unknown>>
const members = new Set(
  'sender nonce factory factoryData callData callGasLimit verificationGasLimit preVerificationGas maxFeePerGas maxPriorityFeePerGas paymaster paymasterData paymasterVerificationGasLimit paymasterPostOpGasLimit signature'.split(
    ' ',
  ),
)
const rpcOf = (operation: Prepared) =>
  Object.fromEntries(
    Object.entries(operation)
      .filter(([name, value]) => members.has(name) && value !== undefined)
      .map(([name, value]) => [name, typeof value === 'bigint' ? toHex(value) : value]),
  )

import { type Devnet, devnetContracts, freePorts, startDevnet } from '@postern/chains/eip155/testing/evm-devnet'
import { toSafeSmartAccount } from 'permissionless/accounts'
import {
  type Address,
  createPublicClient,
  createTestClient,
  encodeFunctionData,
  type Hex,
  http,
  parseEther,
  parseUnits,
} from 'viem'
import { entryPoint07Address } from 'viem/account-abstraction'
import { toAccount } from 'viem/accounts'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import * as z from 'zod/mini'
import type { ChainContext } from '../../../contract'
import { encodeCalls, safeAddress, safeFactory } from '../account/safe'
import { smartAccounts } from '../account/smart-accounts'
import { createEip155Chain } from '../chain'
import { devnetGateway, testWallet } from '../testing/wallet'
import { Operation, operationHash, safeOperationJson, stubSignature, toWire } from './form'

const ports = await freePorts('evm', 'evmTwo', 'bundler')
const rpcUrl = `http://127.0.0.1:${ports.evm}`
const devnetChain = {
  id: 31_337,
  name: 'Devnet',
  nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
  rpcUrls: { default: { http: [rpcUrl] } },
}
const client = createPublicClient({ chain: devnetChain, transport: http(rpcUrl) })
const tests = createTestClient({ mode: 'anvil', transport: http(rpcUrl) })
const friend: Address = '0x00000000000000000000000000000000000F4153'
const mintAbi = [
  {
    type: 'function',
    name: 'mint',
    stateMutability: 'nonpayable',
    inputs: [{ type: 'address' }, { type: 'uint256' }],
    outputs: [],
  },
] as const
const Sent = z.object({ id: z.string() })
const Bytes = z.custom<Hex>((value) => typeof value === 'string' && value.startsWith('0x'))

let devnet: Devnet
beforeAll(async () => {
  devnet = await startDevnet({ ports })
})
afterAll(() => devnet.stop())
afterEach(async () => {
  await setBundler('on')
  await setPaymaster(true)
})

const post = (path: string, body: unknown) =>
  fetch(`http://127.0.0.1:${ports.bundler}${path}`, { method: 'POST', body: JSON.stringify(body) })
const setBundler = (mode: 'on' | 'off' | 'hold') => post('/devnet/bundler', { mode })
const setPaymaster = (on: boolean) => post('/devnet/paymaster', { on })

async function newcomer(
  seed: string,
  {
    ether = '1',
    paymaster = false,
    ...more
  }: { ether?: string; paymaster?: boolean } & Partial<Omit<ChainContext, 'page'>> = {},
) {
  const page = { smartAccounts: [{ chainId: 31_337, paymaster }] }
  const wallet = await testWallet(seed, devnetGateway(ports), { accountType: 'smartAccount', ...more, page })
  const owner: Address = `0x${wallet.context.addresses.eip155.slice(2)}`
  const safe = safeAddress(owner)
  await tests.setBalance({ address: safe, value: parseEther(ether) })
  return { ...wallet, chain: createEip155Chain(), owner, safe }
}

function oracle(owner: Address) {
  const never = () => Promise.reject(new Error('The oracle signs nothing.'))
  return toSafeSmartAccount({
    client,
    owners: [toAccount({ address: owner, signMessage: never, signTransaction: never, signTypedData: never })],
    version: '1.4.1',
    entryPoint: { address: entryPoint07Address, version: '0.7' },
    saltNonce: 0n,
  })
}

const mint = (to: Address) => ({
  to: devnetContracts.dollar,
  data: encodeFunctionData({ abi: mintAbi, functionName: 'mint', args: [to, parseUnits('5', 6)] }),
})

describe('the account matches permissionless', () => {
  it('has the same address, deployment and call data', async () => {
    const { owner, safe, context } = await newcomer('oracle')
    const account = await oracle(owner)
    expect(safe).toBe(account.address)
    expect(await smartAccounts.address(context.addresses, context)).toBe(account.address)
    expect(await account.getFactoryArgs()).toEqual(safeFactory(owner))
    const calls = [
      { to: friend, value: 1n, data: '0x' as const },
      { ...mint(friend), value: 0n },
    ]
    for (const some of [calls, calls.slice(0, 1), calls.slice(1)])
      expect(encodeCalls(some)).toBe(await account.encodeCalls(some))
    expect(`0x${toWire({ validUntil: 0n }, stubSignature).signature?.slice(2)}`).toBe(await account.getStubSignature())
  })
})

describe('eth_sendTransaction of the smart account', () => {
  it('deploys the account with its first operation, and returns the hash of the transaction that included it', async () => {
    const { chain, context, safe, signed } = await newcomer('first')
    expect(await smartAccounts.isDeployed(safe, context)).toBe(false)
    const { subject } = await chain.prepare('eth_sendTransaction', [{ from: safe, to: friend, value: '0x5' }], context)
    expect(subject).toMatchObject({
      kind: 'eip155.userOperation',
      from: safe,
      calls: [{ to: friend, value: '5', data: '0x' }],
      sponsored: false,
      deploys: true,
    })
    expect(signed).toEqual([])
    const before = await client.getBalance({ address: friend })
    const hash = Bytes.parse(await chain.execute('eth_sendTransaction', subject, context))
    expect((await client.getTransactionReceipt({ hash })).status).toBe('success')
    expect((await client.getBalance({ address: friend })) - before).toBe(5n)
    expect(await smartAccounts.isDeployed(safe, context)).toBe(true)
    expect(signed).toHaveLength(1)

    const second = await chain.prepare('eth_sendTransaction', [{ from: safe, to: friend, value: '0x5' }], context)
    expect(second.subject).toMatchObject({ deploys: false })
    await chain.execute('eth_sendTransaction', second.subject, context)
    expect((await client.getBalance({ address: friend })) - before).toBe(10n)
  })

  it('costs the account nothing if the paymaster pays', async () => {
    const { chain, context, safe } = await newcomer('sponsored', { ether: '0', paymaster: true })
    for (const deploys of [true, false]) {
      const { subject } = await chain.prepare('eth_sendTransaction', [{ from: safe, ...mint(safe) }], context)
      expect(subject).toMatchObject({ sponsored: true, deploys })
      await chain.execute('eth_sendTransaction', subject, context)
    }
    expect(await client.getBalance({ address: safe })).toBe(0n)
  })

  it('pays itself, and says so, if the paymaster declines', async () => {
    const { chain, context, safe } = await newcomer('declined', { paymaster: true })
    await setPaymaster(false)
    const { subject } = await chain.prepare('eth_sendTransaction', [{ from: safe, to: friend, value: '0x1' }], context)
    expect(subject).toMatchObject({ sponsored: false })
  })

  it('reports insufficient funds for amount and fee', async () => {
    const { chain, context, safe } = await newcomer('poor', { ether: '0' })
    await expect(
      (async () => {
        const { subject } = await chain.prepare('eth_sendTransaction', [{ from: safe, to: friend }], context)
        return chain.execute('eth_sendTransaction', subject, context)
      })(),
    ).rejects.toMatchObject({ code: 'INSUFFICIENT_FUNDS' })
  })

  it('reports an insufficient amount before approval', async () => {
    const { chain, context, safe } = await newcomer('overdrawn', { ether: '1' })
    const request = { from: safe, to: friend, value: `0x${parseEther('2').toString(16)}` }
    await expect(chain.prepare('eth_sendTransaction', [request], context)).rejects.toMatchObject({
      code: 'INSUFFICIENT_FUNDS',
    })
  })

  it('is BUNDLER_UNAVAILABLE while the bundler is offline', async () => {
    const { chain, context, safe } = await newcomer('away')
    await setBundler('off')
    await expect(
      chain.prepare('eth_sendTransaction', [{ from: safe, to: friend, value: '0x1' }], context),
    ).rejects.toMatchObject({ code: 'BUNDLER_UNAVAILABLE' })
  })

  it('rejects calls that would change the account itself, also in a batch', async () => {
    const { chain, context, safe, signed } = await newcomer('self')
    const enableModule = { to: safe, data: `0x610b5925${friend.slice(2).padStart(64, '0')}` }
    await expect(
      chain.prepare('eth_sendTransaction', [{ from: safe, ...enableModule }], context),
    ).rejects.toMatchObject({
      code: 'INVALID_PARAMS',
    })
    const batch = {
      version: '2.0.0',
      from: safe,
      chainId: '0x7a69',
      atomicRequired: true,
      calls: [{ to: friend }, enableModule],
    }
    await expect(chain.prepare('wallet_sendCalls', [batch], context)).rejects.toMatchObject({ code: 'INVALID_PARAMS' })
    const callData = encodeCalls([{ to: safe, value: 0n, data: '0x610b5925' }])
    await expect(chain.prepare('eth_sendUserOperation', [{ sender: safe, callData }], context)).rejects.toMatchObject({
      code: 'INVALID_PARAMS',
    })
    expect(signed).toEqual([])
  })

  it('rejects an inconsistent operation, and signs nothing', async () => {
    const { chain, context, safe, signed } = await newcomer('forged')
    const { subject } = await chain.prepare('eth_sendTransaction', [{ from: safe, to: friend, value: '0x1' }], context)
    if (subject.kind !== 'eip155.userOperation') throw new Error()
    const callData = encodeCalls([{ to: friend, value: 2n, data: '0x' }])
    const forged = [
      { ...subject, calls: [{ to: friend, value: '2', data: '0x' }] },
      { ...subject, operation: { ...subject.operation, callData } },
      { ...subject, operation: { ...subject.operation, validUntil: '0x0' }, hash: `0x${'1'.repeat(64)}` },
      { ...subject, operation: { ...subject.operation, extra: '0x' } },
      { ...subject, sponsored: true },
      { ...subject, fees: { ...subject.fees, maxFeePerGas: '1' } },
      { ...subject, deploys: false },
    ]
    for (const one of forged) await expect(chain.execute('eth_sendTransaction', one, context)).rejects.toThrow()
    await expect(
      chain.execute('eth_sendTransaction', subject, { ...context, page: { ...context.page, smartAccounts: [] } }),
    ).rejects.toMatchObject({ code: 'UNAUTHORIZED' })
    expect(signed).toEqual([])
  })
})

describe('wallet_sendCalls of the smart account', () => {
  const request = (from: string, more = {}) => [
    {
      version: '2.0.0',
      from,
      chainId: '0x7a69',
      atomicRequired: true,
      calls: [{ to: friend, value: '0x1' }, mint(friend)],
      ...more,
    },
  ]

  it('executes all calls at once, returns before they are mined, and reports their status', async () => {
    const { chain, context, safe } = await newcomer('batch')
    await setBundler('hold')
    const { subject } = await chain.prepare('wallet_sendCalls', request(safe), context)
    expect(subject).toMatchObject({
      calls: [
        { to: friend, value: '1' },
        { to: devnetContracts.dollar, value: '0' },
      ],
    })
    const { id } = Sent.parse(await chain.execute('wallet_sendCalls', subject, context))
    expect(await chain.answer('wallet_getCallsStatus', [id], context)).toEqual({
      version: '2.0.0',
      id,
      chainId: '0x7a69',
      status: 100,
      atomic: true,
    })
    await setBundler('on')
    const done = {
      version: '2.0.0',
      id,
      status: 200,
      atomic: true,
      receipts: [{ status: '0x1', logs: expect.any(Array) }],
    }
    for (const known of [chain, createEip155Chain()])
      await expect.poll(() => known.answer('wallet_getCallsStatus', [id], context)).toMatchObject(done)
    const eve = await newcomer('eve')
    await expect(eve.chain.answer('wallet_getCallsStatus', [id], eve.context)).rejects.toMatchObject({ rpc: 5730 })
  })

  it('gives two waiting batches separate lanes', async () => {
    const { chain, context, safe } = await newcomer('lanes')
    const start = await chain.prepare('eth_sendTransaction', [{ from: safe, to: friend, value: '0x1' }], context)
    await chain.execute('eth_sendTransaction', start.subject, context)
    await setBundler('hold')
    const ids: string[] = []
    for (const _ of [1, 2]) {
      const { subject } = await chain.prepare('wallet_sendCalls', request(safe), context)
      ids.push(Sent.parse(await chain.execute('wallet_sendCalls', subject, context)).id)
    }
    await setBundler('on')
    for (const id of ids)
      await expect.poll(() => chain.answer('wallet_getCallsStatus', [id], context)).toMatchObject({ status: 200 })
  })

  it('is sponsored if requested and the project pays', async () => {
    const { chain, context, safe } = await newcomer('asked', { ether: '0', paymaster: true })
    const capabilities = { paymasterService: { url: 'https://paymaster.example', context: { policy: '7' } } }
    const { subject } = await chain.prepare(
      'wallet_sendCalls',
      request(safe, { calls: [mint(safe)], capabilities }),
      context,
    )
    expect(subject).toMatchObject({ sponsored: true })
    await setPaymaster(false)
    await expect(
      chain.prepare('wallet_sendCalls', request(safe, { calls: [mint(safe)], capabilities }), context),
    ).rejects.toThrow()
  })

  it('rejects contract creation', async () => {
    const { chain, context, safe } = await newcomer('create')
    await expect(
      chain.prepare('wallet_sendCalls', request(safe, { calls: [{ data: '0x00' }] }), context),
    ).rejects.toMatchObject({ code: 'CONTRACT_NEEDS_STANDARD_ACCOUNT' })
  })
})

describe('eth_sendUserOperation', () => {
  it('keeps the dapp’s fields, drops its signature, and returns the bundler’s hash', async () => {
    const { chain, context, safe } = await newcomer('operation')
    const callData = encodeCalls([{ to: friend, value: 3n, data: '0x' }])
    const given = { sender: safe, callData, callGasLimit: '0x30d40', signature: '0xdead', nonce: '0x70000000000000000' }
    const { subject } = await chain.prepare('eth_sendUserOperation', [given, entryPoint07Address], context)
    expect(subject).toMatchObject({ operation: { callGasLimit: '0x30d40', nonce: '0x70000000000000000', callData } })
    const hash = await chain.execute('eth_sendUserOperation', subject, context)
    expect(hash).toBe(subject.kind === 'eip155.userOperation' && subject.hash)
    const receipt = () => chain.answer('eth_getUserOperationReceipt', [hash], context)
    await expect.poll(receipt).toMatchObject({ success: true, sender: expect.stringMatching(new RegExp(safe, 'i')) })
    expect(await chain.answer('eth_supportedEntryPoints', [], context)).toEqual([entryPoint07Address])
  })

  it.each([
    [
      'a delegate call elsewhere',
      `0x541d63c8${friend.slice(2).toLowerCase().padStart(64, '0')}${'0'.repeat(64)}${'80'.padStart(64, '0')}${'1'.padStart(64, '0')}${'0'.repeat(64)}`,
    ],
    ['another function', '0xdeadbeef'],
    ['nothing', '0x'],
  ])('rejects call data that are %s', async (_, callData) => {
    const { chain, context, safe } = await newcomer('hidden')
    await expect(chain.prepare('eth_sendUserOperation', [{ sender: safe, callData }], context)).rejects.toMatchObject({
      code: 'INVALID_PARAMS',
    })
  })

  it('accepts only EntryPoint 0.7 and our own account', async () => {
    const { chain, context, safe, owner } = await newcomer('entry')
    const callData = encodeCalls([{ to: friend, value: 3n, data: '0x' }])
    await expect(
      chain.prepare('eth_sendUserOperation', [{ sender: safe, callData }, friend], context),
    ).rejects.toMatchObject({ code: 'INVALID_PARAMS' })
    for (const sender of [owner, friend])
      await expect(chain.prepare('eth_sendUserOperation', [{ sender, callData }], context)).rejects.toMatchObject({
        code: 'UNAUTHORIZED',
      })
  })
})

describe('signatures of the smart account', () => {
  it('verify on chain before deployment (ERC-6492) and after (ERC-1271)', async () => {
    const { chain, context, safe } = await newcomer('signs')
    const typedData = {
      domain: { name: 'Shop', chainId: 31_337, verifyingContract: friend },
      types: {
        Order: [
          { name: 'id', type: 'uint256' },
          { name: 'note', type: 'string' },
        ],
      },
      primaryType: 'Order',
      message: { id: '7', note: 'Tea' },
    } as const
    const verify = async () => {
      const message = await chain.prepare('personal_sign', ['0x48656c6c6f', safe], context)
      expect(message.subject).toMatchObject({ kind: 'eip155.message', account: 'smartAccount', address: safe })
      const signature = Bytes.parse(await chain.execute('personal_sign', message.subject, context))
      expect(await client.verifyMessage({ address: safe, message: 'Hello', signature })).toBe(true)
      expect(await client.verifyMessage({ address: safe, message: 'Hallo', signature })).toBe(false)
      const typed = await chain.prepare('eth_signTypedData_v4', [safe, JSON.stringify(typedData)], context)
      const typedSignature = Bytes.parse(await chain.execute('eth_signTypedData_v4', typed.subject, context))
      const message7 = { id: 7n, note: 'Tea' }
      expect(
        await client.verifyTypedData({ ...typedData, message: message7, address: safe, signature: typedSignature }),
      ).toBe(true)
      return signature
    }
    expect(await verify()).toMatch(/6492649264926492649264926492649264926492649264926492649264926492$/)
    const { subject } = await chain.prepare('eth_sendTransaction', [{ to: friend, value: '0x1' }], context)
    await chain.execute('eth_sendTransaction', subject, context)
    expect(await verify()).toHaveLength(2 + 65 * 2)
  })

  it('sign every field of the operation as the module’s EIP-712', async () => {
    const { safe } = await newcomer('form')
    const operation = Operation.parse({
      sender: safe,
      nonce: '0x1',
      callData: '0x',
      callGasLimit: '0x2',
      verificationGasLimit: '0x3',
      preVerificationGas: '0x4',
      maxFeePerGas: '0x5',
      maxPriorityFeePerGas: '0x1',
      validUntil: '0x6',
    })
    expect(JSON.parse(safeOperationJson(operation, 1)).message).toMatchObject({
      safe,
      nonce: '1',
      validUntil: '6',
      initCode: '0x',
      paymasterAndData: '0x',
    })
    expect(operationHash(operation, 1)).not.toBe(operationHash(operation, 2))
  })
})

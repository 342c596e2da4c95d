import {
  type Devnet,
  devnetAccounts,
  devnetContracts,
  freePorts,
  startDevnet,
} from '@postern/chains/eip155/testing/evm-devnet'
import { createPublicClient, createTestClient, createWalletClient, http, parseEther, parseTransaction } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import * as z from 'zod/mini'
import type { WalletChain } from '../../../contract'
import { safeAddress } from '../account/safe'
import { createEip155Chain } from '../chain'
import { devnetGateway, origin, type TestWallet, testWallet } from '../testing/wallet'

const ports = await freePorts('evm', 'evmTwo', 'bundler')
const rpcUrl = `http://127.0.0.1:${ports.evm}`
const client = createPublicClient({ transport: http(rpcUrl) })
const tests = createTestClient({ mode: 'anvil', transport: http(rpcUrl) })
const friend = '0x00000000000000000000000000000000000F4153'
const Sent = z.object({ id: z.string() })
const noSmartAccounts = { page: { smartAccounts: [] } }

let devnet: Devnet
beforeAll(async () => {
  devnet = await startDevnet({ ports: { evm: ports.evm, evmTwo: ports.evmTwo } })
})
afterAll(() => devnet.stop())

async function funded(
  seed: string,
  ether = '1',
  more = {},
): Promise<TestWallet & { chain: WalletChain; from: `0x${string}` }> {
  const wallet = await testWallet(seed, devnetGateway(ports), more)
  const from: `0x${string}` = `0x${wallet.context.addresses.eip155.slice(2)}`
  await tests.setBalance({ address: from, value: parseEther(ether) })
  return { ...wallet, chain: createEip155Chain(), from }
}

describe('eth_sendTransaction of the plain account', () => {
  it('fixes nonce, gas and fees, and mines what was shown', async () => {
    const { chain, context, from, signed } = await funded('send')
    const { subject } = await chain.prepare('eth_sendTransaction', [{ from, to: friend, value: '0x3e8' }], context)
    expect(subject).toMatchObject({
      kind: 'eip155.transaction',
      from,
      nonce: '0',
      call: { to: friend, value: '1000', data: '0x' },
      fees: { gas: '21000' },
    })
    expect(signed).toEqual([])
    const hash = await chain.execute('eth_sendTransaction', subject, context)
    expect(signed).toHaveLength(1)
    const mined = await client.getTransaction({ hash: `0x${String(hash).slice(2)}` })
    expect(mined).toMatchObject({ from: from.toLowerCase(), to: friend.toLowerCase(), value: 1_000n, nonce: 0 })
    if (subject.kind !== 'eip155.transaction') throw new Error()
    expect(mined.maxFeePerGas).toBe(BigInt(subject.fees.maxFeePerGas ?? 0))
  })

  it('sends a legacy transaction if a gas price is given', async () => {
    const { chain, context, from } = await funded('legacy')
    const gasPrice = `0x${(3n * (await client.getGasPrice())).toString(16)}`
    const { subject } = await chain.prepare(
      'eth_sendTransaction',
      [{ from, to: friend, value: '0x1', gasPrice }],
      context,
    )
    const hash = await chain.execute('eth_sendTransaction', subject, context)
    expect(await client.getTransaction({ hash: `0x${String(hash).slice(2)}` })).toMatchObject({
      type: 'legacy',
      gasPrice: BigInt(gasPrice),
    })
  })

  it.each([
    ['beside a gas price', { gasPrice: '0x77359400' }, 'eip2930'],
    ['beside a gas price, as type 0x1', { gasPrice: '0x77359400', type: '0x1' }, 'eip2930'],
    ['beside fees of EIP-1559', {}, 'eip1559'],
  ])('signs an access list %s', async (_, more, type) => {
    const { chain, context, from } = await funded('access')
    const accessList = [{ address: devnetContracts.dollar, storageKeys: [`0x${'11'.repeat(32)}`] }]
    const request = { from, to: devnetContracts.dollar, data: '0x18160ddd', accessList, ...more }
    const { subject } = await chain.prepare('eth_sendTransaction', [request], context)
    const hash = await chain.execute('eth_sendTransaction', subject, context)
    const mined = await client.getTransaction({ hash: `0x${String(hash).slice(2)}` })
    expect(mined).toMatchObject({ type, accessList: [{ storageKeys: [`0x${'11'.repeat(32)}`] }] })
  })

  it('takes addresses in lower case, in capitals, and with their checksum', async () => {
    const { chain, context, from } = await funded('capitals')
    const digits = 'D8DA6BF26964AF9D7EED9E03E53415D37AA96045'
    for (const to of [`0x${digits}`, `0x${digits.toLowerCase()}`, '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045'])
      for (const params of [
        { to, value: '0x1' },
        { to: friend, value: '0x1', accessList: [{ address: to, storageKeys: [] }] },
      ])
        await chain.prepare('eth_sendTransaction', [{ from: from.toUpperCase().replace('X', 'x'), ...params }], context)
    const to = `0x${digits}`
    const batch = { version: '2.0.0', from, chainId: '0x7a69', atomicRequired: false, calls: [{ to, value: '0x1' }] }
    await chain.prepare('wallet_sendCalls', [batch], context)
  })

  it('signs with the named account, by default the active one', async () => {
    const { chain, context, from } = await funded('active', '1', { accountType: 'eoa' })
    const { subject } = await chain.prepare('eth_sendTransaction', [{ to: friend, value: '0x1' }], context)
    expect(subject).toMatchObject({ from })
    await expect(chain.prepare('eth_sendTransaction', [{ from: friend, to: friend }], context)).rejects.toMatchObject({
      code: 'UNAUTHORIZED',
      rpc: 4100,
    })
  })

  it.each([
    ['a wrong checksum', { to: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAeD' }],
    ['no recipient and no code', { value: '0x1' }],
    ['data that is no bytes', { to: friend, data: '0x1' }],
    ['data and input that differ', { to: friend, data: '0x01', input: '0x02' }],
    ['a fee above the cap', { to: friend, maxFeePerGas: `0x${(10n ** 15n).toString(16)}` }],
    ['a priority fee above the fee', { to: friend, maxFeePerGas: '0x1', maxPriorityFeePerGas: '0x2' }],
    ['both kinds of fees', { to: friend, gasPrice: '0x1', maxFeePerGas: '0x2' }],
    ['a storage key that is not 32 bytes', { to: friend, accessList: [{ address: friend, storageKeys: ['0x01'] }] }],
    [
      'an access list in a legacy transaction',
      { to: friend, type: '0x0', accessList: [{ address: friend, storageKeys: [] }] },
    ],
    [
      'a wrong checksum in an access list',
      { to: friend, accessList: [{ address: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAeD', storageKeys: [] }] },
    ],
    ['blobs', { to: friend, blobVersionedHashes: [`0x01${'00'.repeat(31)}`] }],
    ['authorisations', { to: friend, authorizationList: [] }],
    ['a nonce that leaves a gap', { to: friend, nonce: '0x7' }],
    ['a negative amount', { to: friend, value: '-0x1' }],
  ])('rejects %s', async (_, request) => {
    const { chain, context, from } = await funded('refuses')
    await expect(chain.prepare('eth_sendTransaction', [{ from, ...request }], context)).rejects.toMatchObject({
      code: 'INVALID_PARAMS',
    })
  })

  it('rejects an access list for the smart account, which has none', async () => {
    const { chain, context, from } = await funded('smart list')
    const accessList = [{ address: friend, storageKeys: [] }]
    const request = { from: safeAddress(from), to: friend, accessList }
    await expect(chain.prepare('eth_sendTransaction', [request], context)).rejects.toMatchObject({
      code: 'INVALID_PARAMS',
      message: expect.stringContaining('access lists'),
    })
  })

  it('rejects another chain', async () => {
    const { chain, context, from } = await funded('chain')
    await expect(
      chain.prepare('eth_sendTransaction', [{ from, to: friend, chainId: '0x1' }], context),
    ).rejects.toMatchObject({ code: 'CHAIN_DISCONNECTED' })
  })

  it('reports insufficient funds for amount and fee', async () => {
    const { chain, context, from } = await funded('poor', '0.00001')
    await expect(
      chain.prepare('eth_sendTransaction', [{ from, to: friend, value: '0x9184e72a000' }], context),
    ).rejects.toMatchObject({ code: 'INSUFFICIENT_FUNDS' })
  })

  it('passes on the revert reason', async () => {
    const { chain, context, from } = await funded('revert')
    // transfer(address,uint256) of more than the balance.
    const data = `0xa9059cbb${friend.slice(2).toLowerCase().padStart(64, '0')}${'f'.repeat(64)}`
    await expect(
      chain.prepare('eth_sendTransaction', [{ from, to: devnetContracts.dollar, data }], context),
    ).rejects.toMatchObject({ code: 'INTERNAL', message: expect.stringMatching(/revert/i) })
  })

  it('never replaces another transaction: an overtaken one is rejected before signing', async () => {
    const { chain, context, from, signed } = await funded('overtaken')
    const request = [{ from, to: friend, value: '0x1' }]
    const first = await chain.prepare('eth_sendTransaction', request, context)
    const second = await chain.prepare('eth_sendTransaction', request, context)
    await chain.execute('eth_sendTransaction', first.subject, context)
    await expect(chain.execute('eth_sendTransaction', second.subject, context)).rejects.toMatchObject({
      code: 'TRANSACTION_REPLACED',
    })
    expect(signed).toHaveLength(1)
  })

  it('rejects an inconsistent subject, and signs nothing (spec §5)', async () => {
    const { chain, context, from, signed } = await funded('forged')
    const { subject } = await chain.prepare('eth_sendTransaction', [{ from, to: friend, value: '0x1' }], context)
    if (subject.kind !== 'eip155.transaction') throw new Error()
    const forged = [
      { ...subject, call: { ...subject.call, value: '2' } },
      { ...subject, call: { ...subject.call, to: from } },
      { ...subject, call: { ...subject.call, data: '0x00' } },
      { ...subject, nonce: '1' },
      { ...subject, fees: { ...subject.fees, gas: '21001' } },
    ]
    for (const one of forged) await expect(chain.execute('eth_sendTransaction', one, context)).rejects.toThrow()
    const otherChain = { ...context, networkId: 'eip155:1' } as const
    await expect(chain.execute('eth_sendTransaction', subject, otherChain)).rejects.toThrow()
    expect(signed).toEqual([])
  })

  it('sends nothing if the signer signed something else', async () => {
    const { chain, context, from } = await funded('mismatch')
    const { subject } = await chain.prepare('eth_sendTransaction', [{ from, to: friend, value: '0x1' }], context)
    const other = await chain.prepare('eth_sendTransaction', [{ from, to: friend, value: '0x2' }], context)
    if (other.subject.kind !== 'eip155.transaction') throw new Error()
    const unsigned: `0x${string}` = `0x${other.subject.unsigned.slice(2)}`
    expect(parseTransaction(unsigned).value).toBe(2n)
    const lying = { ...context, sign: () => context.sign({ kind: 'eip155.transaction', unsigned }) }
    await expect(chain.execute('eth_sendTransaction', subject, lying)).rejects.toMatchObject({
      code: 'TRANSACTION_MISMATCH',
    })
    expect(await client.getTransactionCount({ address: from })).toBe(0)
  })

  it('finds a transaction that was sent although the endpoint stopped responding', async () => {
    const wallet = await funded('silent')
    const gateway = devnetGateway(ports)
    const silent: typeof fetch = async (input, init) => {
      const isSending = String(init?.body).includes('eth_sendRawTransaction')
      const response = await gateway(input, init)
      if (isSending) throw new TypeError('The connection was lost.')
      return response
    }
    const context = { ...wallet.context, fetch: silent }
    const { subject } = await wallet.chain.prepare('eth_sendTransaction', [{ to: friend, value: '0x1' }], context)
    const hash = await wallet.chain.execute('eth_sendTransaction', subject, context)
    expect(await client.getTransactionReceipt({ hash: `0x${String(hash).slice(2)}` })).toMatchObject({
      status: 'success',
    })
  })

  it('rejects calls that would change the smart account through its owner', async () => {
    const { chain, context, from } = await funded('owner')
    const to = safeAddress(from)
    await expect(
      chain.prepare('eth_sendTransaction', [{ from, to, data: '0x6a761202' }], context),
    ).rejects.toMatchObject({ code: 'INVALID_PARAMS' })
    // Plain transfers to it are allowed.
    await chain.prepare('eth_sendTransaction', [{ from, to, value: '0x1' }], context)
  })
})

describe('wallet_sendCalls of the plain account', () => {
  const calls = (from: string, more = {}) => [
    {
      version: '2.0.0',
      from,
      chainId: '0x7a69',
      atomicRequired: false,
      calls: [
        { to: friend, value: '0x1' },
        { to: devnetContracts.dollar, data: `0x40c10f19${from.slice(2).padStart(64, '0')}${'1'.padStart(64, '0')}` },
      ],
      ...more,
    },
  ]

  it('sends transactions one by one, and reports their status, also after a reload', async () => {
    const { chain, context, from } = await funded('calls', '1', noSmartAccounts)
    const { subject } = await chain.prepare('wallet_sendCalls', calls(from), context)
    expect(subject).toMatchObject({ kind: 'eip155.transactions', transactions: [{ nonce: '0' }, { nonce: '1' }] })
    const { id } = Sent.parse(await chain.execute('wallet_sendCalls', subject, context))
    for (const known of [chain, createEip155Chain()])
      await expect
        .poll(() => known.answer('wallet_getCallsStatus', [id], context))
        .toMatchObject({
          version: '2.0.0',
          id,
          chainId: '0x7a69',
          status: 200,
          atomic: false,
          receipts: [{ status: '0x1' }, { status: '0x1', logs: [{}] }],
        })
  })

  it.each([
    [5760, { atomicRequired: true }],
    [5710, { chainId: '0x1' }],
    [5700, { capabilities: { teleport: {} } }],
    [5700, { capabilities: { paymasterService: { url: 'https://paymaster.example' } } }],
    [5740, { calls: Array.from({ length: 33 }, () => ({ to: friend })) }],
    [-32602, { version: '1.0' }],
    [-32602, { calls: [] }],
    [-32602, { calls: [{ to: 'x' }] }],
    [-32602, { calls: [{ to: friend, data: 'deadbeef' }] }],
  ])('rejects with %i if unsupported (spec §5)', async (rpc, more) => {
    const { chain, context, from } = await funded('cannot', '1', noSmartAccounts)
    await expect(chain.prepare('wallet_sendCalls', calls(from, more), context)).rejects.toMatchObject({ rpc })
  })

  it('ignores an optional capability', async () => {
    const { chain, context, from } = await funded('optional', '1', noSmartAccounts)
    await chain.prepare('wallet_sendCalls', calls(from, { capabilities: { teleport: { optional: true } } }), context)
  })

  it('uses the dapp’s id once', async () => {
    const { chain, context, from } = await funded('id', '1', noSmartAccounts)
    const { subject } = await chain.prepare('wallet_sendCalls', calls(from, { id: 'order-7' }), context)
    expect(await chain.execute('wallet_sendCalls', subject, context)).toEqual({ id: 'order-7' })
    await expect
      .poll(() => chain.answer('wallet_getCallsStatus', ['order-7'], context))
      .toMatchObject({ id: 'order-7', status: 200 })
    await expect(chain.prepare('wallet_sendCalls', calls(from, { id: 'order-7' }), context)).rejects.toMatchObject({
      rpc: 5720,
    })
  })

  it.each(['0x00', 'order-8', '', `0x${'00'.repeat(64)}`])('rejects the unknown id %j', async (id) => {
    const { chain, context } = await funded('unknown')
    await expect(chain.answer('wallet_getCallsStatus', [id], context)).rejects.toMatchObject({
      rpc: id === '' ? -32602 : 5730,
    })
  })

  it('does not report calls of another account', async () => {
    const ada = await funded('ada', '1', noSmartAccounts)
    const eve = await funded('eve', '1', noSmartAccounts)
    const { subject } = await ada.chain.prepare('wallet_sendCalls', calls(ada.from), ada.context)
    const { id } = Sent.parse(await ada.chain.execute('wallet_sendCalls', subject, ada.context))
    await expect(eve.chain.answer('wallet_getCallsStatus', [id], eve.context)).rejects.toMatchObject({ rpc: 5730 })
  })
})

describe('wallet_getCapabilities and wallet_getAssets', () => {
  it('reports what each account supports', async () => {
    const { chain, context, from } = await funded('capable')
    expect(await chain.answer('wallet_getCapabilities', [from], context)).toEqual({
      '0x7a69': {
        atomic: { status: 'unsupported' },
        assetDiscovery: { supported: true },
        paymasterService: { supported: false },
      },
    })
    expect(await chain.answer('wallet_getCapabilities', [safeAddress(from), ['0x7a69', '0x1']], context)).toMatchObject(
      {
        '0x7a69': { atomic: { status: 'supported' } },
      },
    )
    await expect(chain.answer('wallet_getCapabilities', [friend], context)).rejects.toMatchObject({ rpc: 4100 })
  })

  it('lists the native currency, and the requested tokens as the chain reports them', async () => {
    const { chain, context, from } = await funded('assets', '2')
    const [rich] = devnetAccounts
    if (rich === undefined) throw new Error()
    const wallet = createWalletClient({ account: rich, transport: http(rpcUrl) })
    const data: `0x${string}` = `0x40c10f19${from.slice(2).toLowerCase().padStart(64, '0')}${(2_500_000).toString(16).padStart(64, '0')}`
    await wallet.sendTransaction({ chain: null, to: devnetContracts.dollar, data })
    const native = {
      address: 'native',
      type: 'NATIVE',
      balance: '0x1bc16d674ec80000',
      metadata: { symbol: 'ETH', decimals: 18 },
    }
    expect(await chain.answer('wallet_getAssets', [{ account: from }], context)).toMatchObject({ '0x7a69': [native] })
    const assetFilter = {
      '0x7a69': [
        { address: 'native', type: 'native' },
        { address: devnetContracts.dollar, type: 'erc20' },
        // No contract at this address.
        { address: friend, type: 'erc20' },
      ],
    }
    expect(await chain.answer('wallet_getAssets', [{ account: from, assetFilter }], context)).toMatchObject({
      '0x7a69': [
        native,
        {
          address: devnetContracts.dollar,
          type: 'ERC20',
          balance: '0x2625a0',
          metadata: { symbol: 'DUSD', decimals: 6, name: 'Devnet Dollar' },
        },
      ],
    })
    expect(await chain.answer('wallet_getAssets', [{ account: from, assetTypeFilter: ['ERC20'] }], context)).toEqual({
      '0x7a69': [],
    })
  })
})

describe('safe methods', () => {
  it('handles its own methods, forwards reads, and rejects methods in no table', async () => {
    const { chain, context, from } = await funded('reads')
    expect(await chain.answer('eth_chainId', [], context)).toBe('0x7a69')
    expect(await chain.answer('eth_accounts', undefined, context)).toEqual([from, safeAddress(from)])
    expect(await chain.answer('eth_accounts', [], { ...context, accountType: 'smartAccount' })).toEqual([
      safeAddress(from),
      from,
    ])
    expect(await chain.answer('eth_getBalance', [from, 'latest'], context)).toBe('0xde0b6b3a7640000')
    for (const method of [
      'eth_sign',
      'anvil_setBalance',
      'eth_sendTransaction',
      'wallet_addEthereumChain',
      'constructor',
    ])
      await expect(chain.answer(method, [], context)).rejects.toMatchObject({ code: 'RPC_NOT_ALLOWED' })
    await expect(chain.answer('eth_call', { to: friend }, context)).rejects.toMatchObject({ code: 'INVALID_PARAMS' })
    expect(context.origin).toBe(origin)
  })

  it('has no bundler without smart accounts', async () => {
    const { chain, context } = await funded('nobundler', '1', noSmartAccounts)
    await expect(chain.answer('eth_supportedEntryPoints', [], context)).rejects.toMatchObject({
      code: 'UNSUPPORTED_METHOD',
    })
  })
})

import {
  type Devnet,
  devnetAccounts,
  devnetContracts,
  freePorts,
  startDevnet,
} from '@postern/chains/eip155/testing/evm-devnet'
import {
  type Address,
  createPublicClient,
  createTestClient,
  createWalletClient,
  encodeFunctionData,
  http,
  parseAbi,
  parseEther,
} from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import * as z from 'zod/mini'
import { safeAddress } from '../account/safe'
import { createEip155Chain } from '../chain'
import { devnetGateway, testWallet } from '../testing/wallet'
import { permit2Address } from './permissions'

const ports = await freePorts('evm', 'evmTwo', 'bundler')
const transport = http(`http://127.0.0.1:${ports.evm}`)
const client = createPublicClient({ transport })
const tests = createTestClient({ mode: 'anvil', transport })
const friend: Address = '0x00000000000000000000000000000000000F4153'
const abi = parseAbi([
  'function mint(address to, uint256 amount)',
  'function balanceOf(address owner) view returns (uint256)',
  'function allowance(address owner, address spender) view returns (uint256)',
  'function transferFrom(address from, address to, uint160 amount, address token)',
])
const Answer = z.object({
  context: z.string(),
  expiry: z.number(),
  signerData: z.object({ submitToAddress: z.literal(permit2Address) }),
})

let devnet: Devnet
beforeAll(async () => {
  devnet = await startDevnet({ ports })
})
afterAll(() => devnet.stop())

function delegate() {
  const [, , second] = devnetAccounts
  if (second === undefined) throw new Error()
  return second
}

async function newcomer(seed: string, more = {}) {
  const wallet = await testWallet(seed, devnetGateway(ports), {
    accountType: 'smartAccount',
    smartSessions: true,
    ...more,
  })
  const owner: Address = `0x${wallet.context.addresses.eip155.slice(2)}`
  const safe = safeAddress(owner)
  await tests.setBalance({ address: safe, value: parseEther('1') })
  const rich = createWalletClient({ account: delegate(), transport })
  await rich.sendTransaction({
    chain: null,
    to: devnetContracts.dollar,
    data: encodeFunctionData({ abi, functionName: 'mint', args: [safe, 1_000n] }),
  })
  return { ...wallet, chain: createEip155Chain(), owner, safe }
}

const inAnHour = async () => Number((await client.getBlock()).timestamp) + 3_600
const grant = (expiry: number, allowance: bigint, more = {}) => [
  {
    chainId: '0x7a69',
    expiry,
    signer: { type: 'account', data: { address: delegate().address } },
    permissions: [
      {
        type: 'erc20-token-transfer',
        data: { address: devnetContracts.dollar },
        policies: [{ type: 'token-allowance', data: { allowance: `0x${allowance.toString(16)}` } }],
        required: true,
      },
    ],
    ...more,
  },
]

function move(from: Address, amount: bigint) {
  const wallet = createWalletClient({ account: delegate(), transport })
  return wallet.writeContract({
    chain: null,
    address: permit2Address,
    abi,
    functionName: 'transferFrom',
    args: [from, friend, amount, devnetContracts.dollar],
  })
}

describe('wallet_grantPermissions', () => {
  it('lets the signer move the granted amount and no more, until it is revoked', async () => {
    const { chain, context, safe } = await newcomer('grants')
    await expect(move(safe, 1n)).rejects.toThrow()
    const expiry = await inAnHour()
    const { subject } = await chain.prepare('wallet_grantPermissions', grant(expiry, 100n), context)
    expect(subject).toMatchObject({
      kind: 'eip155.permissions',
      action: 'grant',
      from: safe,
      signer: delegate().address,
      expiry,
      permissions: [{ type: 'erc20-token-transfer', data: { address: devnetContracts.dollar, allowance: '100' } }],
    })
    const answer = Answer.parse(await chain.execute('wallet_grantPermissions', subject, context))
    await move(safe, 60n)
    await expect(move(safe, 41n)).rejects.toThrow()
    expect(
      await client.readContract({ address: devnetContracts.dollar, abi, functionName: 'balanceOf', args: [safe] }),
    ).toBe(940n)

    const revocation = await chain.prepare(
      'wallet_revokePermissions',
      [{ permissionsContext: answer.context }],
      context,
    )
    expect(revocation.subject).toMatchObject({ action: 'revoke', signer: delegate().address })
    await chain.execute('wallet_revokePermissions', revocation.subject, context)
    await expect(move(safe, 1n)).rejects.toThrow()
  })

  it('expires at its expiry', async () => {
    const { chain, context, safe } = await newcomer('expires')
    const expiry = await inAnHour()
    const { subject } = await chain.prepare('wallet_grantPermissions', grant(expiry, 100n), context)
    await chain.execute('wallet_grantPermissions', subject, context)
    await move(safe, 1n)
    const snapshot = await tests.snapshot()
    await tests.setNextBlockTimestamp({ timestamp: BigInt(expiry + 1) })
    await tests.mine({ blocks: 1 })
    await expect(move(safe, 1n)).rejects.toThrow()
    await tests.revert({ id: snapshot })
  })

  it('4. never allows Permit2 more of the token than was granted', async () => {
    const { chain, context, safe } = await newcomer('bounded')
    const allowance = () =>
      client.readContract({
        address: devnetContracts.dollar,
        abi,
        functionName: 'allowance',
        args: [safe, permit2Address],
      })
    for (const expected of [100n, 200n]) {
      const { subject } = await chain.prepare('wallet_grantPermissions', grant(await inAnHour(), 100n), context)
      await chain.execute('wallet_grantPermissions', subject, context)
      expect(await allowance()).toBe(expected)
    }
  })

  it('3. rejects a subject that shows something other than it signs', async () => {
    const { chain, context, signed } = await newcomer('shown')
    const { subject } = await chain.prepare('wallet_grantPermissions', grant(await inAnHour(), 100n), context)
    if (subject.kind !== 'eip155.permissions') throw new Error()
    const forged = [
      { ...subject, expiry: 1 },
      { ...subject, signer: friend },
      { ...subject, permissions: [] },
      {
        ...subject,
        permissions: [{ type: 'erc20-token-transfer', data: { address: devnetContracts.dollar, allowance: '1' } }],
      },
      { ...subject, action: 'revoke' as const },
      { ...subject, calls: [] },
    ]
    for (const one of forged) await expect(chain.execute('wallet_grantPermissions', one, context)).rejects.toThrow()
    const off = { ...context, smartSessions: false }
    await expect(chain.execute('wallet_grantPermissions', subject, off)).rejects.toMatchObject({
      code: 'RPC_NOT_ALLOWED',
    })
    expect(signed).toEqual([])
  })

  it.each([
    ['native currency', { permissions: [{ type: 'native-token-transfer', data: { ticker: 'ETH' }, policies: [] }] }],
    [
      'a limit of gas',
      {
        permissions: [
          {
            type: 'erc20-token-transfer',
            data: { address: devnetContracts.dollar },
            policies: [{ type: 'gas-limit', data: { limit: '0x1' } }],
          },
        ],
      },
    ],
    [
      'a token twice',
      { permissions: [...(grant(1, 1n)[0]?.permissions ?? []), ...(grant(1, 1n)[0]?.permissions ?? [])] },
    ],
    ['what is no token', { permissions: [{ ...grant(1, 1n)[0]?.permissions[0], data: { address: friend } }] }],
    ['a key as signer', { signer: { type: 'key', data: { id: 'x' } } }],
    ['a time that is over', { expiry: 1 }],
    ['no time', { expiry: undefined }],
    ['nothing', { permissions: [] }],
  ])('2. rejects %s', async (_, more) => {
    const { chain, context } = await newcomer('refuses')
    await expect(
      chain.prepare('wallet_grantPermissions', grant(await inAnHour(), 1n, more), context),
    ).rejects.toMatchObject({ code: 'INVALID_PARAMS' })
  })

  it('2. drops an optional permission that cannot be enforced', async () => {
    const { chain, context } = await newcomer('leaves')
    const [request] = grant(await inAnHour(), 1n)
    const permissions = [...(request?.permissions ?? []), { type: 'rate-limit', data: {}, required: false }]
    const { subject } = await chain.prepare('wallet_grantPermissions', [{ ...request, permissions }], context)
    expect(subject).toMatchObject({ permissions: [{ type: 'erc20-token-transfer' }] })
  })

  it('1. is unavailable if smart sessions are off or for the plain account', async () => {
    const expiry = await inAnHour()
    const off = await newcomer('off', { smartSessions: false })
    for (const method of ['wallet_grantPermissions', 'wallet_revokePermissions'])
      await expect(off.chain.prepare(method, grant(expiry, 1n), off.context)).rejects.toMatchObject({
        code: 'RPC_NOT_ALLOWED',
      })
    const on = await newcomer('on')
    await expect(
      on.chain.prepare('wallet_grantPermissions', grant(expiry, 1n), { ...on.context, accountType: 'eoa' }),
    ).rejects.toMatchObject({ code: 'UNSUPPORTED_METHOD' })
    expect(await on.chain.answer('wallet_getCapabilities', [on.safe], on.context)).toMatchObject({
      '0x7a69': { permissions: { supported: true, permissionTypes: ['erc20-token-transfer'] } },
    })
  })

  it.each(['0x', '0x70737037', `0x${'00'.repeat(52)}`, 'x'])(
    'rejects revocation with %j',
    async (permissionsContext) => {
      const { chain, context } = await newcomer('revokes')
      await expect(chain.prepare('wallet_revokePermissions', [{ permissionsContext }], context)).rejects.toMatchObject({
        code: 'INVALID_PARAMS',
      })
    },
  )
})

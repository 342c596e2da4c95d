import { gasPriceOracle } from '@postern/chains/eip155/rollup-fee'
import { decodeFunctionData, type Hex, numberToHex, pad, parseAbi } from 'viem'
import { describe, expect, it } from 'vitest'
import * as z from 'zod/mini'
import { createEip155Chain } from '../chain'
import { testWallet } from '../testing/wallet'

const abi = parseAbi([
  'function getL1Fee(bytes) view returns (uint256)',
  'function getL1FeeUpperBound(uint256) view returns (uint256)',
  'function getOperatorFee(uint256) view returns (uint256)',
])
const Request = z.object({ id: z.number(), method: z.string(), params: z.array(z.unknown()) })
const OracleCall = z.object({ to: z.literal(gasPriceOracle), data: z.string() })
const friend = '0x00000000000000000000000000000000000F4153'
const word = (value: bigint) => pad(numberToHex(value), { size: 32 })
const l1Fee = 10n ** 14n
/** 21,000 gas at twice 1 gwei plus the tip. */
const gasFee = 21_000n * (2n * 10n ** 9n + 1n)

const node: Readonly<Record<string, unknown>> = {
  eth_getTransactionCount: '0x5',
  eth_estimateGas: '0x5208',
  eth_simulateV1: [{ calls: [1, 2].map(() => ({ status: '0x1', gasUsed: '0x5208' })) }],
  eth_getBlockByNumber: { baseFeePerGas: '0x3b9aca00', timestamp: '0x65000000' },
  eth_maxPriorityFeePerGas: '0x1',
  eth_feeHistory: { reward: [['0x1']] },
  eth_gasPrice: '0x3b9aca01',
  eth_sendRawTransaction: `0x${'1'.repeat(64)}`,
  eth_estimateUserOperationGas: {
    callGasLimit: '0x10000',
    verificationGasLimit: '0x60000',
    preVerificationGas: '0xc000',
  },
}

async function rollup(balance: bigint, fee: unknown, accountType: 'eoa' | 'smartAccount' = 'eoa') {
  const asked: Hex[] = []
  const answer = ({ method, params }: z.infer<typeof Request>): unknown => {
    if (method === 'eth_getBalance') return numberToHex(balance)
    const [first] = params
    if (method === 'eth_getCode') return String(first).toLowerCase() === gasPriceOracle ? '0x6080' : '0x'
    if (method !== 'eth_call') return node[method]
    const call = OracleCall.safeParse(first)
    if (!call.success) return word(0n)
    const read = decodeFunctionData({ abi, data: `0x${call.data.data.slice(2)}` })
    if (read.functionName === 'getOperatorFee') return word(0n)
    if (read.functionName === 'getL1Fee') asked.push(read.args[0])
    return fee
  }
  const fetch: typeof globalThis.fetch = async (_, init) => {
    const body: unknown = JSON.parse(String(init?.body))
    const answers = z
      .array(Request)
      .parse(Array.isArray(body) ? body : [body])
      .map((request) => ({ jsonrpc: '2.0', id: request.id, result: answer(request) }))
    return new Response(JSON.stringify(Array.isArray(body) ? answers : answers[0]))
  }
  return { ...(await testWallet('rollup', fetch, { accountType })), chain: createEip155Chain(), asked }
}

describe('a transaction on a rollup', () => {
  const transaction = [{ to: friend, value: '0x3e8' }]

  it('shows one and a half times the rollup fee of its exact bytes, and does not sign it', async () => {
    const { chain, context, asked, signed } = await rollup(10n ** 18n, word(l1Fee))
    const { subject } = await chain.prepare('eth_sendTransaction', transaction, context)
    if (subject.kind !== 'eip155.transaction') throw new Error()
    expect(subject.fees).toMatchObject({ gas: '21000', rollup: String((l1Fee * 3n) / 2n) })
    expect(asked).toEqual([subject.unsigned])
    await chain.execute('eth_sendTransaction', subject, context)
    expect(signed).toEqual([{ kind: 'eip155.transaction', unsigned: subject.unsigned }])
  })

  it('is rejected before approval if the balance covers the gas but not the rollup fee', async () => {
    const needed = 1_000n + gasFee + (l1Fee * 3n) / 2n
    const enough = await rollup(needed, word(l1Fee))
    await enough.chain.prepare('eth_sendTransaction', transaction, enough.context)
    const short = await rollup(needed - 1n, word(l1Fee))
    await expect(short.chain.prepare('eth_sendTransaction', transaction, short.context)).rejects.toMatchObject({
      code: 'INSUFFICIENT_FUNDS',
    })
  })

  it('adds the fee of each call in a batch', async () => {
    const { chain, context, asked } = await rollup(10n ** 18n, word(l1Fee))
    const calls = {
      version: '2.0.0',
      chainId: '0x7a69',
      atomicRequired: false,
      calls: [...transaction, ...transaction],
    }
    const { subject } = await chain.prepare('wallet_sendCalls', [calls], context)
    if (subject.kind !== 'eip155.transactions') throw new Error()
    const fees = { rollup: String((l1Fee * 3n) / 2n) }
    expect(subject.transactions).toMatchObject([{ fees }, { fees }])
    expect(asked).toEqual(subject.transactions.map(({ unsigned }) => unsigned))
    const short = await rollup(2n * (1_000n + (gasFee * 3n) / 2n + l1Fee), word(l1Fee))
    await expect(short.chain.prepare('wallet_sendCalls', [calls], short.context)).rejects.toMatchObject({
      code: 'INSUFFICIENT_FUNDS',
    })
  })

  const incredible = { code: 'INTERNAL', message: 'The network names no credible fee for its data' }
  const unreadable = { code: 'WALLET_SERVICE_UNREACHABLE', message: 'The answer to eth_call cannot be read' }
  it.each([
    ['the largest number', word(2n ** 256n - 1n), incredible],
    ['nothing', '0x', incredible],
    ['megabytes', `0x${'00'.repeat(2_000_000)}`, unreadable],
    ['words', 'free', unreadable],
  ])('is rejected with a message if the oracle returns %s', async (_what, fee, failure) => {
    const { chain, context, signed } = await rollup(10n ** 18n, fee)
    await expect(chain.prepare('eth_sendTransaction', transaction, context)).rejects.toMatchObject(failure)
    expect(signed).toEqual([])
  })

  it('by the smart account does not ask the oracle, because its gas includes the fee', async () => {
    const { chain, context, asked } = await rollup(10n ** 18n, word(l1Fee), 'smartAccount')
    const { subject } = await chain.prepare('eth_sendTransaction', transaction, context)
    if (subject.kind !== 'eip155.userOperation') throw new Error()
    expect(subject.fees.rollup).toBeUndefined()
    expect(asked).toEqual([])
  })
})

/** An unconfirmed transaction is reported as pending, with a status id, never as failed. */
import { type Hex, numberToHex } from 'viem'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import * as z from 'zod/mini'
import { safeAddress } from '../account/safe'
import { createEip155Chain } from '../chain'
import { testWallet } from '../testing/wallet'

const friend = '0x00000000000000000000000000000000000F4153'
const word = (value: number) => numberToHex(value, { size: 32 })
/** Epoch seconds by the chain's clock. */
const chainTime = 1_700_000_000

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] })
})
afterEach(() => {
  vi.useRealTimers()
})

type Answer = (params: readonly unknown[]) => unknown
const Request = z.object({ id: z.number(), method: z.string(), params: z.array(z.unknown()) })
const Requests = z.union([z.array(Request), Request])

function network(answers: Readonly<Record<string, Answer>>): typeof fetch {
  const plain: Record<string, Answer> = {
    eth_getCode: () => '0x',
    eth_feeHistory: () => ({}),
    eth_call: () => word(0),
    eth_getBalance: () => numberToHex(10n ** 18n),
    eth_getTransactionCount: () => '0x0',
    eth_estimateGas: () => '0x5208',
    eth_maxPriorityFeePerGas: () => '0x1',
    eth_gasPrice: () => '0x2',
    eth_getBlockByNumber: () => ({ timestamp: numberToHex(chainTime), baseFeePerGas: '0x1', number: '0x1' }),
    eth_estimateUserOperationGas: () => ({
      callGasLimit: '0x5208',
      verificationGasLimit: '0x5208',
      preVerificationGas: '0x5208',
    }),
    eth_sendUserOperation: () => word(1),
    eth_getUserOperationReceipt: () => null,
    eth_getUserOperationByHash: () => null,
    eth_getTransactionByHash: () => null,
    eth_getTransactionReceipt: () => null,
    ...answers,
  }
  return async (_url, init) => {
    const parsed = Requests.parse(JSON.parse(String(init?.body)))
    const reply = ({ id, method, params }: z.infer<typeof Request>) => {
      const answer = plain[method]
      if (answer === undefined) throw new Error(`Unexpected ${method}`)
      const result = answer(params)
      return { jsonrpc: '2.0', id, ...(result instanceof Error ? { error: refused(result) } : { result }) }
    }
    return Response.json(Array.isArray(parsed) ? parsed.map(reply) : reply(parsed))
  }
}

const refused = ({ message }: Error) => ({ code: -32_500, message })

const silence: Answer = () => {
  throw new TypeError('Failed to fetch')
}

async function passing<T>(task: Promise<T>): Promise<T> {
  let isOver = false
  const over = () => {
    isOver = true
  }
  task.then(over, over)
  while (!isOver) await vi.advanceTimersByTimeAsync(500)
  return task
}

async function setUp(answers: Readonly<Record<string, Answer>>, accountType: 'smartAccount' | 'eoa' = 'smartAccount') {
  const { context, signed } = await testWallet('unconfirmed', network(answers), { accountType })
  const owner: Hex = `0x${context.addresses.eip155.slice(2)}`
  const from = accountType === 'eoa' ? owner : safeAddress(owner)
  const chain = createEip155Chain()
  const call = { to: friend, value: '0x5' }
  const params: Readonly<Record<string, unknown>> = {
    eth_sendTransaction: [{ from, ...call }],
    wallet_sendCalls: [{ version: '2.0.0', from, chainId: '0x7a69', atomicRequired: false, calls: [call, call] }],
  }
  return {
    chain,
    context,
    signed,
    async send(method = 'eth_sendTransaction'): Promise<unknown> {
      const { subject } = await passing(chain.prepare(method, params[method], context))
      return passing(chain.execute(method, subject, context).catch((thrown: unknown) => thrown))
    },
    status: (id: string) => passing(chain.answer('wallet_getCallsStatus', [id], context)),
  }
}

const gasOf = { status: '0x1', gasUsed: '0x5208' }
const Sent = z.object({ id: z.string() })
const Unconfirmed = z.object({
  code: z.literal('TRANSACTION_UNCONFIRMED'),
  rpc: z.literal(-32_002),
  data: z.object({ sentHash: z.string(), callsId: z.optional(z.string()) }),
})

describe('a smart account operation', () => {
  it('is pending after 180 s without a block, with an id for its status', async () => {
    const { send, status } = await setUp({})
    const { data } = Unconfirmed.parse(await send())
    expect(await status(data.callsId ?? '')).toMatchObject({ status: 100, atomic: true })
  })

  it('is pending if the bundler stops responding while the receipt is awaited', async () => {
    const { send } = await setUp({ eth_getUserOperationReceipt: silence })
    expect(Unconfirmed.parse(await send()).data.callsId).toMatch(/^0x/)
  })

  it.each(['eth_sendTransaction', 'wallet_sendCalls'])(
    'may be pending if the bundler does not respond to it: %s',
    async (method) => {
      const { send } = await setUp({ eth_sendUserOperation: silence })
      const { data } = Unconfirmed.parse(await send(method))
      expect(data.callsId?.startsWith(data.sentHash)).toBe(true)
    },
  )

  it('fails if the bundler rejects it', async () => {
    const { send } = await setUp({ eth_sendUserOperation: () => new Error('AA24 signature error') })
    expect(await send()).toMatchObject({ code: 'INTERNAL', message: 'AA24 signature error' })
  })
})

describe('a plain-account transaction', () => {
  it('may be pending if no endpoint responds', async () => {
    const { send } = await setUp({ eth_sendRawTransaction: silence }, 'eoa')
    expect(Unconfirmed.parse(await send()).data).toEqual({ sentHash: expect.stringMatching(/^0x[0-9a-f]{64}$/) })
  })

  it.each([0, 1])('in a batch has the batch’s id and is the last one sent: after %i', async (before) => {
    let asked = 0
    const { send, status } = await setUp(
      {
        eth_sendRawTransaction: () => {
          asked += 1
          return asked > before ? silence([]) : word(1)
        },
        eth_simulateV1: () => [{ calls: [gasOf, gasOf] }],
      },
      'eoa',
    )
    const ended = await send('wallet_sendCalls')
    const id = before === 0 ? (Unconfirmed.parse(ended).data.callsId ?? '') : Sent.parse(ended).id
    expect((id.length - 2) / 64 - 1).toBe(before + 1)
    expect(await status(id)).toMatchObject({ status: 100 })
    expect(asked).toBe(before + 1)
  })
})

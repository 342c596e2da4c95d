import type { ApprovalSubject } from '@postern/protocol'
import { Failure } from '@postern/protocol/failure'
import fc from 'fast-check'
import { getAddress as addressOf, type Hex, parseTransaction, toHex } from 'viem'
import { describe, expect, it } from 'vitest'
import * as z from 'zod/mini'
import { decodeCalls, encodeCalls, safeAddress } from './account/safe'
import { createEip155Chain } from './chain'
import { testPage, testWallet } from './testing/wallet'

const Call = z.object({ id: z.number(), method: z.string() })

function answering(answerOf: (method: string) => unknown): typeof fetch {
  return async (_, init) => {
    const body: unknown = JSON.parse(String(init?.body))
    const answers = z
      .array(Call)
      .parse(Array.isArray(body) ? body : [body])
      .map(({ id, method }) => ({ jsonrpc: '2.0', id, result: answerOf(method) }))
    return new Response(JSON.stringify(Array.isArray(body) ? answers : answers[0]))
  }
}

const good: Readonly<Record<string, unknown>> = {
  eth_getTransactionCount: '0x5',
  eth_estimateGas: '0xea60',
  eth_getBalance: `0x${'f'.repeat(60)}`,
  eth_getBlockByNumber: { baseFeePerGas: '0x3b9aca00', timestamp: '0x65000000' },
  eth_maxPriorityFeePerGas: '0x1',
  eth_feeHistory: { reward: [['0x1']] },
  eth_gasPrice: '0x3b9aca01',
  eth_getCode: '0x',
  eth_call: `0x${'0'.repeat(64)}`,
  eth_sendRawTransaction: `0x${'1'.repeat(64)}`,
  eth_sendUserOperation: `0x${'1'.repeat(64)}`,
  eth_estimateUserOperationGas: {
    callGasLimit: '0x10000',
    verificationGasLimit: '0x60000',
    preVerificationGas: '0xc000',
  },
}

const Address = fc.uint8Array({ minLength: 20, maxLength: 20 }).map((bytes) => toHex(bytes))
const Bytes = fc.uint8Array({ maxLength: 120 }).map((bytes) => toHex(bytes))
const Asked = fc.record({ to: Address, value: fc.bigInt(0n, 2n ** 96n), data: Bytes })

function transactionOf({ to, value, data }: { to: Hex; value: bigint; data: Hex }) {
  return { to, value: toHex(value), data }
}

function sameCall(
  call: { to?: string | undefined; value: string; data: string } | undefined,
  asked: { to: Hex; value: bigint; data: Hex },
) {
  expect({ to: call?.to?.toLowerCase(), value: call?.value, data: call?.data }).toEqual({
    ...asked,
    value: String(asked.value),
  })
}

describe('prepare and execute', () => {
  it('never change a transaction’s recipient, value or data, and sign exactly its bytes', async () => {
    const { context, signed } = await testWallet(
      'property',
      answering((method) => good[method]),
    )
    await fc.assert(
      fc.asyncProperty(Asked, async (asked) => {
        // This node's count never rises, but a wallet uses a nonce once.
        const chain = createEip155Chain()
        const { subject } = await chain.prepare('eth_sendTransaction', [transactionOf(asked)], context)
        if (subject.kind !== 'eip155.transaction') throw new Error()
        sameCall(subject.call, asked)
        const unsigned: Hex = `0x${subject.unsigned.slice(2)}`
        const { to, value = 0n, data = '0x', nonce, chainId } = parseTransaction(unsigned)
        expect({ to: to?.toLowerCase(), value, data, nonce, chainId }).toEqual({ ...asked, nonce: 5, chainId: 31_337 })
        await chain.execute('eth_sendTransaction', subject, context)
        expect(signed.at(-1)).toEqual({ kind: 'eip155.transaction', unsigned })
      }),
      { numRuns: 40 },
    )
  })

  it('never change an operation’s calls, and sign exactly the call data that are shown', async () => {
    const { context, signed } = await testWallet(
      'property',
      answering((method) => good[method]),
      { accountType: 'smartAccount' },
    )
    const chain = createEip155Chain()
    await fc.assert(
      fc.asyncProperty(fc.array(Asked, { minLength: 1, maxLength: 5 }), async (asked) => {
        const request = { version: '2.0.0', chainId: '0x7a69', atomicRequired: true, calls: asked.map(transactionOf) }
        const { subject } = await chain.prepare('wallet_sendCalls', [request], context)
        if (subject.kind !== 'eip155.userOperation') throw new Error()
        expect(subject.calls).toHaveLength(asked.length)
        for (const [at, one] of asked.entries()) sameCall(subject.calls[at], one)
        await chain.execute('wallet_sendCalls', subject, context)
        const job = signed.at(-1)
        if (job?.kind !== 'eip155.typedData') throw new Error()
        const { primaryType, message } = JSON.parse(job.json)
        expect(chain.smartAccountJson?.(subject, context.networkId)).toBe(job.json)
        const forged = { ...subject, operation: { ...subject.operation, callData: '0x' } }
        expect(chain.smartAccountJson?.(forged, context.networkId)).toBeNull()
        expect({ primaryType, callData: message.callData, nonce: BigInt(message.nonce) }).toEqual({
          primaryType: 'SafeOp',
          callData: subject.operation.callData,
          nonce: BigInt(String(subject.operation.nonce)),
        })
        expect(
          decodeCalls(message.callData)?.map(({ to, value, data }) => ({ to: to.toLowerCase(), value, data })),
        ).toEqual(asked)
      }),
      { numRuns: 30 },
    )
  })

  it('with arbitrary endpoint answers, throw a Failure or keep the requested call', async () => {
    const Answer = fc.oneof(
      fc.anything(),
      fc.constantFrom(...Object.values(good)),
      fc.bigInt(0n, 2n ** 300n).map((n) => `0x${n.toString(16)}`),
    )
    await fc.assert(
      fc.asyncProperty(
        Asked,
        fc.constantFrom('eoa', 'smartAccount'),
        fc.dictionary(fc.constantFrom(...Object.keys(good)), Answer, { maxKeys: 3 }),
        async (asked, accountType, wrong) => {
          const table = JSON.parse(
            JSON.stringify({ ...good, ...wrong }, (_, value) => (typeof value === 'bigint' ? String(value) : value)),
          )
          const { context, signed } = await testWallet(
            'hostile',
            answering((method) => table[method] ?? null),
            { accountType },
          )
          const chain = createEip155Chain()
          const prepared = await chain
            .prepare('eth_sendTransaction', [transactionOf(asked)], context)
            .catch((error) => {
              expect(error).toBeInstanceOf(Failure)
              return null
            })
          expect(signed).toEqual([])
          if (prepared === null) return
          const { subject } = prepared
          if (subject.kind === 'eip155.transaction') sameCall(subject.call, asked)
          else if (subject.kind === 'eip155.userOperation') sameCall(subject.calls[0], asked)
          else throw new Error()
        },
      ),
      { numRuns: 150 },
    )
  })

  it('with arbitrary params, throw only a Failure', async () => {
    const { context, signed } = await testWallet(
      'anything',
      answering((method) => good[method]),
    )
    const chain = createEip155Chain()
    const Method = fc.constantFrom(
      'personal_sign',
      'eth_signTypedData_v4',
      'eth_sendTransaction',
      'eth_sendUserOperation',
      'wallet_sendCalls',
      'wallet_grantPermissions',
      'wallet_revokePermissions',
      'eth_sign',
      'toString',
    )
    const Safe = fc.constantFrom(
      'wallet_getCallsStatus',
      'wallet_getCapabilities',
      'wallet_getAssets',
      'eth_call',
      'eth_accounts',
    )
    await fc.assert(
      fc.asyncProperty(Method, Safe, fc.anything(), async (method, safe, params) => {
        for (const given of [params, [params], [context.addresses.eip155, params]]) {
          await chain.prepare(method, given, context).catch((error) => expect(error).toBeInstanceOf(Failure))
          await chain.answer(safe, given, context).catch((error) => expect(error).toBeInstanceOf(Failure))
        }
      }),
    )
    expect(signed).toEqual([])
  })

  it('do not execute a subject of another namespace or kind', async () => {
    const { context, signed } = await testWallet(
      'kinds',
      answering((method) => good[method]),
    )
    const chain = createEip155Chain()
    const others: ApprovalSubject[] = [
      { kind: 'solana.message', address: 'a', message: '' },
      {
        kind: 'eip155.message',
        address: safeAddress('0x00000000000000000000000000000000000F4153'),
        account: 'smartAccount',
        message: '0x',
      },
      { kind: 'eip155.message', address: context.addresses.eip155, account: 'smartAccount', message: '0x' },
    ]
    for (const subject of others)
      await expect(chain.execute('personal_sign', subject, context)).rejects.toBeInstanceOf(Failure)
    expect(signed).toEqual([])
    expect(testPage().smartAccounts).toHaveLength(1)
  })
})

describe('the one who pays the fee of an operation', () => {
  const paymaster = `0x${'5'.repeat(40)}`
  const pm = { paymaster, paymasterData: '0x', paymasterVerificationGasLimit: '0x1', paymasterPostOpGasLimit: '0x1' }
  async function prepared(method: string, params: (smart: string) => readonly unknown[]) {
    const { context } = await testWallet(
      'paymaster',
      answering((asked) => (asked.startsWith('pm_') ? pm : good[asked])),
      { accountType: 'smartAccount', page: { smartAccounts: [{ chainId: 31_337, paymaster: true }] } },
    )
    const chain = createEip155Chain()
    const smart = safeAddress(addressOf(context.addresses.eip155))
    const { subject } = await chain.prepare(method, params(smart), context)
    if (subject.kind !== 'eip155.userOperation') throw new Error()
    return { chain, subject, context }
  }
  const call = { to: paymaster, value: '0x0', data: '0x' }
  const send = (service: object) => () => [
    { version: '2.0.0', chainId: '0x7a69', atomicRequired: true, calls: [call], capabilities: service },
  ]
  const url = 'https://paymaster.example'

  it.each([
    ['the operator’s', send({}), { sponsored: true }],
    [
      'the operator’s, with a policy',
      send({ paymasterService: { url, context: { policy: '7' } } }),
      { sponsored: true },
    ],
    [
      'the operator’s, for a token that the page names',
      send({ paymasterService: { url, context: { token: paymaster } } }),
      { sponsored: false, pagePaymaster: paymaster },
    ],
  ])('is %s paymaster', async (_, params, expected) => {
    const { subject } = await prepared('wallet_sendCalls', params)
    expect({ sponsored: subject.sponsored, ...pagePaymasterOf(subject) }).toEqual(expected)
  })

  it('is no sponsor if the page named it, and cannot be changed after approval', async () => {
    const { chain, subject, context } = await prepared('eth_sendUserOperation', (sender) => [
      { sender, callData: encodeCalls([{ to: addressOf(paymaster), value: 0n, data: '0x' }]), ...pm },
    ])
    expect(subject).toMatchObject({ sponsored: false, pagePaymaster: paymaster })
    const { pagePaymaster: _, ...hidden } = subject
    for (const other of [
      { ...subject, sponsored: true },
      { ...hidden, sponsored: false },
    ])
      await expect(chain.execute('eth_sendUserOperation', other, context)).rejects.toMatchObject({ code: 'INTERNAL' })
  })
})

type OperationSubject = Extract<ApprovalSubject, { kind: 'eip155.userOperation' }>
const pagePaymasterOf = ({ pagePaymaster }: OperationSubject) => (pagePaymaster === undefined ? {} : { pagePaymaster })

describe('decodeCalls', () => {
  it('reads only what encodeCalls wrote', () => {
    fc.assert(
      fc.property(
        fc.array(Asked, { minLength: 1, maxLength: 6 }),
        fc.nat(),
        fc.integer({ min: 1, max: 255 }),
        (asked, at, flip) => {
          const written = encodeCalls(asked)
          expect(decodeCalls(written)?.map((call) => ({ ...call, to: call.to.toLowerCase() }))).toEqual(asked)
          const bytes = Buffer.from(written.slice(2), 'hex')
          const index = at % bytes.length
          bytes[index] = (bytes[index] ?? 0) ^ flip
          const again = decodeCalls(toHex(new Uint8Array(bytes)))
          // A changed byte is another call or null.
          if (again !== null)
            expect(JSON.stringify(again.map(({ to, value, data }) => [to, String(value), data]))).not.toBe(
              JSON.stringify(decodeCalls(written)?.map(({ to, value, data }) => [to, String(value), data])),
            )
        },
      ),
    )
  })
})

import { type Devnet, startDevnet } from '@postern/chains/testing/evm-devnet'
import type { ReplacementKind } from '@postern/protocol'
import {
  createPublicClient,
  createTestClient,
  getAddress,
  type Hex,
  http,
  keccak256,
  parseEther,
  slice,
  toHex,
} from 'viem'
import { entryPoint07Address } from 'viem/account-abstraction'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import * as z from 'zod/mini'
import type { WalletChain } from '../../contract'
import { memoryNotes } from '../notes'
import { createEip155Chain } from './chain'
import { encodeCalls, safeAddress } from './safe'
import { devnetGateway, testWallet } from './testing/wallet'

const ports = { evm: 22_190, evmTwo: 22_191, bundler: 22_192 }
const transport = http(`http://127.0.0.1:${ports.evm}`)
const client = createPublicClient({ transport })
const tests = createTestClient({ mode: 'anvil', transport })
const Id = z.object({ id: z.string() })
const Receipts = z.object({ receipts: z.array(z.object({ transactionHash: z.string() })) })
const UserOpHash = z.object({ userOpHash: z.string() })

let devnet: Devnet
beforeAll(async () => {
  devnet = await startDevnet({ ports })
})
afterAll(() => devnet.stop())
afterEach(async () => {
  await tests.setAutomine(true)
  await setBundler('on')
  await setPaymaster(true)
})

const post = (path: string, body: unknown) =>
  fetch(`http://127.0.0.1:${ports.bundler}${path}`, { method: 'POST', body: JSON.stringify(body) })
const setBundler = (mode: 'on' | 'off' | 'hold') => post('/devnet/bundler', { mode })
const setPaymaster = (on: boolean) => post('/devnet/paymaster', { on })

type Answer = 'arrives' | 'is lost' | 'is cut off' | 'is refused'
type Replacement = Awaited<ReturnType<NonNullable<WalletChain['prepareReplacement']>>>['subject']

async function payer(seed: string, { ether = '1', paymaster = false } = {}) {
  const gateway = devnetGateway(ports)
  let answer: Answer = 'arrives'
  let refusal = ''
  let before: () => Promise<unknown> = async () => undefined
  let end = new AbortController()
  const network: typeof fetch = async (input, init) => {
    const body = String(init?.body)
    if (!body.includes('eth_sendUserOperation')) return gateway(input, init)
    await before()
    if (answer === 'arrives') return gateway(input, init)
    if (answer === 'is refused') {
      const { id } = z.object({ id: z.number() }).parse(JSON.parse(body))
      return Response.json({ jsonrpc: '2.0', id, error: { code: -32_602, message: refusal } })
    }
    if (answer === 'is cut off') await gateway(input, { ...init, signal: null })
    end.abort()
    throw new TypeError('Failed to fetch')
  }
  const page = { smartAccounts: [{ chainId: 31_337, paymaster }] }
  const { context, signed } = await testWallet(seed, network, { accountType: 'smartAccount', page })
  const from = safeAddress(`0x${context.addresses.eip155.slice(2)}`)
  const friend = getAddress(`0x${keccak256(toHex(`friend of ${seed}`)).slice(-40)}`)
  await tests.setBalance({ address: from, value: parseEther(ether) })
  const notes = memoryNotes()
  const tab = () => createEip155Chain(notes)
  let chain = tab()
  const here = () => ({ ...context, signal: end.signal })

  async function send(method: string, params: unknown): Promise<unknown> {
    const { subject } = await chain.prepare(method, params, here())
    return chain.execute(method, subject, here())
  }
  const waiting = async () => (await chain.waiting?.({ ...here(), accountType: 'eoa' })) ?? expect.unreachable()
  const prepare = async (hash: string, kind: ReplacementKind, on: WalletChain = chain) =>
    (await on.prepareReplacement?.({ hash, kind }, { ...here(), accountType: 'eoa' }))?.subject ?? expect.unreachable()
  const execute = async (subject: Replacement, on: WalletChain = chain) =>
    z.string().parse(await on.execute('eth_sendUserOperation', subject, { ...here(), accountType: 'eoa' }))
  const payment = [{ from, to: friend, value: '0x5' }]
  const batch = (id?: string) => [
    {
      version: '2.0.0',
      from,
      chainId: '0x7a69',
      atomicRequired: true,
      calls: [
        { to: friend, value: '0x2' },
        { to: friend, value: '0x3' },
      ],
      ...(id !== undefined && { id }),
    },
  ]
  return {
    from,
    friend,
    notes,
    signed,
    tab,
    prepare,
    execute,
    waiting,
    pay: () => send('eth_sendTransaction', payment).then(hexOf),
    /** Held by the bundler; `outcome` is what the caller of eth_sendTransaction gets. */
    async payWaiting() {
      const outcome = send('eth_sendTransaction', payment).then(hexOf, (error: unknown) => error)
      await expect.poll(async () => (await waiting()).length).toBe(1)
      const [found] = await waiting()
      await expect.poll(() => isHeld(found?.hash ?? '')).toBe(true)
      return { hash: found?.hash ?? '', outcome }
    },
    payBatch: async (id?: string) => Id.parse(await send('wallet_sendCalls', batch(id))).id,
    payOperation: () => {
      const callData = encodeCalls([{ to: friend, value: 5n, data: '0x' }])
      return send('eth_sendUserOperation', [{ sender: from, callData }, entryPoint07Address]).then(hexOf)
    },
    replace: async (hash: string, kind: ReplacementKind) => execute(await prepare(hash, kind)),
    ask: (method: string, ...params: unknown[]) => chain.answer(method, params, here()),
    received: () => client.getBalance({ address: friend }),
    reload() {
      chain = tab()
    },
    beforeBroadcast(act: () => Promise<unknown>) {
      before = act
    },
    async while<T>(next: Answer, act: () => Promise<T>, message = ''): Promise<T> {
      answer = next
      refusal = message
      try {
        return await act()
      } finally {
        answer = 'arrives'
        end = new AbortController()
      }
    },
  }
}

const hexOf = (value: unknown): Hex => `0x${z.string().parse(value).slice(2)}`

async function rpc(method: string, params: readonly unknown[]): Promise<unknown> {
  const response = await post('/31337', { jsonrpc: '2.0', id: 1, method, params })
  return z.object({ result: z.optional(z.unknown()) }).parse(await response.json()).result
}
const isHeld = async (hash: string) => (await rpc('eth_getUserOperationByHash', [hash])) !== null
const isIncluded = async (hash: string) => (await rpc('eth_getUserOperationReceipt', [hash])) !== null

const operationOf = (subject: Replacement) =>
  subject.kind === 'eip155.userOperation' ? { ...subject, ...subject.operation } : expect.unreachable()

const pending = { code: 'REQUEST_PENDING' }
const replaced = { code: 'TRANSACTION_REPLACED' }
const mined = { code: 'TRANSACTION_MINED' }

describe('an operation that waits', () => {
  it('2. 3. is sped up: the same calls and nonce, both fees an eighth higher, and paid once', async () => {
    const { payWaiting, prepare, execute, waiting, received, from, friend, ...wallet } = await payer('faster')
    await setBundler('hold')
    const { hash, outcome } = await payWaiting()
    expect(await waiting()).toMatchObject([
      { hash, newest: hash, from, to: friend, value: '5', isPlain: true, isOperation: true },
    ])
    const subject = operationOf(await prepare(hash, 'speedUp'))
    const old = z
      .object({ userOperation: z.record(z.string(), z.string()) })
      .parse(await rpc('eth_getUserOperationByHash', [hash])).userOperation
    expect(subject).toMatchObject({ calls: [{ to: friend, value: '5', data: '0x' }], nonce: old.nonce, deploys: true })
    expect(subject.operation).toMatchObject({ callData: old.callData, callGasLimit: old.callGasLimit })
    for (const fee of ['maxFeePerGas', 'maxPriorityFeePerGas'])
      expect(BigInt(String(subject.operation[fee])) * 8n).toBeGreaterThan(BigInt(old[fee] ?? 0) * 9n)
    expect(BigInt(String(subject.operation.validUntil)), 'its hour is not renewed').toBe(
      BigInt(slice(hexOf(old.signature), 6, 12)),
    )
    const second = await execute(subject)
    expect(await waiting()).toMatchObject([{ hash, newest: second, replacedBy: 'speedUp' }])
    expect([await isHeld(hash), await isHeld(second)]).toEqual([false, true])
    wallet.reload()
    await setBundler('on')
    const included = await outcome
    expect(await rpc('eth_getUserOperationReceipt', [second])).toMatchObject({ receipt: { transactionHash: included } })
    expect([await isIncluded(hash), await received(), await waiting()]).toEqual([false, 5n, []])
    await wallet.pay()
    expect(await received(), 'is meant again').toBe(10n)
  })

  it('2. is cancelled: the recipient gets nothing, and the caller hears so', async () => {
    const { payWaiting, replace, waiting, received, pay } = await payer('never mind')
    await setBundler('hold')
    const { hash, outcome } = await payWaiting()
    const second = await replace(hash, 'cancel')
    expect(await waiting()).toMatchObject([{ hash, newest: second, replacedBy: 'cancel', value: '5' }])
    await setBundler('on')
    expect(await outcome).toMatchObject({
      code: 'TRANSACTION_REPLACED',
      data: { sentHash: hash, reason: 'cancelled', transactionHash: expect.stringMatching(/^0x/) },
    })
    expect([await isIncluded(second), await received(), await waiting()]).toEqual([true, 0n, []])
    await pay()
    expect(await received()).toBe(5n)
  })

  it('is sped up after it was sped up, and cancelled after that', async () => {
    const { payWaiting, replace, waiting, received } = await payer('again')
    await setBundler('hold')
    const { hash, outcome } = await payWaiting()
    await replace(hash, 'speedUp')
    await replace(hash, 'speedUp')
    await replace(hash, 'cancel')
    await expect(replace(hash, 'speedUp'), 'brings nothing back').rejects.toMatchObject({ code: 'INVALID_PARAMS' })
    const last = await replace(hash, 'cancel')
    expect(await waiting()).toMatchObject([{ hash, newest: last }])
    await setBundler('on')
    expect(await outcome).toMatchObject(replaced)
    expect([await isIncluded(last), await received()]).toEqual([true, 0n])
  })

  it('leaves its nonce to nothing else, also after a reload', async () => {
    const { payBatch, replace, reload, received, ask, waiting } = await payer('order')
    await setBundler('hold')
    const id = await payBatch()
    await replace(id.slice(0, 66), 'speedUp')
    reload()
    const next = await payBatch()
    expect(await waiting()).toHaveLength(2)
    await setBundler('on')
    await expect.poll(() => ask('wallet_getCallsStatus', id)).toMatchObject({ status: 200 })
    // Both deploy the account; the second one comes too late, and can be sped up without.
    const late = await waiting()
    expect(late).toMatchObject([{ hash: next.slice(0, 66) }])
    await replace(next.slice(0, 66), 'speedUp')
    await expect.poll(() => ask('wallet_getCallsStatus', next)).toMatchObject({ status: 200 })
    expect(await received()).toBe(10n)
  })

  it('is put back if the bundler has lost it', async () => {
    const { payBatch, replace, received, waiting, ...wallet } = await payer('lost')
    await expect(wallet.while('is lost', () => payBatch())).rejects.toMatchObject({ code: 'ABORTED' })
    const [found] = await waiting()
    await replace(found?.hash ?? '', 'speedUp')
    await expect.poll(received).toBe(5n)
    // Its caller has no id, and asks again.
    await expect(payBatch()).rejects.toMatchObject(replaced)
    expect(await received()).toBe(5n)
  })

  it('is included although it was cancelled, if it is in a bundle by then', async () => {
    const { payBatch, replace, received, ask, waiting } = await payer('bundled')
    await tests.setAutomine(false)
    const id = await payBatch()
    await expect.poll(async () => (await client.getBlock({ blockTag: 'pending' })).transactions.length).toBe(1)
    await replace(id.slice(0, 66), 'cancel')
    expect(await ask('wallet_getCallsStatus', id)).toMatchObject({ status: 100 })
    await tests.mine({ blocks: 1 })
    expect(await ask('wallet_getCallsStatus', id)).toMatchObject({ status: 200 })
    expect([await received(), await waiting()]).toEqual([5n, []])
  })
})

describe('who pays for a replacement', () => {
  it('is the paymaster again, if it pays', async () => {
    const { payWaiting, replace, prepare, received, from } = await payer('sponsored', { ether: '0', paymaster: true })
    await tests.setBalance({ address: from, value: 5n })
    await setBundler('hold')
    const { hash, outcome } = await payWaiting()
    const subject = operationOf(await prepare(hash, 'speedUp'))
    expect(subject).toMatchObject({ sponsored: true, replaces: { paymaster: subject.operation.paymaster } })
    await replace(hash, 'speedUp')
    await setBundler('on')
    expect(await outcome).toMatch(/^0x/)
    expect([await received(), await client.getBalance({ address: from })]).toEqual([5n, 0n])
  })

  it('4. is the account if the paymaster declines; what is missing is said', async () => {
    const { payWaiting, prepare, execute, from } = await payer('declined', { ether: '0', paymaster: true })
    await tests.setBalance({ address: from, value: 5n })
    await setBundler('hold')
    const { hash, outcome } = await payWaiting()
    await setPaymaster(false)
    for (const kind of ['speedUp', 'cancel'] as const)
      await expect(prepare(hash, kind)).rejects.toMatchObject({
        code: 'FEE_NOT_COVERED',
        message: expect.stringMatching(/: missing 0\.0\d+ ETH$/),
      })
    await tests.setBalance({ address: from, value: parseEther('1') })
    const subject = operationOf(await prepare(hash, 'cancel'))
    expect(subject).toMatchObject({ sponsored: false, replaces: { paymaster: expect.stringMatching(/^0x/) } })
    expect(subject.operation).not.toHaveProperty('paymaster')
    await execute(subject)
    await setBundler('on')
    expect(await outcome).toMatchObject(replaced)
  })
})

describe('what a dapp got', () => {
  it.each([undefined, 'order-7'])('wallet_getCallsStatus has the receipt of the speed-up; id %s', async (id) => {
    const { payBatch, waiting, replace, ask, reload, received } = await payer(`batch ${id}`)
    await setBundler('hold')
    const given = await payBatch(id)
    const [found] = await waiting()
    expect(found).toMatchObject({ value: '5', isPlain: false })
    const second = await replace(found?.hash ?? '', 'speedUp')
    expect(await ask('wallet_getCallsStatus', given)).toMatchObject({ status: 100 })
    reload()
    await setBundler('on')
    await expect.poll(() => ask('wallet_getCallsStatus', given)).toMatchObject({ id: given, status: 200 })
    const { receipts } = Receipts.parse(await ask('wallet_getCallsStatus', given))
    expect(await rpc('eth_getUserOperationReceipt', [second])).toMatchObject({ receipt: receipts[0] })
    expect(await received()).toBe(5n)
  })

  it('wallet_getCallsStatus is 400 for good once it was cancelled', async () => {
    const { payBatch, replace, ask, received } = await payer('cancelled batch')
    await setBundler('hold')
    const id = await payBatch()
    await replace(id.slice(0, 66), 'cancel')
    expect(await ask('wallet_getCallsStatus', id)).toMatchObject({ status: 100 })
    await setBundler('on')
    await expect.poll(() => ask('wallet_getCallsStatus', id)).toMatchObject({ status: 400, atomic: true })
    expect(await received()).toBe(0n)
  })

  it('eth_getUserOperationReceipt of its hash is that of the speed-up', async () => {
    const { payOperation, replace, ask } = await payer('operation')
    await setBundler('hold')
    const hash = await payOperation()
    const second = await replace(hash, 'speedUp')
    expect(await ask('eth_getUserOperationByHash', hash)).toMatchObject({ userOperation: { nonce: '0x0' } })
    expect(await ask('eth_getUserOperationReceipt', hash)).toBeNull()
    await setBundler('on')
    await expect.poll(() => ask('eth_getUserOperationReceipt', hash)).toMatchObject({ success: true })
    expect(UserOpHash.parse(await ask('eth_getUserOperationReceipt', hash)).userOpHash).toBe(second)
  })

  it('eth_getUserOperationReceipt rejects once it was cancelled', async () => {
    const { payOperation, replace, ask } = await payer('cancelled operation')
    await setBundler('hold')
    const hash = await payOperation()
    const second = await replace(hash, 'cancel')
    expect(await ask('eth_getUserOperationReceipt', hash)).toBeNull()
    await setBundler('on')
    await expect.poll(() => isIncluded(second)).toBe(true)
    await expect(ask('eth_getUserOperationReceipt', hash)).rejects.toMatchObject({
      code: 'TRANSACTION_REPLACED',
      data: { sentHash: hash, reason: 'cancelled' },
    })
  })
})

describe('a payment whose caller has no hash', () => {
  async function doubtful(seed: string) {
    const wallet = await payer(seed)
    await setBundler('hold')
    await expect(wallet.while('is cut off', wallet.pay)).rejects.toMatchObject({ code: 'ABORTED' })
    wallet.reload()
    const [found] = await wallet.waiting()
    return { ...wallet, hash: found?.hash ?? '' }
  }

  it('is pending after it was sped up, and then reported to the caller that asks again', async () => {
    const { pay, replace, received, hash } = await doubtful('doubtful')
    await expect(pay()).rejects.toMatchObject(pending)
    await replace(hash, 'speedUp')
    await expect(pay()).rejects.toMatchObject(pending)
    await setBundler('on')
    await expect.poll(received).toBe(5n)
    await expect(pay()).rejects.toMatchObject({ ...replaced, data: { sentHash: hash } })
    await pay()
    expect(await received(), 'is meant again').toBe(10n)
  })

  it('is pending after it was cancelled, and can be made once the cancellation won', async () => {
    const { pay, replace, received, hash } = await doubtful('cancelled doubt')
    const second = await replace(hash, 'cancel')
    await expect(pay()).rejects.toMatchObject(pending)
    await setBundler('on')
    await expect.poll(() => isIncluded(second)).toBe(true)
    await pay()
    expect(await received()).toBe(5n)
  })
})

describe('a replacement is refused', () => {
  it('1. of a hash that this wallet has not sent', async () => {
    const { payBatch, prepare, signed } = await payer('mine')
    const other = await payer('theirs')
    await setBundler('hold')
    await payBatch()
    const foreign = (await other.payBatch()).slice(0, 66)
    for (const hash of [foreign, `0x${'7'.repeat(64)}`])
      await expect(prepare(hash, 'cancel')).rejects.toMatchObject({ code: 'INVALID_PARAMS' })
    expect(signed).toHaveLength(1)
  })

  it('1. of an operation that a block has, or whose speed-up or cancellation a block has', async () => {
    for (const [kind, failure] of [
      [null, mined],
      ['speedUp', mined],
      ['cancel', replaced],
    ] as const) {
      const { payBatch, prepare, replace } = await payer(`done ${kind}`)
      await setBundler('hold')
      const hash = (await payBatch()).slice(0, 66)
      const last = kind === null ? hash : await replace(hash, kind)
      await setBundler('on')
      await expect.poll(() => isIncluded(last)).toBe(true)
      await expect(prepare(hash, 'speedUp')).rejects.toMatchObject(failure)
    }
  })

  it('2. if a block has it between the press and the broadcast; nothing is lost', async () => {
    for (const isLate of [false, true]) {
      const { payBatch, prepare, execute, received, waiting, beforeBroadcast } = await payer(`race ${isLate}`)
      await setBundler('hold')
      const hash = (await payBatch()).slice(0, 66)
      const subject = await prepare(hash, 'cancel')
      const include = async () => {
        await setBundler('on')
        await expect.poll(() => isIncluded(hash)).toBe(true)
      }
      // The bundler refuses it with AA10 or AA25.
      if (isLate) beforeBroadcast(include)
      else await include()
      await expect(execute(subject)).rejects.toMatchObject(mined)
      expect([await waiting(), await received()]).toEqual([[], 5n])
    }
  })

  it.each([
    'Replacement UserOperation must have higher maxPriorityFeePerGas (old=1 new=2) ',
    'AA25 invalid account nonce: User operation already present in mempool, bump the gas price by minimum 10%',
    'replacement operation underpriced. Existing priority fee: 1. Existing fee: 2',
    'pending ops: replacement op must increase maxFeePerGas and MaxPriorityFeePerGas by >= 10%',
    "invalid UserOperation struct/fields (can't replace useroperation)",
    'An operation of this sender and nonce is already pending.',
  ])('2. if the bundler wants a higher fee; the note is as before: %s', async (message) => {
    const { payBatch, prepare, execute, waiting, ...wallet } = await payer(`under ${message}`)
    await setBundler('hold')
    const hash = (await payBatch()).slice(0, 66)
    const before = await waiting()
    const subject = await prepare(hash, 'speedUp')
    await expect(wallet.while('is refused', () => execute(subject), message)).rejects.toMatchObject({
      code: 'REPLACEMENT_UNDERPRICED',
    })
    expect(await waiting()).toEqual(before)
    await execute(subject)
  })

  it('2. if the bundler refuses it for another reason; the note is as before', async () => {
    const { payBatch, prepare, execute, waiting, ...wallet } = await payer('refused')
    await setBundler('hold')
    const hash = (await payBatch()).slice(0, 66)
    const before = await waiting()
    const subject = await prepare(hash, 'cancel')
    const message = 'AA22 expired or not due'
    await expect(wallet.while('is refused', () => execute(subject), message)).rejects.toMatchObject({ message })
    const processing = 'AA25 invalid account nonce: Another UserOperation is already being processed'
    await expect(wallet.while('is refused', () => execute(subject), processing)).rejects.toMatchObject(pending)
    expect(await waiting()).toEqual(before)
  })

  it('1. in a second tab that pressed at once', async () => {
    const { payBatch, prepare, execute, tab, waiting } = await payer('tabs')
    await setBundler('hold')
    const hash = (await payBatch()).slice(0, 66)
    const other = tab()
    const [one, two] = [await prepare(hash, 'speedUp'), await prepare(hash, 'cancel', other)]
    const second = await execute(one)
    await expect(execute(two, other)).rejects.toMatchObject(replaced)
    expect(await waiting()).toMatchObject([{ newest: second }])
  })

  it.each(['nothing', 'no operation', 'another operation'])('1. of a note whose bytes are %s', async (kind) => {
    const { payBatch, prepare, waiting, notes } = await payer(`bytes ${kind}`)
    const other = await payer(`other ${kind}`)
    await setBundler('hold')
    const hash = (await payBatch()).slice(0, 66)
    await other.payBatch()
    const Note = z.object({ signed: z.string() })
    const theirs = Note.parse(z.array(z.unknown()).parse(await other.notes.update((kept) => kept))[0]).signed
    const signed = { nothing: undefined, 'no operation': '0x02', 'another operation': theirs }[kind]
    await notes.update((kept) => (Array.isArray(kept) ? kept : []).map((note: object) => ({ ...note, signed })))
    expect(await waiting()).toEqual([])
    await expect(prepare(hash, 'speedUp')).rejects.toMatchObject({ code: 'INVALID_PARAMS' })
  })
})

describe('a broadcast of a replacement without an answer', () => {
  it('3. is in the note: whichever a block has settles it', async () => {
    for (const [fate, amount] of [
      ['is cut off', 0n],
      ['is lost', 5n],
    ] as const) {
      const { payBatch, prepare, execute, reload, waiting, received, ask, ...wallet } = await payer(`answer ${fate}`)
      await setBundler('hold')
      const id = await payBatch()
      const subject = await prepare(id.slice(0, 66), 'cancel')
      await expect(wallet.while(fate, () => execute(subject))).rejects.toMatchObject({ code: 'ABORTED' })
      reload()
      expect(await waiting()).toMatchObject([{ replacedBy: 'cancel' }])
      await setBundler('on')
      const status = amount === 0n ? 400 : 200
      await expect.poll(() => ask('wallet_getCallsStatus', id)).toMatchObject({ status })
      expect(await received()).toBe(amount)
    }
  })
})

describe('a nonce that another site used', () => {
  it('is reported as replaced, also if only the bundler knows yet', async () => {
    for (const message of ['AA25 invalid account nonce', 'AA10 sender already constructed']) {
      const { payBatch, received, ...wallet } = await payer(`elsewhere ${message}`)
      await expect(wallet.while('is refused', () => payBatch('order-1'), message)).rejects.toMatchObject(replaced)
      await payBatch('order-1')
      await expect.poll(received).toBe(5n)
    }
  })
})

import { type Devnet, freePorts, startDevnet } from '@postern/chains/eip155/testing/evm-devnet'
import { type Address, createPublicClient, createTestClient, type Hex, http, keccak256, parseEther, toHex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import * as z from 'zod/mini'
import type { WalletChain } from '../../../contract'
import { memoryNotes } from '../../notes'
import { createEip155Chain } from '../chain'
import { dear, friend, minute, twoSites } from '../testing/two-sites'
import { devnetGateway, testWallet } from '../testing/wallet'
import { type Fate, fair } from '../testing/weather-node'

const ports = await freePorts('evm', 'evmTwo', 'bundler')
const transport = http(`http://127.0.0.1:${ports.evm}`)
const client = createPublicClient({ transport })
const tests = createTestClient({ mode: 'anvil', transport })
const Id = z.object({ id: z.string() })
const Status = z.object({
  status: z.number(),
  receipts: z.optional(z.array(z.object({ transactionHash: z.string() }))),
})

let devnet: Devnet
beforeAll(async () => {
  devnet = await startDevnet({ ports: { evm: ports.evm, evmTwo: ports.evmTwo } })
})
afterAll(() => devnet.stop())
beforeEach(() => tests.setAutomine(false))
afterEach(async () => {
  await tests.setAutomine(true)
  await tests.mine({ blocks: 1 })
})

type Answer = 'arrives' | 'is cut off' | 'is refused'

async function payer(seed: string, ether = '1') {
  const gateway = devnetGateway(ports)
  let answer: Answer = 'arrives'
  let refusal = ''
  let end = new AbortController()
  const network: typeof fetch = async (input, init) => {
    const body = String(init?.body)
    if (answer === 'arrives' || !body.includes('eth_sendRawTransaction')) return gateway(input, init)
    if (answer === 'is refused') {
      const { id } = z.object({ id: z.number() }).parse(JSON.parse(body))
      return Response.json({ jsonrpc: '2.0', id, error: { code: -32_000, message: refusal } })
    }
    await gateway(input, { ...init, signal: null })
    end.abort()
    throw new TypeError('Failed to fetch')
  }
  const { context, signed } = await testWallet(seed, network, { page: { smartAccounts: [] } })
  const from: Address = `0x${context.addresses.eip155.slice(2)}`
  const friend: Address = `0x${keccak256(toHex(`friend of ${seed}`)).slice(-40)}`
  await tests.setBalance({ address: from, value: parseEther(ether) })
  const notes = memoryNotes()
  const tab = () => createEip155Chain(notes)
  let chain = tab()
  const here = () => ({ ...context, signal: end.signal })

  async function send(method: string, params: unknown): Promise<unknown> {
    const { subject } = await chain.prepare(method, params, here())
    return chain.execute(method, subject, here())
  }
  const prepare = async (hash: string, kind: 'speedUp' | 'cancel', on: WalletChain = chain) =>
    (await on.prepareReplacement?.({ hash, kind }, here()))?.subject ?? expect.unreachable()
  const execute = (subject: Awaited<ReturnType<typeof prepare>>, on: WalletChain = chain) =>
    on.execute('eth_sendTransaction', subject, here()).then(hexOf)
  return {
    from,
    friend,
    signed,
    tab,
    prepare,
    execute,
    send,
    pay: (more = {}) => send('eth_sendTransaction', [{ from, to: friend, value: '0x5', ...more }]).then(hexOf),
    replace: async (hash: string, kind: 'speedUp' | 'cancel') => execute(await prepare(hash, kind)),
    waiting: async () => (await chain.waiting?.(here())) ?? expect.unreachable(),
    status: async (id: string) => Status.parse(await chain.answer('wallet_getCallsStatus', [id], here())),
    received: () => client.getBalance({ address: friend }),
    reload() {
      chain = tab()
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

const pending = { code: 'REQUEST_PENDING' }
const replaced = { code: 'TRANSACTION_REPLACED' }

const text = z.string()
const PreviousEntry = z.union([
  z.object({
    chainId: z.number(),
    account: text,
    nonce: text,
    hash: text,
    until: z.optional(z.number()),
    signed: z.optional(text),
    isFollowed: z.boolean(),
    state: z.optional(z.enum(['sending', 'refused', 'outbid'])),
    sentAt: z.optional(z.number()),
    decidedAt: z.optional(z.number()),
  }),
  z.object({ owner: text, origin: text, id: text, callsId: text }),
])
/** Every read of the release before replacements writes what it has understood. */
const asPreviousRelease = (kept: unknown) =>
  z
    .array(z.unknown())
    .parse(kept)
    .flatMap((entry) => PreviousEntry.safeParse(entry).data ?? [])

const hexOf = (value: unknown): Hex => `0x${z.string().parse(value).slice(2)}`
const isMined = async (hash: Hex) => (await client.getTransactionReceipt({ hash }).catch(() => null)) !== null

describe('a payment that waits', () => {
  it('2. 3. is sped up: the same call and nonce, both fees an eighth higher', async () => {
    const { pay, waiting, prepare, execute, received, friend } = await payer('faster')
    const first = await pay()
    expect(await waiting()).toMatchObject([{ hash: first, newest: first, to: friend, value: '5', isPlain: true }])
    const subject = await prepare(first, 'speedUp')
    if (subject.kind !== 'eip155.transaction') throw new Error()
    const old = await client.getTransaction({ hash: first })
    expect(subject).toMatchObject({ nonce: String(old.nonce), call: { to: friend, value: '5', data: '0x' } })
    expect(BigInt(subject.fees.maxFeePerGas ?? 0) * 8n).toBeGreaterThanOrEqual((old.maxFeePerGas ?? 0n) * 9n)
    expect(BigInt(subject.fees.maxPriorityFeePerGas ?? 0) * 8n).toBeGreaterThan((old.maxPriorityFeePerGas ?? 0n) * 9n)
    const second = await execute(subject)
    expect(await waiting()).toMatchObject([{ hash: first, newest: second, replacedBy: 'speedUp' }])
    await tests.mine({ blocks: 1 })
    expect([await isMined(first), await isMined(second)]).toEqual([false, true])
    expect(await received()).toBe(5n)
    expect(await waiting()).toEqual([])
  })

  it('2. is cancelled: nothing is sent to oneself, and the recipient gets nothing', async () => {
    const { pay, replace, waiting, received, from } = await payer('never mind')
    const first = await pay()
    const second = await replace(first, 'cancel')
    expect(await waiting()).toMatchObject([{ hash: first, newest: second, replacedBy: 'cancel', value: '5' }])
    await tests.mine({ blocks: 1 })
    expect(await client.getTransaction({ hash: second })).toMatchObject({ to: from.toLowerCase(), value: 0n })
    expect(await isMined(first)).toBe(false)
    expect(await received()).toBe(0n)
  })

  it('is sped up after it was sped up, and cancelled after that', async () => {
    const { pay, replace, waiting, received } = await payer('again')
    const first = await pay()
    await replace(first, 'speedUp')
    await replace(first, 'speedUp')
    const last = await replace(first, 'cancel')
    expect(await waiting()).toMatchObject([{ hash: first, newest: last }])
    await expect(replace(first, 'speedUp'), 'brings nothing back').rejects.toMatchObject({ code: 'INVALID_PARAMS' })
    const again = await replace(first, 'cancel')
    await tests.mine({ blocks: 1 })
    expect([await isMined(again), await received()]).toEqual([true, 0n])
  })

  it('keeps a gas price, data and an access list', async () => {
    const { pay, replace } = await payer('legacy list')
    const accessList = [{ address: `0x${'22'.repeat(20)}`, storageKeys: [`0x${'11'.repeat(32)}`] }]
    const first = await pay({ gasPrice: '0x77359400', data: '0x1234', gas: '0x186a0', accessList })
    const second = await replace(first, 'speedUp')
    const { type, input, gas, accessList: list } = await client.getTransaction({ hash: second })
    expect({ type, input, gas, list }).toEqual({ type: 'eip2930', input: '0x1234', gas: 100_000n, list: accessList })
  })

  it('leaves its nonce to nothing else, also after a reload', async () => {
    const { pay, replace, reload, received } = await payer('order')
    const first = await pay()
    await replace(first, 'speedUp')
    reload()
    const next = await pay()
    expect((await client.getTransaction({ hash: next })).nonce).toBe(1)
    await tests.mine({ blocks: 1 })
    expect(await received()).toBe(10n)
  })
})

describe('a payment whose caller has no hash', () => {
  async function doubtful(fate: Fate) {
    const sites = await twoSites('doubtful')
    const { node, clock, one } = sites
    node.decide(fate)
    await expect(one.pay(7n, dear)).rejects.toMatchObject({ code: 'ABORTED' })
    clock.advance(2 * minute)
    const [found] = await one.waiting()
    return { ...sites, hash: found?.hash ?? '' }
  }

  it('is pending after it was sped up, and then reported to the caller that asks again', async () => {
    const { node, one, paid, hash } = await doubtful('cut')
    await expect(one.pay(7n)).rejects.toMatchObject(pending)
    const second = await one.replace(hash, 'speedUp')
    await expect(one.pay(7n)).rejects.toMatchObject(pending)
    node.mine()
    const carriedOut = { code: 'TRANSACTION_REPLACED', data: { sentHash: hash, transactionHash: second } }
    await expect(one.pay(7n)).rejects.toMatchObject(carriedOut)
    node.mine()
    expect(paid(7n)).toBe(1)
    await one.pay(7n)
    node.mine()
    expect(paid(7n), 'is meant again').toBe(2)
  })

  it('is pending after it was cancelled, and can be made once the cancellation won', async () => {
    const { node, one, paid, hash } = await doubtful('cut')
    const cancelled = await one.replace(hash, 'cancel')
    await expect(one.pay(7n)).rejects.toMatchObject(pending)
    await expect(one.pay(8n)).rejects.toMatchObject(pending)
    node.mine()
    await one.pay(7n)
    node.mine()
    expect([node.mined()[0]?.hash, paid(7n)]).toEqual([cancelled, 1])
  })

  it('is not made again if its cancellation comes too late', async () => {
    const { node, one, paid, hash } = await doubtful('dropped')
    // The node answers with a hash, but the payment is in a block by then.
    node.decide('lost')
    await one.replace(hash, 'cancel')
    await node.deliver()
    node.mine()
    node.in({ ...fair, lag: 1 })
    await expect(one.pay(7n)).rejects.toMatchObject(pending)
    node.in(fair)
    await expect(one.pay(7n)).rejects.toMatchObject({ code: 'TRANSACTION_REPLACED' })
    node.mine()
    expect(paid(7n)).toBe(1)
  })

  it('is sped up again by the wallet if the nodes have lost the speed-up', async () => {
    const { node, one, paid, hash } = await doubtful('dropped')
    node.decide('lost')
    await one.replace(hash, 'speedUp')
    await expect(one.pay(8n)).rejects.toMatchObject(pending)
    const minedNow = () => {
      node.mine()
      return paid(7n)
    }
    await expect.poll(minedNow).toBe(1)
  })
})

describe('a replacement is refused', () => {
  it('1. of a hash that this wallet has not sent', async () => {
    const { pay, prepare, signed } = await payer('mine')
    const other = await payer('theirs')
    await pay()
    const foreign = await other.pay()
    for (const hash of [foreign, `0x${'7'.repeat(64)}`])
      await expect(prepare(hash, 'cancel')).rejects.toMatchObject({ code: 'INVALID_PARAMS' })
    expect(signed).toHaveLength(1)
  })

  it('1. of a transaction that a block has', async () => {
    const { pay, prepare } = await payer('done')
    const first = await pay()
    await tests.mine({ blocks: 1 })
    await expect(prepare(first, 'speedUp')).rejects.toMatchObject({ code: 'TRANSACTION_MINED' })
  })

  it('4. if the balance does not cover the higher fee, with what is missing', async () => {
    const { from, pay, prepare } = await payer('max')
    const { maxFeePerGas } = await client.estimateFeesPerGas()
    const price = maxFeePerGas * 2n
    const value = parseEther('1') - 21_000n * price
    const fees = { maxFeePerGas: toHex(price), maxPriorityFeePerGas: '0x1' }
    const first = await pay({ value: toHex(value), gas: '0x5208', ...fees })
    await expect(prepare(first, 'speedUp')).rejects.toMatchObject({
      code: 'FEE_NOT_COVERED',
      message: expect.stringMatching(/: missing 0\.0\d+ ETH$/),
    })
    await tests.setBalance({ address: from, value: parseEther('1.1') })
    expect(await prepare(first, 'speedUp')).toMatchObject({ call: { value: String(value) } })
  })

  it('2. if a block has it between the press and the broadcast; nothing is lost', async () => {
    const { pay, prepare, execute, received, waiting } = await payer('race')
    const first = await pay()
    const subject = await prepare(first, 'cancel')
    await tests.mine({ blocks: 1 })
    await expect(execute(subject)).rejects.toMatchObject({ code: 'TRANSACTION_MINED' })
    expect(await waiting()).toEqual([])
    await pay()
    await tests.mine({ blocks: 1 })
    expect(await received()).toBe(10n)
  }, 20_000)

  it('2. if nodes want a higher fee; the note is as before', async () => {
    const { pay, prepare, execute, waiting, ...wallet } = await payer('under')
    const first = await pay()
    const before = await waiting()
    const subject = await prepare(first, 'speedUp')
    const message = 'replacement transaction underpriced'
    await expect(wallet.while('is refused', () => execute(subject), message)).rejects.toMatchObject({
      code: 'REPLACEMENT_UNDERPRICED',
    })
    expect(await waiting()).toEqual(before)
  }, 20_000)

  it('2. if nodes want more than an eighth, and the next one offers half more', async () => {
    const { pay, prepare, execute, ...wallet } = await payer('more and more')
    const first = await pay()
    const feesOf = async () => {
      const subject = await prepare(first, 'speedUp')
      if (subject.kind !== 'eip155.transaction') return expect.unreachable()
      return {
        subject,
        price: BigInt(subject.fees.maxFeePerGas ?? 0),
        tip: BigInt(subject.fees.maxPriorityFeePerGas ?? 0),
      }
    }
    let before = await feesOf()
    for (let attempt = 0; attempt < 3; attempt += 1) {
      const refused = wallet.while('is refused', () => execute(before.subject), 'replacement transaction underpriced')
      await expect(refused).rejects.toMatchObject({ code: 'REPLACEMENT_UNDERPRICED' })
      const next = await feesOf()
      expect(next.price * 2n).toBeGreaterThanOrEqual(before.price * 3n)
      expect(next.tip * 2n).toBeGreaterThanOrEqual(before.tip * 3n)
      before = next
    }
    await execute(before.subject)
  }, 30_000)

  it('2. of another site’s transaction that pays more, although no node tells that it waits', async () => {
    const { node, one, other } = await twoSites('unseen rival')
    const hash = await one.pay(7n)
    const subject = await one.prepareReplacement(hash, 'speedUp')
    node.in({ ...fair, pendingIsLatest: true })
    await other.pay(8n, dear)
    const held = { ...replaced, message: expect.stringContaining('another site or device') }
    await expect(one.execute(subject)).rejects.toMatchObject(held)
    await expect(one.replace(hash, 'cancel')).rejects.toMatchObject(held)
    node.in(fair)
    await expect(one.replace(hash, 'cancel')).rejects.toMatchObject(held)
  }, 30_000)

  it('1. if its own cancellation has the nonce, which is not the payment', async () => {
    const { node, one, paid } = await twoSites('won')
    const hash = await one.pay(7n)
    await one.replace(hash, 'cancel')
    node.mine()
    for (const kind of ['cancel', 'speedUp'] as const)
      await expect(one.prepareReplacement(hash, kind)).rejects.toMatchObject(replaced)
    expect(paid(7n)).toBe(0)
  })

  it('1. of a transaction whose speed-up a block has', async () => {
    const { node, one } = await twoSites('sped up')
    const hash = await one.pay(7n)
    await one.replace(hash, 'speedUp')
    node.mine()
    await expect(one.prepareReplacement(hash, 'cancel')).rejects.toMatchObject({ code: 'TRANSACTION_MINED' })
  })

  it.each(['waits', 'is in a block'])('1. if a payment of another site has the nonce and %s', async (where) => {
    const { node, clock, one, other, paid } = await twoSites('elsewhere')
    const hash = await one.pay(7n)
    node.forgetPool()
    clock.advance(60 * minute)
    await other.pay(8n)
    if (where === 'is in a block') node.mine()
    for (const kind of ['cancel', 'speedUp'] as const)
      await expect(one.replace(hash, kind)).rejects.toMatchObject(replaced)
    node.mine()
    expect([paid(7n), paid(8n)]).toEqual([0, 1])
  })

  it.each(['waits', 'is in a block'])(
    '2. if a payment of another site takes the nonce after the press and %s',
    async (where) => {
      for (const isLate of [false, true]) {
        const { node, one, other, paid } = await twoSites('between')
        const hash = await one.pay(7n)
        const subject = await one.prepareReplacement(hash, 'speedUp')
        const overtake = async () => {
          node.forgetPool()
          await other.pay(8n, dear)
          if (where === 'is in a block') node.mine()
        }
        if (!isLate) await overtake()
        const late: typeof fetch = async (input, init) => {
          if (String(init?.body).includes('eth_sendRawTransaction')) await overtake()
          return node.fetch(input, init)
        }
        const before = await one.waiting()
        await expect(one.execute(subject, isLate ? late : node.fetch)).rejects.toMatchObject(replaced)
        node.mine()
        expect([paid(7n), paid(8n)]).toEqual([0, 1])
        if (where === 'waits' && !isLate) expect(before).toMatchObject([{ newest: hash }])
      }
    },
    20_000,
  )

  it.each(['another transaction', 'no transaction', 'none'])('1. of a note whose bytes are %s', async (kind) => {
    const { node, one } = await twoSites('bytes')
    const hash = await one.pay(7n)
    const stranger = await privateKeyToAccount(`0x${'1'.repeat(64)}`).signTransaction({
      type: 'eip1559',
      chainId: 31_337,
      nonce: 0,
      to: friend,
      value: parseEther('100'),
      gas: 21_000n,
      maxFeePerGas: 10n ** 9n,
      maxPriorityFeePerGas: 1n,
    })
    const signed = { 'another transaction': stranger, 'no transaction': '0x02', none: undefined }[kind]
    const forge = (more: object) =>
      one.storage.update((kept) =>
        (Array.isArray(kept) ? kept : []).map((note: object) => ({ ...note, signed, ...more })),
      )
    await forge({})
    expect(await one.waiting()).toEqual([])
    await expect(one.prepareReplacement(hash, 'speedUp')).rejects.toMatchObject({ code: 'INVALID_PARAMS' })
    if (kind !== 'another transaction') return
    // Bytes and hash of a stranger's transaction.
    await forge({ hash: keccak256(stranger) })
    node.forgetPool()
    expect(await one.waiting()).toEqual([])
    await expect(one.prepareReplacement(keccak256(stranger), 'cancel')).rejects.toMatchObject({
      code: 'INVALID_PARAMS',
    })
  })

  it('1. in a second tab that pressed at once', async () => {
    const { pay, prepare, execute, tab, waiting } = await payer('tabs')
    const first = await pay()
    const other = tab()
    const [one, two] = [await prepare(first, 'speedUp'), await prepare(first, 'cancel', other)]
    const second = await execute(one)
    await expect(execute(two, other)).rejects.toMatchObject({ code: 'TRANSACTION_REPLACED' })
    expect(await waiting()).toMatchObject([{ newest: second }])
  })
})

describe('a broadcast of a replacement without an answer', () => {
  it('3. is in the note: whichever a block has settles it', async () => {
    const { pay, prepare, execute, reload, waiting, received, ...wallet } = await payer('no answer')
    const first = await pay()
    const subject = await prepare(first, 'cancel')
    await expect(wallet.while('is cut off', () => execute(subject))).rejects.toMatchObject({ code: 'ABORTED' })
    reload()
    expect(await waiting()).toMatchObject([{ hash: first, replacedBy: 'cancel' }])
    await tests.mine({ blocks: 1 })
    await pay()
    await tests.mine({ blocks: 1 })
    expect(await received()).toBe(5n)
  })
})

describe('the cancellation of an account with code that refuses an empty call', () => {
  it('2. has a fixed gas limit', async () => {
    const { node, one } = await twoSites('delegated')
    const hash = await one.pay(7n)
    const Call = z.object({ id: z.number(), method: z.string() })
    const refusing: typeof fetch = async (input, init) => {
      const body: unknown = JSON.parse(String(init?.body))
      const calls = z.array(Call).parse(Array.isArray(body) ? body : [body])
      if (calls.every(({ method }) => method !== 'eth_estimateGas')) return node.fetch(input, init)
      const error = { code: 3, message: 'execution reverted' }
      const answers = await Promise.all(
        calls.map(async (call) => {
          if (call.method === 'eth_estimateGas') return { jsonrpc: '2.0', id: call.id, error }
          const one = Array.isArray(body) ? body.find((other: unknown) => Call.parse(other).id === call.id) : body
          const answer: unknown = await (await node.fetch(input, { ...init, body: JSON.stringify(one) })).json()
          return answer
        }),
      )
      return Response.json(Array.isArray(body) ? answers : answers[0])
    }
    const subject = await one.prepareReplacement(hash, 'cancel', refusing)
    expect(subject.fees.gas).toBe('100000')
    const cancelled = await one.execute(subject)
    node.mine()
    expect(node.mined()).toMatchObject([{ hash: cancelled }])
  })
})

describe('wallet_getCallsStatus of a batch', () => {
  const batch = (from: string, to: string, id?: string) => [
    {
      version: '2.0.0',
      from,
      chainId: '0x7a69',
      atomicRequired: false,
      calls: [{ to, value: '0x5' }],
      ...(id && { id }),
    },
  ]

  it.each([undefined, 'order-7'])('has the receipt of the speed-up, also long after; id %s', async (id) => {
    const { from, friend, send, waiting, replace, status } = await payer(`batch ${id}`)
    const sent = Id.parse(await send('wallet_sendCalls', batch(from, friend, id)))
    const [found] = await waiting()
    const second = await replace(found?.hash ?? '', 'speedUp')
    expect(await status(sent.id)).toEqual({ status: 100 })
    await tests.mine({ blocks: 1 })
    expect(await status(sent.id)).toMatchObject({ status: 200, receipts: [{ transactionHash: second }] })
    await tests.mine({ blocks: 40 })
    expect(await status(sent.id)).toMatchObject({ status: 200, receipts: [{ transactionHash: second }] })
  })

  it('has the receipt of the speed-up also if a tab of the previous release writes the notes', async () => {
    const { node, clock, one } = await twoSites('previous')
    const id = await one.payBatch(9n)
    const [found] = await one.waiting()
    const second = await one.replace(found?.hash ?? '', 'speedUp')
    await one.storage.update(asPreviousRelease)
    expect(await one.waiting()).toMatchObject([{ newest: second, replacedBy: 'speedUp' }])
    node.mine()
    await one.pay(1n)
    // By then both releases have dropped the note.
    clock.advance(20 * minute)
    await one.waiting()
    for (let blocks = 0; blocks < 20; blocks += 1) node.mine()
    for (const _ of [1, 2]) {
      expect(await one.status(id)).toBe(200)
      await one.storage.update(asPreviousRelease)
    }
  })

  it('has failed for good once it was cancelled', async () => {
    const { from, friend, send, waiting, replace, status } = await payer('cancelled batch')
    const sent = Id.parse(await send('wallet_sendCalls', batch(from, friend)))
    const [found] = await waiting()
    await replace(found?.hash ?? '', 'cancel')
    await tests.mine({ blocks: 1 })
    expect(await status(sent.id)).toEqual({ status: 400 })
    await tests.mine({ blocks: 40 })
    expect(await status(sent.id)).toEqual({ status: 400 })
  })
})

/** A dapp that was told of an error sends its batch again, with the same id. Numbers: `requireFreeId`. */
import { manualClock } from '@postern/base/testing/manual-clock'
import { type Hex, numberToHex } from 'viem'
import { describe, expect, it } from 'vitest'
import * as z from 'zod/mini'
import { memoryNotes } from '../../notes'
import { encodeCalls, safeAddress } from '../account/safe'
import { createEip155Chain } from '../chain'
import { testWallet } from '../testing/wallet'
import { weatherBundler } from '../testing/weather-bundler'
import { weatherNode } from '../testing/weather-node'

const friend = '0x00000000000000000000000000000000000F4153'
const duplicate = { rpc: 5720 }
const unknown = { rpc: 5730 }
const pending = { code: 'REQUEST_PENDING' }
const refusal = /txpool is full|AA24/
const carriedOut = { code: 'TRANSACTION_REPLACED', data: { sentHash: expect.any(String) } }
const Subject = z.union([
  z.object({ operation: z.object({ nonce: z.string() }) }),
  z.object({ transactions: z.array(z.object({ nonce: z.string() })) }),
])

type Batch = { readonly id?: string; readonly value?: number; readonly chainId?: number }

const payerOf = (accountType: 'eoa' | 'smartAccount') =>
  testWallet(`free id of ${accountType}`, fetch, {
    accountType,
    page: { smartAccounts: accountType === 'eoa' ? [] : [31_337, 1].map((chainId) => ({ chainId, paymaster: false })) },
  })
type Payer = Awaited<ReturnType<typeof payerOf>>
const payers = { eoa: await payerOf('eoa'), smartAccount: await payerOf('smartAccount') }

/** `network`: of the account. A new tab for each call. */
function wallet({ context }: Payer, from: Hex, network: typeof fetch, clock = manualClock(1_800_000_000_000)) {
  const notes = memoryNotes()
  const broadcasts: (() => Promise<unknown>)[] = []
  const here = {
    ...context,
    fetch: async (input: Parameters<typeof fetch>[0], init?: RequestInit) => {
      if (/eth_send(Raw|User)/.test(String(init?.body))) broadcasts.push(() => network(input, init))
      return network(input, init)
    },
  }
  const tab = () => createEip155Chain(notes, clock)
  const store = (entries: readonly object[]) =>
    notes.update((stored) => [...(Array.isArray(stored) ? stored : []), ...entries])
  const many = Array.from({ length: 70 }, (_, at) => numberToHex(at + 1_000, { size: 32 }))
  /** Of other transactions, which the chain has decided. */
  const replaceMany = () =>
    store(many.map((hash) => ({ owner: from, origin: 'speedUp', id: `${hash}:${hash}`, callsId: '0x' })))
  const payMany = () =>
    store(
      many.map((hash, at) => ({
        chainId: 31_337,
        account: from,
        nonce: numberToHex(1_000 + at),
        hash,
        isFollowed: true,
        sentAt: 0,
      })),
    )
  async function prepare({ id, value = 1, chainId = 31_337 }: Batch, chain = tab()) {
    const at = { ...here, networkId: `eip155:${chainId}` } as const
    const calls = [{ to: friend, value: numberToHex(value) }]
    const batch = { version: '2.0.0', from, chainId: numberToHex(chainId), atomicRequired: false, calls }
    const { subject } = await chain.prepare('wallet_sendCalls', [{ ...batch, ...(id && { id }) }], at)
    const read = Subject.parse(subject)
    return {
      nonce: Number('operation' in read ? read.operation.nonce : read.transactions[0]?.nonce),
      execute: () => chain.execute('wallet_sendCalls', subject, at),
    }
  }
  return {
    clock,
    from,
    here,
    tab,
    prepare,
    replaceMany,
    payMany,
    send: async (batch: Batch) => (await prepare(batch)).execute(),
    status: async (id: string) =>
      z.object({ status: z.number() }).parse(await tab().answer('wallet_getCallsStatus', [id], here)).status,
    /** The refused bytes of the broadcast `at` reach a node after all. */
    arrive: (at: number) => broadcasts[at]?.(),
  }
}

function plainWallet() {
  const from: Hex = `0x${payers.eoa.context.addresses.eip155.slice(2)}`
  const node = weatherNode(from)
  return {
    ...wallet(payers.eoa, from, node.fetch),
    otherSite: () => wallet(payers.eoa, from, node.fetch),
    refuse: () => node.decide('refused'),
    deny: () => node.decide('denied'),
    lose: () => node.decide('lost'),
    changeBytes: () => node.price(2n * 10n ** 9n),
    mine: () => node.mine(),
    /** Refused, and of another chain, which wins with {@link reorganise}. */
    refuseHere: () => node.decide('late'),
    reorganise: () => node.reorganise(1, { withRivals: true }),
    paid: () => node.mined().map(({ value }) => Number(value)),
  }
}

function smartWallet() {
  const from = safeAddress(`0x${payers.smartAccount.context.addresses.eip155.slice(2)}`)
  const clock = manualClock(1_800_000_000_000)
  const bundler = weatherBundler(() => BigInt(Math.floor(clock.now() / 1_000)))
  const here = wallet(payers.smartAccount, from, bundler.fetch, clock)
  return {
    ...here,
    resetBytes: () => bundler.price(10n ** 9n),
    refuse: () => bundler.decide('refused'),
    outbid: () => bundler.decide('outbid'),
    deny: () => bundler.decide('denied'),
    lose: () => bundler.decide('lost'),
    changeBytes: () => bundler.price(2n * 10n ** 9n),
    mine: () => bundler.mine(),
    refuseHere: () => bundler.decide('refused'),
    async reorganise() {
      bundler.reorganise()
      await here.arrive(0)
    },
    paid: () => bundler.mined().map(({ value }) => Number(value)),
  }
}

describe.each([
  { account: 'plain account', open: plainWallet },
  { account: 'smart account', open: smartWallet },
])('the id of a batch of the $account that was refused', ({ open }) => {
  it('2. is used if a block has the batch nevertheless', async () => {
    const { deny, send, mine, status, paid } = open()
    deny()
    await expect(send({ id: 'order-7' })).rejects.toThrow(/internal error/i)
    mine()
    for (const _ of [1, 2]) await expect(send({ id: 'order-7' })).rejects.toMatchObject(duplicate)
    expect(await status('order-7')).toBe(200)
    expect(paid()).toEqual([1])
  })

  it('2. is used by the time of the approval, if it arrives meanwhile', async () => {
    const { refuse, send, prepare, arrive, mine, paid } = open()
    refuse()
    await expect(send({ id: 'order-7' })).rejects.toThrow()
    const again = await prepare({ id: 'order-7' })
    await arrive(0)
    mine()
    await expect(again.execute()).rejects.toMatchObject(duplicate)
    expect(paid()).toEqual([1])
  })

  it('2. is used while the batch waits, and pending', async () => {
    const { deny, send, status } = open()
    deny()
    await expect(send({ id: 'order-7' })).rejects.toThrow()
    await expect(send({ id: 'order-7' })).rejects.toMatchObject(duplicate)
    expect(await status('order-7')).toBe(100)
  })

  it('3. is free while nothing knows the batch, and the next one takes its nonce', async () => {
    const { refuse, send, prepare, mine, status, paid } = open()
    refuse()
    await expect(send({ id: 'order-7' })).rejects.toThrow()
    await expect(status('order-7')).rejects.toMatchObject(unknown)
    const { nonce, execute } = await prepare({ id: 'order-7' })
    expect(nonce).toBe(0)
    expect(await execute()).toEqual({ id: 'order-7' })
    await expect(send({ id: 'order-7' })).rejects.toMatchObject(duplicate)
    mine()
    expect(await status('order-7')).toBe(200)
    expect(paid()).toEqual([1])
  })

  it('3. has the status of the refused batch if that one is made instead of the next', async () => {
    const { clock, refuse, lose, changeBytes, send, arrive, mine, status, paid } = open()
    refuse()
    await expect(send({ id: 'order-7' })).rejects.toThrow()
    changeBytes()
    lose()
    await send({ id: 'order-7' })
    await arrive(0)
    mine()
    expect(await status('order-7')).toBe(200)
    // Long after, when the newest blocks do not have it.
    for (let block = 0; block < 20; block += 1) mine()
    clock.advance(5_000_000)
    expect(await status('order-7')).toBe(200)
    await expect(send({ id: 'order-7' })).rejects.toMatchObject(duplicate)
    await send({ value: 2 })
    mine()
    expect(paid()).toEqual([1, 2])
  })

  it('3. is free for other calls too: the status tells them apart', async () => {
    const { clock, refuse, lose, send, arrive, mine, status, paid } = open()
    refuse()
    await expect(send({ id: 'order-7' })).rejects.toThrow()
    lose()
    await send({ id: 'order-7', value: 2 })
    await arrive(0)
    mine()
    clock.advance(601_000)
    expect(await status('order-7')).toBe(400)
    expect(paid()).toEqual([1])
    // The refused calls were made: their caller was told of an error.
    await expect(send({ id: 'order-8', value: 2 })).rejects.toMatchObject(carriedOut)
  })

  it('2. is used if an earlier try with other calls is made', async () => {
    const { refuse, changeBytes, send, arrive, mine, paid } = open()
    for (const value of [1, 2, 1]) {
      if (value === 2) changeBytes()
      refuse()
      await expect(send({ id: 'order-7', value })).rejects.toThrow(refusal)
    }
    await arrive(1)
    mine()
    await expect(send({ value: 3 })).rejects.toMatchObject(carriedOut)
    for (const value of [1, 2, 4]) await expect(send({ id: 'order-7', value })).rejects.toMatchObject(duplicate)
    expect(paid()).toEqual([2])
  })

  it('2. is used while an earlier try with other calls waits', async () => {
    const { refuse, send, arrive } = open()
    for (const value of [1, 2]) {
      refuse()
      await expect(send({ id: 'order-7', value })).rejects.toThrow(refusal)
    }
    await arrive(0)
    for (const value of [1, 2]) await expect(send({ id: 'order-7', value })).rejects.toMatchObject(duplicate)
  })

  it('1. is not taken by the next request if the user rejects the batch', async () => {
    const { tab, prepare, send } = open()
    const here = tab()
    await prepare({ id: 'order-7' }, here)
    const { execute } = await prepare({}, here)
    expect(await execute()).not.toEqual({ id: 'order-7' })
    expect(await send({ id: 'order-7' })).toEqual({ id: 'order-7' })
  })

  it('3. stays free after its nonce is used, and its status final', async () => {
    const { clock, refuse, send, mine, status, paid } = open()
    refuse()
    await expect(send({ id: 'order-7' })).rejects.toThrow()
    for (const value of [2, 3]) {
      await send({ value })
      mine()
    }
    clock.advance(601_000)
    expect(await status('order-7')).toBe(400)
    await send({ id: 'order-7' })
    mine()
    expect(paid()).toEqual([2, 3, 1])
  })

  it('3. is free once another payment has taken the nonce', async () => {
    const { clock, refuse, send, mine, paid } = open()
    refuse()
    await expect(send({ id: 'order-7' })).rejects.toThrow()
    await send({ value: 2 })
    // Both may be made: no next batch can take the nonce.
    await expect(send({ id: 'order-7' })).rejects.toMatchObject(pending)
    mine()
    clock.advance(601_000)
    // 4: the ten minutes begin when the wallet first sees the block.
    await expect(send({ id: 'order-7' })).rejects.toMatchObject(pending)
    clock.advance(601_000)
    await send({ id: 'order-7' })
    mine()
    expect(paid()).toEqual([2, 1])
  })

  it('3. is not free on another network, whose nonces are its own', async () => {
    const { refuse, send } = open()
    refuse()
    await expect(send({ id: 'order-7' })).rejects.toThrow()
    await expect(send({ id: 'order-7', chainId: 1 })).rejects.toMatchObject(pending)
  })

  it('2. is reported to another request of the account once', async () => {
    const { deny, send, mine, paid } = open()
    deny()
    await expect(send({ id: 'order-7' })).rejects.toThrow()
    mine()
    await expect(send({ value: 2 })).rejects.toMatchObject(carriedOut)
    await expect(send({ id: 'order-7' })).rejects.toMatchObject(duplicate)
    await send({ value: 2 })
    mine()
    expect(paid()).toEqual([1, 2])
  })

  it('4. has the status of no other batch of the same calls that takes its nonce', async () => {
    const { clock, refuse, changeBytes, send, mine, status, paid } = open()
    refuse()
    await expect(send({ id: 'order-7' })).rejects.toThrow(refusal)
    changeBytes()
    await send({ id: 'order-8' })
    mine()
    expect(await status('order-8')).toBe(200)
    await expect(send({ id: 'order-7' })).rejects.toMatchObject(pending)
    clock.advance(601_000)
    expect(await status('order-7')).toBe(400)
    await send({ id: 'order-7' })
    mine()
    expect(await status('order-7')).toBe(200)
    expect(paid()).toEqual([1, 1])
  })

  it('5. is not that of another batch with the same bytes', async () => {
    const { refuse, send, mine, status, paid } = open()
    refuse()
    await expect(send({ id: 'order-7' })).rejects.toThrow(refusal)
    await send({ id: 'order-8' })
    mine()
    expect(await status('order-8')).toBe(200)
    await expect(status('order-7')).rejects.toMatchObject(unknown)
    await expect(send({ id: 'order-8' })).rejects.toMatchObject(duplicate)
    await send({ id: 'order-7' })
    mine()
    expect(await status('order-7')).toBe(200)
    expect(paid()).toEqual([1, 1])
  })

  it.each([undefined, 'order-8'])('does not matter for the same calls: they wait as well (id: %s)', async (id) => {
    const { clock, refuse, send, mine, paid } = open()
    const again = { ...(id !== undefined && { id }) }
    refuse()
    await expect(send({ id: 'order-7' })).rejects.toThrow(refusal)
    await send({ value: 2 })
    await expect(send(again)).rejects.toMatchObject(pending)
    mine()
    await expect(send(again)).rejects.toMatchObject(pending)
    clock.advance(601_000)
    await send(again)
    mine()
    expect(paid()).toEqual([2, 1])
  })

  it('holds up nothing once the same calls have taken the nonce', async () => {
    const { refuse, changeBytes, send, mine, paid } = open()
    refuse()
    await expect(send({ id: 'order-7' })).rejects.toThrow(refusal)
    changeBytes()
    for (const _ of [1, 2, 3]) {
      await send({})
      mine()
    }
    expect(paid()).toEqual([1, 1, 1])
  })

  it('is that of its own request, however many have the same content', async () => {
    const { tab, prepare, send, mine, status, paid } = open()
    const here = tab()
    const first = await prepare({ id: 'order-7' }, here)
    await prepare({}, here)
    expect(await first.execute()).toEqual({ id: 'order-7' })
    mine()
    await expect(send({ id: 'order-7' })).rejects.toMatchObject(duplicate)
    const [second, other] = [await prepare({ id: 'order-8' }, here), await prepare({ id: 'order-9' }, here)]
    expect(await second.execute()).toEqual({ id: 'order-8' })
    await expect(other.execute()).rejects.toMatchObject({ code: 'TRANSACTION_REPLACED' })
    mine()
    await expect(send({ id: 'order-8' })).rejects.toMatchObject(duplicate)
    await expect(status('order-9')).rejects.toMatchObject(unknown)
    expect(paid()).toEqual([1, 1])
  })

  it('4. is not free while a reorganisation may bring the refused batch back', async () => {
    const { clock, refuseHere, changeBytes, send, payMany, mine, reorganise, status, paid } = open()
    refuseHere()
    await expect(send({ id: 'order-7' })).rejects.toThrow()
    changeBytes()
    await send({ value: 2 })
    mine()
    await expect(send({ id: 'order-7' })).rejects.toMatchObject(pending)
    await payMany()
    await expect(send({ id: 'order-7' })).rejects.toMatchObject(pending)
    await reorganise()
    mine()
    clock.advance(601_000)
    await expect(send({ id: 'order-7' })).rejects.toMatchObject(duplicate)
    expect(await status('order-7')).toBe(200)
    expect(paid()).toEqual([1])
  })

  it('2. is used after its nonce, however many replacements follow', async () => {
    const { clock, refuse, changeBytes, send, arrive, mine, replaceMany, status, paid } = open()
    for (const _ of [1, 2]) {
      refuse()
      await expect(send({ id: 'order-7' })).rejects.toThrow(refusal)
      changeBytes()
    }
    await arrive(0)
    mine()
    await expect(send({ value: 2 })).rejects.toMatchObject(carriedOut)
    clock.advance(100_000_000)
    await replaceMany()
    expect(await status('order-7')).toBe(200)
    await expect(send({ id: 'order-7' })).rejects.toMatchObject(duplicate)
    expect(paid()).toEqual([1])
  })
})

describe('a batch that another one overtakes', () => {
  it('of the plain account has not the outcome of the other, with the same call', async () => {
    const { refuse, changeBytes, lose, send, arrive, mine, paid, status } = plainWallet()
    refuse()
    await expect(send({ id: 'order-7' })).rejects.toThrow(refusal)
    changeBytes()
    lose()
    await send({ id: 'order-8' })
    await arrive(0)
    mine()
    expect(paid()).toEqual([1])
    expect([await status('order-7'), await status('order-8')]).toEqual([200, 400])
  })

  it('of the plain account has not the outcome of another site’s', async () => {
    const { otherSite, lose, changeBytes, send, mine, paid, status } = plainWallet()
    lose()
    await send({ id: 'order-7' })
    changeBytes()
    const other = otherSite()
    await other.send({ id: 'order-8' })
    mine()
    expect(paid()).toEqual([1])
    expect([await other.status('order-8'), await status('order-7')]).toEqual([200, 400])
  })

  it('of the smart account ends with its hour, also if its nonce is used later', async () => {
    const { clock, refuse, send, mine, status } = smartWallet()
    refuse()
    await expect(send({ id: 'order-7' })).rejects.toThrow(refusal)
    clock.advance(3_700_000)
    for (let block = 0; block < 200; block += 1) mine()
    await send({ value: 2 })
    mine()
    clock.advance(20 * 3_600_000)
    expect(await status('order-7')).toBe(400)
    await send({ id: 'order-7' })
  })

  it('of the smart account, refused for its price, is not made again in another lane', async () => {
    const { clock, outbid, send, arrive, mine, paid } = smartWallet()
    outbid()
    await expect(send({})).rejects.toMatchObject({ code: 'TRANSACTION_REPLACED' })
    await expect(send({})).rejects.toMatchObject(pending)
    await send({ value: 2 })
    await arrive(0)
    mine()
    expect(paid().toSorted()).toEqual([1, 2])
    await expect(send({})).rejects.toMatchObject(carriedOut)
    clock.advance(601_000)
    await send({})
  })

  it('of the smart account is free ten minutes after its hour, at the first retry, with the nonce that it had', async () => {
    const { clock, refuse, prepare, send, mine } = smartWallet()
    refuse()
    await expect(send({ id: 'order-7' })).rejects.toThrow(refusal)
    clock.advance(4_201_000)
    mine()
    expect((await prepare({ id: 'order-7' })).nonce).toBe(0)
    expect((await prepare({})).nonce).toBe(0)
  })

  it('of the smart account has not the outcome of a later one with the same bytes', async () => {
    const { clock, refuse, changeBytes, resetBytes, lose, send, mine, paid, status } = smartWallet()
    refuse()
    await expect(send({ id: 'order-7' })).rejects.toThrow(refusal)
    changeBytes()
    lose()
    await send({ id: 'order-7' })
    clock.advance(4_300_000)
    expect(await status('order-7')).toBe(400)
    resetBytes()
    await send({ id: 'order-8' })
    mine()
    expect(paid()).toEqual([1])
    expect(await status('order-7')).toBe(400)
  })
})

it('an operation with a nonce that leaves a gap is refused before the approval, and blocks no other', async () => {
  const { clock, from, here, tab, prepare } = smartWallet()
  const gas = { callGasLimit: '0x10000', verificationGasLimit: '0x10000', preVerificationGas: '0xc000' }
  const callData = encodeCalls([{ to: friend, value: 1n, data: '0x' }])
  const operation = { sender: from, nonce: '0x5', callData, ...gas }
  const asked = tab().prepare('eth_sendUserOperation', [operation, '0x0000000071727De22E5E9d8BAf0edAc6f37da032'], here)
  await expect(asked).rejects.toMatchObject({ code: 'INVALID_PARAMS' })
  clock.advance(11 * 60_000)
  expect((await prepare({ value: 2 })).nonce).toBe(0)
})

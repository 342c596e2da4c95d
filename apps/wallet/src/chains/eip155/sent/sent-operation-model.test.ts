/** Random walks of two tabs and another site of one smart account; `PROPERTY_SEED` repeats them, `WALKS` sets their number. */

import { manualClock } from '@postern/base/testing/manual-clock'
import { walks } from '@postern/base/testing/walks'
import type { ApprovalSubject } from '@postern/protocol'
import { Failure } from '@postern/protocol/failure'
import fc from 'fast-check'
import { numberToHex } from 'viem'
import { expect, it } from 'vitest'
import * as z from 'zod/mini'
import { memoryNotes } from '../../notes'
import { encodeCalls, safeAddress } from '../account/safe'
import { createEip155Chain } from '../chain'
import { operationIds } from '../operations/send'
import { checkedOperation } from '../operations/user-operation'
import { testWallet } from '../testing/wallet'
import { type BundlerFate, weatherBundler } from '../testing/weather-bundler'

const friend = '0x00000000000000000000000000000000000F4153'
const sites = ['one', 'one', 'other'] as const
/** Four of each site. */
const payments = Array.from({ length: 8 }, (_, index) => index)
const ids = ['order-1', 'order-2', 'order-3'] as const
const amountOf = { payment: (index: number) => BigInt(index + 1), calls: (index: number) => BigInt(index + 101) }

const unknownEnds: ReadonlySet<string> = new Set(['ABORTED', 'TRANSACTION_UNCONFIRMED'])

const tab = fc.nat({ max: sites.length - 1 })
const Step = fc.oneof(
  { weight: 8, arbitrary: fc.record({ kind: fc.constant('prepare' as const), tab, index: fc.nat({ max: 3 }) }) },
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('prepareCalls' as const),
      tab: fc.nat({ max: 1 }),
      index: fc.nat({ max: 2 }),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('sendCalls' as const),
      tab: fc.nat({ max: 1 }),
      index: fc.nat({ max: 2 }),
    }),
  },
  {
    weight: 7,
    arbitrary: fc.record({
      kind: fc.constant('replace' as const),
      tab,
      which: fc.nat({ max: 3 }),
      how: fc.constantFrom('speedUp' as const, 'cancel' as const),
    }),
  },
  { weight: 14, arbitrary: fc.record({ kind: fc.constant('approve' as const), which: fc.nat({ max: 3 }) }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('status' as const) }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('mine' as const) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('mineUnseen' as const) }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('bundle' as const) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('forget' as const) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('blind' as const) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('lag' as const), isLate: fc.boolean() }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('reload' as const), tab }) },
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('fate' as const),
      fate: fc.constantFrom<BundlerFate[]>('refused', 'outbid', 'denied', 'cut', 'dropped', 'lost'),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('pass' as const), seconds: fc.constantFrom(10, 61, 601, 3_601, 4_201) }),
  },
)
type Step = typeof Step extends fc.Arbitrary<infer T> ? T : never

const page = { smartAccounts: [{ chainId: 31_337, paymaster: false }] }
const account = await testWallet('operations', fetch, { accountType: 'smartAccount', page })
const from = safeAddress(`0x${account.context.addresses.eip155.slice(2)}`)

async function walk(steps: readonly Step[]): Promise<void> {
  const clock = manualClock(1_800_000_000_000)
  const bundler = weatherBundler(() => BigInt(Math.floor(clock.now() / 1_000)))
  const storage = { one: memoryNotes(), other: memoryNotes() }
  const chainOf = (site: 'one' | 'other') => createEip155Chain(storage[site], clock)
  const tabs = sites.map((site) => ({ site, chain: chainOf(site) }))
  let prepared: readonly { readonly what: string; readonly execute: () => Promise<unknown> }[] = []
  /** The user asks for each payment until it is made, or until a look at the account shows that it may be. */
  const over = new Set<string>()
  const reported: { readonly index: number; readonly tab: number; readonly hash: string }[] = []
  const hashOf = new Map<string, string>()
  const usedIds = new Set<string>()
  /** Ids of batches whose caller does not know whether they were sent. */
  const doubtedIds = new Set<string>()
  /** In seconds; by payment or id. */
  const endOf = new Map<string, number>()
  const failedIds = new Set<string>()

  const context = () => {
    const end = new AbortController()
    bundler.onAbort(() => end.abort())
    return { ...account.context, fetch: bundler.fetch, signal: end.signal }
  }

  function hear(error: unknown): void {
    if (!(error instanceof Failure)) throw error
    expect(error.code, 'no bundler error is internal but a refusal').not.toBe('BUNDLER_UNAVAILABLE')
    const { sentHash } = z.object({ sentHash: z.optional(z.string()) }).parse(error.data ?? {})
    if (error.code !== 'TRANSACTION_REPLACED' || sentHash === undefined) return
    const what = hashOf.get(sentHash)
    if (what !== undefined) over.add(what)
  }

  function offer(at: number, what: string, method: string, subject: ApprovalSubject): void {
    const { chain } = tabs[at] ?? expect.unreachable()
    const execute = async () => {
      if (subject.kind === 'eip155.userOperation' && subject.replaces === undefined) hashOf.set(subject.hash, what)
      const result = await chain.execute(method, subject, context())
      if (subject.kind === 'eip155.userOperation' && subject.replaces !== undefined) return
      if (typeof result === 'string') reported.push({ index: Number(what.split(' ')[1]), tab: at, hash: result })
      else {
        expect(usedIds, 'an id is used once').not.toContain(what)
        usedIds.add(what)
      }
      over.add(what)
      if (subject.kind === 'eip155.userOperation') endOf.set(what, Number(subject.operation.validUntil))
    }
    prepared = [...prepared, { what, execute }]
  }

  async function prepare(at: number, what: string, value: bigint): Promise<void> {
    const { chain } = tabs[at] ?? expect.unreachable()
    const callData = encodeCalls([{ to: friend, value, data: '0x' }])
    const { subject } = await chain.prepare('eth_sendUserOperation', [{ sender: from, callData }], context())
    offer(at, what, 'eth_sendUserOperation', subject)
  }

  async function prepareCalls(at: number, index: number): Promise<void> {
    const { chain } = tabs[at] ?? expect.unreachable()
    const id = ids[index] ?? ''
    const calls = [{ to: friend, value: numberToHex(amountOf.calls(index)) }]
    const batch = { version: '2.0.0', from, chainId: '0x7a69', atomicRequired: true, id, calls }
    const { subject } = await chain.prepare('wallet_sendCalls', [batch], context())
    offer(at, id, 'wallet_sendCalls', subject)
  }

  async function replace(at: number, which: number, kind: 'speedUp' | 'cancel'): Promise<void> {
    const { chain } = tabs[at] ?? expect.unreachable()
    const waiting = (await chain.waiting?.(context())) ?? []
    const chosen = waiting[which % Math.max(1, waiting.length)]
    if (chosen === undefined) return
    const made = await chain.prepareReplacement?.({ hash: chosen.hash, kind }, context())
    if (made !== undefined) offer(at, `${kind} ${chosen.hash}`, made.method, made.subject)
  }

  /** Oldest first; -1: the newest. */
  async function approve(which: number): Promise<void> {
    const chosen = prepared.at(which % Math.max(1, prepared.length))
    prepared = prepared.filter((one) => one !== chosen)
    // The id of a batch is enough against a second one.
    if (chosen === undefined || (over.has(chosen.what) && chosen.what.startsWith('payment'))) return
    await chosen.execute().catch((error: unknown) => {
      hear(error)
      if (error instanceof Failure && unknownEnds.has(error.code)) doubtedIds.add(chosen.what)
    })
  }

  async function statuses(): Promise<void> {
    for (const id of usedIds) {
      const answer = await tabs[0]?.chain.answer('wallet_getCallsStatus', [id], context())
      if (z.object({ status: z.number() }).parse(answer).status === 400) failedIds.add(id)
    }
  }

  async function take(step: Step): Promise<void> {
    switch (step.kind) {
      case 'prepare': {
        const index = sites[step.tab] === 'other' ? step.index + 4 : step.index
        const what = `payment ${index}`
        return over.has(what) ? undefined : prepare(step.tab, what, amountOf.payment(index)).catch(hear)
      }
      case 'prepareCalls':
        return prepareCalls(step.tab, step.index).catch(hear)
      case 'sendCalls':
        return prepareCalls(step.tab, step.index).then(() => approve(-1), hear)
      case 'replace':
        return replace(step.tab, step.which, step.how).catch(hear)
      case 'approve':
        return approve(step.which)
      case 'status':
        return statuses()
      case 'mine':
        return bundler.mine()
      case 'mineUnseen':
        return bundler.mineUnseen()
      case 'bundle':
        return bundler.bundle()
      case 'forget':
        return bundler.forget()
      case 'blind':
        return bundler.blind()
      case 'lag':
        return bundler.lag(step.isLate)
      case 'reload': {
        const { site } = tabs[step.tab] ?? expect.unreachable()
        tabs[step.tab] = { site, chain: chainOf(site) }
        return
      }
      case 'fate':
        return bundler.decide(step.fate)
      case 'pass':
        clock.advance(step.seconds * 1_000)
        // No node lags for longer.
        if (step.seconds > 600) bundler.catchUp()
    }
  }

  /** Null while it is not decided. */
  async function receiptOf({ hash, tab: at }: (typeof reported)[number]): Promise<unknown> {
    return tabs[at]?.chain.answer('eth_getUserOperationReceipt', [hash], context()).catch((error: unknown) => {
      expect(error).toMatchObject({ code: 'TRANSACTION_REPLACED', data: { sentHash: hash } })
      return error
    })
  }

  for (const step of steps) await take(step)

  // Then the weather is fair. The wallet sends what the bundler has lost again if its hour is not over.
  bundler.lag(false)
  bundler.decide(null)
  bundler.mine()
  bundler.mine()
  clock.advance(61_000)
  const inTime = (what: string) => (endOf.get(what) ?? 0) >= clock.now() / 1_000 + 30
  const awaited = reported.filter(({ index }) => inTime(`payment ${index}`))
  const awaitedIds = [...usedIds].filter(inTime)
  for (const one of awaited) await receiptOf(one)
  await statuses()
  bundler.mine()
  bundler.mine()
  clock.advance(601_000)
  for (const one of awaited) expect(await receiptOf(one), `${one.hash} does not wait for ever`).not.toBeNull()
  for (const id of awaitedIds) {
    const answer = await tabs[0]?.chain.answer('wallet_getCallsStatus', [id], context())
    expect(answer, `${id} does not wait for ever`).not.toMatchObject({ status: 100 })
  }

  // And the account is used again.
  clock.advance(4_300_000)
  bundler.mine()
  let isPaid = false
  for (let attempt = 0; attempt < 8 && !isPaid; attempt += 1) {
    prepared = []
    isPaid = await prepare(0, 'payment 999', 1_000n)
      .then(() => prepared[0]?.execute())
      .then(
        () => true,
        (error) => {
          hear(error)
          return false
        },
      )
    bundler.mine()
  }
  const times = (value: bigint) => bundler.mined().filter((one) => one.value === value).length
  expect(times(1_000n), 'no account is blocked').toBe(1)
  // Every dapp sends its batches again, as after an error.
  for (const [index, id] of ids.entries()) {
    const wasMade = times(amountOf.calls(index)) > 0
    for (let attempt = 0; attempt < 4; attempt += 1) {
      prepared = []
      const heard = await prepareCalls(0, index)
        .then(() => prepared[0]?.execute())
        .catch((error: unknown) => error)
      if (wasMade) expect(heard, `${id} was carried out`).toMatchObject({ rpc: 5720 })
      bundler.mine()
      clock.advance(4_300_000)
    }
    const isRefused = !wasMade && !usedIds.has(id) && !doubtedIds.has(id)
    if (isRefused) expect(times(amountOf.calls(index)), `the id ${id} is free after a refusal`).toBe(1)
  }
  for (const index of payments)
    expect(times(amountOf.payment(index)), `payment ${index} is made at most once`).toBeLessThanOrEqual(1)
  await statuses()
  for (const [index, id] of ids.entries()) {
    expect(times(amountOf.calls(index)), `${id} is carried out at most once`).toBeLessThanOrEqual(1)
    if (usedIds.has(id))
      expect(failedIds.has(id), `${id} has failed exactly if it is not carried out`).toBe(
        times(amountOf.calls(index)) === 0,
      )
  }
  for (const one of reported) {
    if (one.index === 999) continue
    const found = await receiptOf(one)
    const isMade = found !== null && !(found instanceof Error)
    expect(isMade, `${one.hash} has a receipt exactly if it is made`).toBe(times(amountOf.payment(one.index)) === 1)
  }
}

it('what the smart account sent, in any weather: paid once, known, and never blocked', async () => {
  await fc.assert(fc.asyncProperty(fc.array(Step, { minLength: 24, maxLength: 24 }), walk), walks(30))
}, 3_600_000)

/** `fate`: of the first operation; `pay` asks for it again. */
async function sentOne(fate: BundlerFate | null = null) {
  const clock = manualClock(1_800_000_000_000)
  const bundler = weatherBundler(() => BigInt(Math.floor(clock.now() / 1_000)))
  const chain = createEip155Chain(memoryNotes(), clock)
  const end = new AbortController()
  bundler.onAbort(() => end.abort())
  const context = { ...account.context, fetch: bundler.fetch }
  const callData = encodeCalls([{ to: friend, value: 1n, data: '0x' }])
  const { subject } = await chain.prepare('eth_sendUserOperation', [{ sender: from, callData }], context)
  bundler.decide(fate)
  const executed = chain.execute('eth_sendUserOperation', subject, { ...context, signal: end.signal })
  await (fate === null ? executed : expect(executed).rejects.toMatchObject({ code: 'ABORTED' }))
  const { callsId, sentHash: hash } =
    subject.kind === 'eip155.userOperation'
      ? operationIds(checkedOperation(subject, 31_337), 31_337)
      : expect.unreachable()
  return {
    clock,
    bundler,
    status: async () => {
      const answer = await chain.answer('wallet_getCallsStatus', [callsId], context)
      return z.object({ status: z.number() }).parse(answer).status
    },
    receipt: () => chain.answer('eth_getUserOperationReceipt', [hash], context),
    replace: async (kind: 'speedUp' | 'cancel') => {
      const made = (await chain.prepareReplacement?.({ hash, kind }, context)) ?? expect.unreachable()
      return chain.execute(made.method, made.subject, context)
    },
    pay: () => chain.prepare('eth_sendUserOperation', [{ sender: from, callData }], context),
    waiting: async () => (await chain.waiting?.(context)) ?? expect.unreachable(),
    prepare: async (kind: 'speedUp' | 'cancel') => chain.prepareReplacement?.({ hash, kind }, context),
  }
}

it('an operation is not replaced in the last half minute of its hour: no bundler takes it', async () => {
  const { clock, waiting, prepare } = await sentOne()
  clock.advance(3_570_000)
  expect(await waiting()).toHaveLength(1)
  await prepare('speedUp')
  clock.advance(1_000)
  expect(await waiting()).toEqual([])
  await expect(prepare('speedUp')).rejects.toMatchObject({ code: 'INVALID_PARAMS' })
})

it('an operation is pending, not replaced, while a block has it and the bundler has no receipt', async () => {
  const { bundler, waiting, prepare } = await sentOne()
  bundler.lag(true)
  bundler.mine()
  expect(await waiting()).toEqual([])
  for (const kind of ['speedUp', 'cancel'] as const)
    await expect(prepare(kind)).rejects.toMatchObject({ code: 'REQUEST_PENDING' })
  bundler.mine()
  await expect(prepare('cancel')).rejects.toMatchObject({ code: 'TRANSACTION_MINED' })
})

it.each([
  ['speedUp', 200],
  ['cancel', 400],
] as const)('a %s that the bundler took although it answered with an error is known: status %i', async (kind, end) => {
  const { bundler, replace, status, receipt, waiting } = await sentOne()
  bundler.decide('denied')
  await expect(replace(kind)).rejects.toMatchObject({ message: 'Internal error' })
  expect(await status()).toBe(100)
  bundler.mine()
  expect(await waiting()).toEqual([])
  expect(await status()).toBe(end)
  if (kind === 'speedUp') expect(await receipt()).toMatchObject({ success: true })
  else await expect(receipt()).rejects.toMatchObject({ data: { reason: 'cancelled' } })
})

it('a batch of a block in the last second of its hour is pending until the bundler has seen that block', async () => {
  const { clock, bundler, status } = await sentOne()
  clock.advance(3_600_000)
  bundler.mineUnseen()
  clock.advance(60_000)
  expect(await status()).toBe(100)
  bundler.mine()
  expect(await status()).toBe(200)
})

it('a batch that no block has is 400 once no node lags any more', async () => {
  const { clock, bundler, status } = await sentOne()
  bundler.forget()
  clock.advance(4_200_000)
  expect(await status()).toBe(100)
  clock.advance(1_000)
  expect(await status()).toBe(400)
})

it('a payment of the last second of its hour is not made again while the nodes lag', async () => {
  const { clock, bundler, pay } = await sentOne('cut')
  clock.advance(3_600_000)
  bundler.mineUnseen()
  clock.advance(60_000)
  const first = await pay().catch((error: unknown) => error)
  bundler.mine()
  const second = await pay().catch((error: unknown) => error)
  expect([first, second]).toContainEqual(
    expect.objectContaining({ data: expect.objectContaining({ sentHash: expect.any(String) }) }),
  )
})

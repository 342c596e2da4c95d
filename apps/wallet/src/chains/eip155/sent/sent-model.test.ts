/** Random walks of two tabs and another site of one account, in weather; `PROPERTY_SEED` repeats them, `WALKS` sets their number. */
import { manualClock } from '@postern/base/testing/manual-clock'
import { walks } from '@postern/base/testing/walks'
import { type Anvil, devnetMnemonic, freePorts, startAnvil } from '@postern/chains/eip155/testing/evm-devnet'
import type { ApprovalSubject, ReplacementKind } from '@postern/protocol'
import { Failure } from '@postern/protocol/failure'
import fc from 'fast-check'
import { type Hex, numberToHex } from 'viem'
import { afterAll, beforeAll, expect, it } from 'vitest'
import * as z from 'zod/mini'
import { memoryNotes } from '../../notes'
import { createEip155Chain } from '../chain'
import { anvilNode } from '../testing/anvil-node'
import { testWallet } from '../testing/wallet'
import { type Fate, fair, type Weather, weatherNode } from '../testing/weather-node'

const friend = '0x00000000000000000000000000000000000F4153'
const gwei = 10n ** 9n
const sites = ['one', 'one', 'other'] as const
const ids = ['order-1', 'order-2', 'order-3'] as const
/** Four of each site: a site knows what it has sent, not what another one has. */
const payments = Array.from({ length: 8 }, (_, index) => index)
/** What a payment or batch sends tells what it is on the chain. */
const amountOf = {
  payment: (index: number) => BigInt(index + 1),
  /** The last two batches make the same call. */
  calls: (index: number) => BigInt(Math.min(index, 1) + 101),
}
/** A dapp may send other calls with the id of a batch that failed. */
const otherCalls = 100n

const CallsStatus = z.object({
  status: z.number(),
  receipts: z.optional(z.array(z.object({ transactionHash: z.string() }))),
})

const unknownEnds: ReadonlySet<string> = new Set(['ABORTED', 'TRANSACTION_UNCONFIRMED'])

const tab = fc.nat({ max: sites.length - 1 })
const Step = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({ kind: fc.constant('prepare'), tab, index: fc.nat({ max: 3 }), isDear: fc.boolean() }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('prepareCalls'),
      tab: fc.nat({ max: 1 }),
      index: fc.nat({ max: 2 }),
      isOther: fc.boolean(),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('sendCalls'),
      tab: fc.nat({ max: 1 }),
      index: fc.nat({ max: 2 }),
      isOther: fc.boolean(),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('replace'),
      tab,
      which: fc.nat({ max: 3 }),
      how: fc.constantFrom('speedUp', 'cancel'),
    }),
  },
  { weight: 12, arbitrary: fc.record({ kind: fc.constant('approve'), which: fc.nat({ max: 3 }) }) },
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant('status'), tab: fc.nat({ max: 1 }), index: fc.nat({ max: 2 }) }),
  },
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('mine') }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('reorganise'),
      depth: fc.integer({ min: 1, max: 3 }),
      withRivals: fc.boolean(),
    }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('reload'), tab }) },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('weather'),
      weather: fc.record({
        lag: fc.nat({ max: 2 }),
        isMixed: fc.boolean(),
        pendingIsLatest: fc.boolean(),
        receiptsLate: fc.boolean(),
      }),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('fate'),
      fate: fc.constantFrom<Fate[]>('refused', 'denied', 'late', 'outbid', 'lost', 'cut', 'dropped', 'hangs', 'sinks'),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('deliver') }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('forget') }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('elsewhere') }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('price'), price: fc.integer({ min: 1, max: 8 }) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('pass'), seconds: fc.constantFrom(10, 61, 601) }) },
)
type Step = typeof Step extends fc.Arbitrary<infer T> ? T : never

const accountOf = (seed: string) => testWallet(seed, fetch, { page: { smartAccounts: [] } })
const addressOf = ({ context }: Awaited<ReturnType<typeof accountOf>>): Hex => `0x${context.addresses.eip155.slice(2)}`

const inMemory = await accountOf('model')
const onNewChain = async () => ({ account: inMemory, node: weatherNode(addressOf(inMemory)) })

let anvil: Anvil
beforeAll(async () => {
  const { port } = await freePorts('port')
  anvil = await startAnvil({ port, chainId: 31_337, mnemonic: devnetMnemonic, accounts: 1 })
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'evm_setAutomine', params: [false] })
  await fetch(anvil.rpcUrl, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
})
afterAll(() => anvil.stop())
let accounts = 0
async function onAnvil() {
  accounts += 1
  const account = await accountOf(`model ${accounts}`)
  return { account, node: await anvilNode(anvil.rpcUrl, addressOf(account)) }
}

type Prepared = {
  readonly what: string
  readonly tab: number
  readonly visit: number
  readonly execute: () => Promise<unknown>
}

async function walk(
  steps: readonly Step[],
  setUp: () => ReturnType<typeof onNewChain> | ReturnType<typeof onAnvil> = onNewChain,
): Promise<void> {
  const { account, node } = await setUp()
  const from = addressOf(account)
  const clock = manualClock(1_800_000_000_000)
  const storage = { one: memoryNotes(), other: memoryNotes() }
  const chainOf = (site: 'one' | 'other') => createEip155Chain(storage[site], clock)
  let elsewhere = 0
  const tabs = sites.map((site) => ({ site, chain: chainOf(site), visit: 0 }))
  let prepared: readonly Prepared[] = []
  /** The user asks for each payment until it is made, or until a look at the account shows that it may be. */
  const over = new Set<string>()
  /** `first`: as first sent, if it replaces another one. */
  const reported: { readonly site: string; readonly hash: Hex; readonly first: string }[] = []
  /** May have been carried out, as callers were told: its nonce is free for others. */
  const doubted = new Set<string>()
  const usedIds = new Set<string>()
  /** Ids of batches whose caller does not know whether they were sent. */
  const doubtedIds = new Set<string>()
  const failedIds = new Set<string>()
  /** Their status is that of the newest calls. */
  const changedIds = new Set<string>()
  const heardReceipts: { readonly id: string; readonly hash: string }[] = []
  let isChainSteady = true
  let hasForgotten = false

  const context = () => {
    const end = new AbortController()
    node.onAbort(() => end.abort())
    return { ...account.context, fetch: node.fetch, signal: end.signal }
  }

  function hear(error: unknown): void {
    if (!(error instanceof Failure)) throw error
    const { sentHash } = z.object({ sentHash: z.optional(z.string()) }).parse(error.data ?? {})
    if (error.code === 'REQUEST_PENDING')
      expect(
        reported.map(({ hash }) => hash),
        'what a caller follows holds up nothing',
      ).not.toContain(sentHash)
    if (error.code !== 'TRANSACTION_REPLACED' || sentHash === undefined) return
    doubted.add(sentHash)
    // The user looks at the account, and does not pay again.
    const { value = -1n } = [...node.seen.values()].find(({ hash }) => hash === sentHash) ?? {}
    for (const index of payments) if (amountOf.payment(index) === value) over.add(`payment ${index}`)
  }

  async function prepare(at: number, what: string, method: string, params: unknown): Promise<void> {
    const { chain } = tabs[at] ?? expect.unreachable()
    const { subject } = await chain.prepare(method, params, context())
    offer(at, what, method, subject)
  }

  function offer(at: number, what: string, method: string, subject: ApprovalSubject): void {
    const { chain, visit, site } = tabs[at] ?? expect.unreachable()
    const execute = async () => {
      const now = context()
      const result = await chain.execute(method, subject, now)
      if (typeof result === 'string') {
        const first = subject.kind === 'eip155.transaction' ? subject.replaces?.hash : undefined
        reported.push({ site, hash: `0x${result.slice(2)}`, first: first ?? result })
      } else {
        expect(usedIds, 'an id is used once').not.toContain(what)
        usedIds.add(what)
      }
      over.add(what)
    }
    prepared = [...prepared, { what, tab: at, visit, execute }]
  }

  const payment = (at: number, index: number, isDear: boolean) =>
    prepare(at, `payment ${index}`, 'eth_sendTransaction', [
      {
        from,
        to: friend,
        value: numberToHex(amountOf.payment(index)),
        ...(isDear && { maxFeePerGas: numberToHex(40n * gwei), maxPriorityFeePerGas: numberToHex(20n * gwei) }),
      },
    ])

  const prepareCalls = (at: number, index: number, isOther: boolean) => {
    const id = ids[index] ?? ''
    if (isOther) changedIds.add(id)
    const calls = [{ to: friend, value: numberToHex(amountOf.calls(index) + (isOther ? otherCalls : 0n)) }]
    const batch = { version: '2.0.0', from, chainId: '0x7a69', atomicRequired: false, id, calls }
    return prepare(at, id, 'wallet_sendCalls', [batch])
  }

  /** A dapp that has no hash of the payment may ask for it again. */
  async function replace(at: number, which: number, kind: ReplacementKind): Promise<void> {
    const { chain } = tabs[at] ?? expect.unreachable()
    const waiting = (await chain.waiting?.(context())) ?? []
    const chosen = waiting[which % Math.max(1, waiting.length)]
    if (chosen === undefined) return
    const made = await chain.prepareReplacement?.({ hash: chosen.hash, kind }, context())
    if (made !== undefined) offer(at, `${kind} ${chosen.hash}`, made.method, made.subject)
  }

  /** Oldest first; -1: the newest. */
  async function approve(which: number): Promise<void> {
    const waiting = prepared.filter(({ tab, visit }) => tabs[tab]?.visit === visit)
    const chosen = waiting.at(which % Math.max(1, waiting.length))
    prepared = waiting.filter((one) => one !== chosen)
    if (chosen === undefined || (over.has(chosen.what) && chosen.what.startsWith('payment'))) return
    const isHanging = node.untilHanging().then(() => true)
    const isEnded = chosen.execute().then(
      () => false,
      (error) => {
        hear(error)
        if (error instanceof Failure && unknownEnds.has(error.code)) doubtedIds.add(chosen.what)
        return false
      },
    )
    if (!(await Promise.race([isHanging, isEnded]))) return
    // Only a reload ends a request that hangs.
    doubtedIds.add(chosen.what)
    reload(chosen.tab)
  }

  function reload(at: number): void {
    const { site, visit } = tabs[at] ?? expect.unreachable()
    tabs[at] = { site, chain: chainOf(site), visit: visit + 1 }
  }

  /** As many payments on another network as fit. */
  async function payElsewhere(): Promise<void> {
    elsewhere += 64
    const notes = Array.from({ length: 64 }, (_, index) => ({
      chainId: 1,
      account: from,
      nonce: numberToHex(elsewhere + index),
      hash: numberToHex(elsewhere + index, { size: 32 }),
      isFollowed: true,
      sentAt: clock.now(),
    }))
    await storage.one.update((kept) => [...(Array.isArray(kept) ? kept : []), ...notes])
  }

  async function status(at: number, index: number): Promise<z.infer<typeof CallsStatus> | null> {
    const id = ids[index] ?? ''
    try {
      const answer = CallsStatus.parse(await tabs[at]?.chain.answer('wallet_getCallsStatus', [id], context()))
      // A refused batch may be sent again.
      if (answer.status === 400 && (usedIds.has(id) || doubtedIds.has(id))) failedIds.add(id)
      heardReceipts.push(...(answer.receipts ?? []).map(({ transactionHash: hash }) => ({ id, hash })))
      return answer
    } catch (error) {
      if (usedIds.has(id)) throw new Error('an id that was used is known', { cause: error })
      return null
    }
  }

  async function take(step: Step): Promise<void> {
    switch (step.kind) {
      case 'prepare':
        if ('isDear' in step) {
          const isOther = sites[step.tab] === 'other'
          if (isOther) isChainSteady = false
          const index = isOther ? step.index + 4 : step.index
          if (!over.has(`payment ${index}`)) await payment(step.tab, index, step.isDear).catch(hear)
        }
        return
      case 'prepareCalls':
        return 'isOther' in step ? prepareCalls(step.tab, step.index, step.isOther).catch(hear) : undefined
      case 'sendCalls':
        if (!('isOther' in step)) return
        await prepareCalls(step.tab, step.index, step.isOther).then(() => approve(-1), hear)
        return
      case 'replace':
        if (!('how' in step)) return
        if (sites[step.tab] === 'other') isChainSteady = false
        return replace(step.tab, step.which, step.how).catch(hear)
      case 'approve':
        return 'which' in step ? approve(step.which) : undefined
      case 'status':
        if ('index' in step && 'tab' in step) await status(step.tab, step.index)
        return
      case 'mine':
        return node.mine()
      case 'reorganise':
        isChainSteady = false
        return 'withRivals' in step ? node.reorganise(step.depth, step) : undefined
      case 'reload':
        return 'tab' in step ? reload(step.tab) : undefined
      case 'weather':
        return 'weather' in step ? node.in(step.weather) : undefined
      case 'fate':
        return 'fate' in step ? node.decide(step.fate) : undefined
      case 'deliver':
        isChainSteady = false
        return node.deliver()
      case 'forget':
        hasForgotten = true
        return node.forgetPool()
      case 'elsewhere':
        return payElsewhere()
      case 'price':
        return 'price' in step ? node.price(BigInt(step.price) * gwei) : undefined
      case 'pass':
        if (!('seconds' in step)) return
        if (step.seconds > 600) await node.settle()
        clock.advance(step.seconds * 1_000)
    }
  }

  for (const step of steps) await take(step)

  // Then the weather is fair, and the account is used again.
  node.in(fair satisfies Weather)
  node.decide(null)
  node.price(gwei)
  await node.deliver()
  clock.advance(61_000)
  let isPaid = false
  for (let attempt = 0; attempt < 12 && !isPaid; attempt += 1) {
    for (let blocks = 0; blocks < 4; blocks += 1) await node.mine()
    await node.settle()
    clock.advance(601_000)
    prepared = []
    isPaid = await prepare(0, 'last', 'eth_sendTransaction', [{ from, to: friend, value: numberToHex(1_000) }])
      .then(() => prepared[0]?.execute())
      .then(
        () => true,
        (error) => {
          hear(error)
          return false
        },
      )
    await node.mine()
  }
  const sameCallsAs = (index: number) => ids.filter((_, other) => amountOf.calls(other) === amountOf.calls(index))
  const hasCallsOf = (index: number, value: bigint) =>
    value === amountOf.calls(index) || value === amountOf.calls(index) + otherCalls
  const timesCalled = async (index: number) =>
    (await node.mined()).filter(({ value }) => hasCallsOf(index, value)).length
  const timesBefore = await Promise.all(ids.map((_, index) => timesCalled(index)))
  const freeIds = ids.filter((id) => !usedIds.has(id) && !doubtedIds.has(id))
  // Every dapp sends its batches again, as after an error.
  for (const [index, id] of ids.entries())
    for (let attempt = 0; attempt < 4; attempt += 1) {
      prepared = []
      const heard = await prepareCalls(0, index, false)
        .then(() => prepared[0]?.execute())
        .catch((error: unknown) => error)
      if (timesBefore[index] === sameCallsAs(index).length)
        expect(heard, `${id} was carried out`).toMatchObject({ rpc: 5720 })
      await node.mine()
      await node.settle()
      clock.advance(601_000)
    }
  expect(node.faults).toEqual([])
  const mined = await node.mined()
  const times = (value: bigint) => mined.filter((one) => one.value === value).length
  expect(times(1_000n), 'no account is blocked').toBe(1)
  for (const index of payments)
    expect(times(amountOf.payment(index)), `payment ${index} is made at most once`).toBeLessThanOrEqual(1)
  const receipts: string[] = []
  for (const [index, id] of ids.entries()) {
    const count = await timesCalled(index)
    const same = sameCallsAs(index)
    expect(count, `${same} are carried out at most once each`).toBeLessThanOrEqual(same.length)
    const free = same.filter((one) => freeIds.includes(one))
    if (timesBefore[index] === 0)
      expect(count, `the ids ${free} are free after a refusal`).toBeGreaterThanOrEqual(free.length)
    const isSteady = isChainSteady && !same.some((one) => changedIds.has(one))
    const failed = same.filter((one) => failedIds.has(one))
    if (isSteady)
      expect(count, `${failed} have failed and are not carried out`).toBeLessThanOrEqual(same.length - failed.length)
    const answer = await status(0, index)
    if (answer?.status !== 200) continue
    for (const { transactionHash } of answer.receipts ?? []) {
      const { value = -1n } = mined.find(({ hash }) => hash === transactionHash) ?? {}
      expect(hasCallsOf(index, value), `${id} has the receipt of its call`).toBe(true)
      expect(receipts, 'two batches have two transactions').not.toContain(transactionHash)
      receipts.push(transactionHash)
    }
  }
  for (const { id, hash } of isChainSteady ? heardReceipts : [])
    for (const other of heardReceipts)
      if (other.hash === hash) expect(other.id, 'two batches have two receipts').toBe(id)
  // A node that has the blocks before the receipts.
  node.in({ ...fair, receiptsLate: true })
  failedIds.clear()
  for (const index of ids.keys()) await status(0, index)
  for (const [index, id] of ids.entries())
    if ((await timesCalled(index)) === sameCallsAs(index).length && !changedIds.has(id))
      expect(failedIds, `${id} is pending without a receipt`).not.toContain(id)
  for (const { site, hash, first } of reported) {
    const { nonce = -1 } = node.seen.get(hash) ?? {}
    const winner = mined.find((one) => one.nonce === nonce)?.hash
    // A site sends what nodes have forgotten again only when it is used, and at the end the other one is not. Anvil forgets
    // what waits behind a replaced transaction.
    if (winner === undefined && (hasForgotten || site === 'other')) continue
    expect(winner, `${hash} is mined or replaced`).toBeDefined()
    const isOwn = reported.some((other) => other.site === site && other.hash === winner && other.first !== first)
    if (winner !== hash && !doubted.has(first))
      expect(isOwn, `${hash} is replaced by its own site only as the user wants`).toBe(false)
  }
}

it.each([
  { node: 'a chain in memory', setUp: onNewChain, runs: 20 },
  { node: 'a real node', setUp: onAnvil, runs: 15 },
])(
  'what was sent, in any weather of $node: paid once, known, and never blocked',
  async ({ setUp, runs }) => {
    const property = fc.asyncProperty(fc.array(Step, { minLength: 20, maxLength: 20 }), (steps) => walk(steps, setUp))
    await fc.assert(property, walks(runs))
  },
  3_600_000,
)

it('a payment that arrives late, with a higher fee than the one that took its nonce, is not made again', async () => {
  await walk([
    { kind: 'prepare', tab: 0, index: 1, isDear: true },
    { kind: 'fate', fate: 'dropped' },
    { kind: 'approve', which: 0 },
    { kind: 'prepare', tab: 0, index: 0, isDear: false },
    { kind: 'approve', which: 0 },
    { kind: 'prepare', tab: 0, index: 1, isDear: false },
    { kind: 'approve', which: 0 },
  ])
})

it('a batch that arrives late, after one with other calls and its id, leaves the id used', async () => {
  await walk([
    { kind: 'fate', fate: 'late' },
    { kind: 'sendCalls', tab: 0, index: 0, isOther: true },
    { kind: 'fate', fate: 'refused' },
    { kind: 'sendCalls', tab: 0, index: 0, isOther: false },
    { kind: 'deliver' },
    { kind: 'mine' },
  ])
})

it('a batch that a reorganisation brings back, in place of what had taken its nonce, is made once', async () => {
  await walk([
    { kind: 'fate', fate: 'late' },
    { kind: 'sendCalls', tab: 0, index: 0, isOther: false },
    { kind: 'prepare', tab: 0, index: 0, isDear: true },
    { kind: 'approve', which: 0 },
    { kind: 'mine' },
    { kind: 'sendCalls', tab: 0, index: 0, isOther: false },
    { kind: 'reorganise', depth: 1, withRivals: true },
    { kind: 'mine' },
  ])
})

it.each([1, 2])('two batches of the same calls are two payments (base fee of the second: %d gwei)', async (price) => {
  for (const fate of ['refused', 'dropped', 'late'] as const)
    await walk([
      { kind: 'fate', fate },
      { kind: 'sendCalls', tab: 0, index: 1, isOther: false },
      { kind: 'price', price },
      { kind: 'sendCalls', tab: 0, index: 2, isOther: false },
      { kind: 'mine' },
      { kind: 'status', tab: 0, index: 1 },
    ])
})

it('a refused payment that arrives late, after another payment has its nonce, is not made again', async () => {
  await walk([
    { kind: 'prepare', tab: 0, index: 1, isDear: true },
    { kind: 'fate', fate: 'late' },
    { kind: 'approve', which: 0 },
    { kind: 'prepare', tab: 0, index: 0, isDear: false },
    { kind: 'approve', which: 0 },
    { kind: 'prepare', tab: 0, index: 1, isDear: false },
    { kind: 'approve', which: 0 },
    { kind: 'deliver' },
  ])
})

it('a refused payment that a reorganisation brings back, in place of what had taken its nonce, is made once', async () => {
  await walk([
    { kind: 'prepare', tab: 0, index: 1, isDear: true },
    { kind: 'fate', fate: 'late' },
    { kind: 'approve', which: 0 },
    { kind: 'prepare', tab: 0, index: 0, isDear: false },
    { kind: 'approve', which: 0 },
    { kind: 'mine' },
    { kind: 'prepare', tab: 0, index: 1, isDear: false },
    { kind: 'approve', which: 0 },
    { kind: 'reorganise', depth: 1, withRivals: true },
    { kind: 'mine' },
  ])
})

it.each(['late', 'outbid'] as const)(
  'a payment that is refused (%s), while another site has its nonce, is not made again once it arrives',
  async (fate) => {
    await walk([
      { kind: 'prepare', tab: 0, index: 1, isDear: true },
      { kind: 'prepare', tab: 2, index: 0, isDear: false },
      { kind: 'approve', which: 1 },
      { kind: 'fate', fate },
      { kind: 'approve', which: 0 },
      { kind: 'prepare', tab: 0, index: 1, isDear: false },
      { kind: 'approve', which: 0 },
      { kind: 'deliver' },
    ])
    await walk([
      { kind: 'prepare', tab: 0, index: 1, isDear: true },
      { kind: 'fate', fate },
      { kind: 'approve', which: 0 },
      { kind: 'prepare', tab: 2, index: 0, isDear: false },
      { kind: 'approve', which: 0 },
      { kind: 'prepare', tab: 0, index: 1, isDear: false },
      { kind: 'approve', which: 0 },
      { kind: 'deliver' },
    ])
  },
)

it('a refused payment that a reorganisation brings back, in place of what another site had sent, is made once', async () => {
  await walk([
    { kind: 'prepare', tab: 0, index: 1, isDear: true },
    { kind: 'fate', fate: 'late' },
    { kind: 'approve', which: 0 },
    { kind: 'prepare', tab: 2, index: 0, isDear: false },
    { kind: 'approve', which: 0 },
    { kind: 'mine' },
    { kind: 'prepare', tab: 0, index: 1, isDear: false },
    { kind: 'approve', which: 0 },
    { kind: 'reorganise', depth: 1, withRivals: true },
    { kind: 'mine' },
  ])
})

it.each(['speedUp', 'cancel'] as const)('a %s does not take the nonce of a later payment', async (how) => {
  await walk([
    { kind: 'prepare', tab: 0, index: 0, isDear: false },
    { kind: 'fate', fate: 'dropped' },
    { kind: 'approve', which: 0 },
    { kind: 'replace', tab: 0, which: 0, how },
    { kind: 'prepare', tab: 0, index: 1, isDear: false },
    { kind: 'approve', which: 1 },
    { kind: 'approve', which: 0 },
  ])
})

it.each(['speedUp', 'cancel'] as const)('a payment whose caller has no hash is made once after a %s', async (how) => {
  for (const fate of ['cut', 'dropped'] as const)
    await walk([
      { kind: 'prepare', tab: 0, index: 0, isDear: false },
      { kind: 'fate', fate },
      { kind: 'approve', which: 0 },
      { kind: 'replace', tab: 0, which: 0, how },
      { kind: 'approve', which: 0 },
      { kind: 'prepare', tab: 0, index: 0, isDear: false },
      { kind: 'approve', which: 0 },
      { kind: 'mine' },
      { kind: 'prepare', tab: 0, index: 0, isDear: false },
      { kind: 'approve', which: 0 },
    ])
})

it('a payment beyond a gap that another site left holds up nothing for good', async () => {
  await walk([
    { kind: 'prepare', tab: 2, index: 0, isDear: false },
    { kind: 'approve', which: 0 },
    { kind: 'prepare', tab: 0, index: 0, isDear: false },
    { kind: 'fate', fate: 'dropped' },
    { kind: 'approve', which: 0 },
    { kind: 'prepare', tab: 0, index: 1, isDear: false },
    { kind: 'approve', which: 0 },
    { kind: 'forget' },
  ])
})

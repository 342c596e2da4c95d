/** Random walks of two tabs and another site on a real node, in bad weather; `PROPERTY_SEED` repeats them, `WALKS` sets their number. */

import { manualClock } from '@postern/base/testing/manual-clock'
import { walks } from '@postern/base/testing/walks'
import { regtest, testKey } from '@postern/chains/bip122/testing/test-chain'
import { type BitcoinChain, freePorts, startBitcoin } from '@postern/chains/testing/devnet'
import { type ApprovalSubject, ReplacementKind } from '@postern/protocol'
import { Failure } from '@postern/protocol/failure'
import { Psbt } from 'bitcoinjs-lib'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import * as z from 'zod/mini'
import type { ChainContext } from '../../contract'
import { memoryNotes } from '../notes'
import { testContext } from '../testing'
import { createBip122Chain } from './chain'

let node: BitcoinChain
beforeAll(async () => {
  const { port } = await freePorts('port')
  node = await startBitcoin({ port, blockMs: 0 })
})
afterAll(() => node.stop())

/**
 * The fate of the next broadcast. `late`: it arrives when the walk says so. `cut`: it arrives, without an answer. `denied`: with an error.
 * `relayed`: with an error, when the walk says so.
 */
type Fate = 'arrives' | 'denied' | 'relayed' | 'refused' | 'lost' | 'late' | 'cut'

const sites = ['one', 'one', 'other'] as const
/** Four of each site. */
const payments = [0, 1, 2, 3, 4, 5, 6, 7] as const
/** Tells a payment apart on the chain. */
const amountOf = (index: number) => 5_000 + index
const lastAmounts = [4_000, 4_001]

const tab = fc.nat({ max: sites.length - 1 })
const which = fc.nat({ max: 3 })
const Step = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({ kind: fc.constant('prepare' as const), tab, which, rate: fc.integer({ min: 1, max: 4 }) }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('replace' as const),
      tab,
      which,
      how: fc.constantFrom(...ReplacementKind.options),
    }),
  },
  { weight: 10, arbitrary: fc.record({ kind: fc.constant('approve' as const), which }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('mine' as const) }) },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('reorganise' as const), depth: fc.integer({ min: 1, max: 3 }) }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('reload' as const), tab }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('deliver' as const) }) },
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('fate' as const),
      fate: fc.constantFrom<Fate[]>('refused', 'denied', 'relayed', 'lost', 'late', 'cut'),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('pass' as const), seconds: fc.constantFrom(10, 61, 601) }),
  },
)
type Step = typeof Step extends fc.Arbitrary<infer T> ? T : never

/** What a request may say; anything else is a fault of the wallet. */
const known: ReadonlySet<string> = new Set([
  'REQUEST_PENDING',
  'TRANSACTION_REPLACED',
  'TRANSACTION_UNCONFIRMED',
  'TRANSACTION_MINED',
  'REPLACEMENT_UNDERPRICED',
  'FEE_NOT_COVERED',
  'INSUFFICIENT_FUNDS',
  'INVALID_PARAMS',
])
const refusal = 'min relay fee not met'
const Inputs = z.object({ vin: z.array(z.object({ txid: z.string() })) })
const Sent = z.union([
  z.string(),
  z.pipe(
    z.object({ txid: z.string() }),
    z.transform(({ txid }) => txid),
  ),
])
const Outputs = z.array(
  z.object({
    vout: z.array(z.object({ scriptpubkey_address: z.string(), value: z.number() })),
    status: z.object({ confirmed: z.boolean() }),
  }),
)

type Prepared = {
  readonly what: string
  readonly tab: number
  /** The id of the payment that it replaces, as first sent. */
  readonly replaces: string | undefined
  /** Ids of the transactions whose coins it spends. */
  readonly parents: readonly string[]
  readonly execute: () => Promise<unknown>
}

let accounts = 0
async function walk(steps: readonly Step[]): Promise<void> {
  accounts += 1
  const [owner, friend] = [testKey('p2wpkh', 1_000 + accounts), testKey('p2wpkh', 30_000 + accounts)]
  const coins = [40_000n, 30_000n, 20_000n]
  for (const coin of coins) await node.fund(owner.address, coin)
  await node.mine(1)

  let fate: Fate = 'arrives'
  let late: string[] = []
  const post = (body: string) => fetch(`${node.url}/tx`, { method: 'POST', body })
  const gateway: typeof fetch = async (url, init) => {
    const path = new URL(String(url)).pathname.slice(`/v1/esplora/${regtest}`.length)
    if (init?.method !== 'POST') return fetch(node.url + path, init)
    const now = fate
    fate = 'arrives'
    if (now === 'denied') await post(String(init.body))
    if (now === 'relayed') late.push(String(init.body))
    if (now === 'refused' || now === 'denied' || now === 'relayed') return new Response(refusal, { status: 400 })
    if (now === 'arrives') return post(String(init.body))
    if (now === 'cut') await post(String(init.body))
    if (now === 'late') late.push(String(init.body))
    throw new TypeError('Failed to fetch')
  }
  const context: ChainContext = testContext({
    networkId: regtest,
    addresses: { ...testContext({}).addresses, bip122: owner.account.publicKey ?? '' },
    sign: async (job) => (job.kind === 'bip122.psbt' ? owner.sign(job.psbt) : ''),
    fetch: gateway,
  })
  const notes = { one: memoryNotes(), other: memoryNotes() }
  /** When each block was mined. After an hour, it is final. */
  const blocks: number[] = []
  const clock = manualClock(1_800_000_000_000)
  const tabs = sites.map((site) => createBip122Chain(notes[site], clock))
  /** Paid, replaced, or reported as carried out: the user does not pay them again. */
  const over = new Set<string>()
  /** By the ids that a caller or the user has: the id as first sent. */
  const reported = new Map<string, string>()
  let prepared: readonly Prepared[] = []

  function hear(error: unknown): void {
    if (!(error instanceof Failure)) throw error
    const isRefusal = error.message.includes(refusal)
    if (!isRefusal && !known.has(error.code)) throw error
    const { sentHash } = z.object({ sentHash: z.optional(z.string()) }).safeParse(error.data).data ?? {}
    if (error.code === 'TRANSACTION_REPLACED' && sentHash !== undefined) over.add(paidBy.get(sentHash) ?? '')
  }
  const paidBy = new Map<string, string>()
  /** Ids of transactions whose coins one without an answer may spend. */
  const perhapsSpent = new Set<string>()
  const hearOf =
    ({ parents }: Prepared) =>
    (error: unknown): void => {
      hear(error)
      if (error instanceof Failure && error.code === 'TRANSACTION_UNCONFIRMED')
        for (const txid of parents) perhapsSpent.add(txid)
    }

  function offer(at: number, what: string, method: string, subject: ApprovalSubject): void {
    const chain = tabs[at] ?? expect.unreachable()
    const replaces = subject.kind === 'bip122.psbt' ? subject.replaces?.hash : undefined
    const psbt = subject.kind === 'bip122.psbt' ? Psbt.fromBase64(subject.psbt) : null
    const parents = psbt?.txInputs.map(({ hash }) => Buffer.from(hash).reverse().toString('hex')) ?? []
    prepared = [
      ...prepared,
      { what, tab: at, replaces, parents, execute: () => chain.execute(method, subject, context) },
    ]
  }

  async function prepare(at: number, what: string, amount: number, rate: number): Promise<void> {
    if (over.has(what)) return
    const params = { recipientAddress: friend.address, amount: `${amount}`, feeRate: rate }
    const { subject } = (await tabs[at]?.prepare('bip122_sendTransfer', params, context)) ?? expect.unreachable()
    if (subject.kind === 'bip122.psbt') {
      const signed = Psbt.fromBase64(owner.sign(subject.psbt)).finalizeAllInputs().extractTransaction(true)
      paidBy.set(signed.getId(), what)
    }
    offer(at, what, 'bip122_sendTransfer', subject)
  }

  /** In Activity the user sees what waits, and then does not pay it again. */
  async function replace(at: number, index: number, kind: ReplacementKind): Promise<void> {
    const chain = tabs[at] ?? expect.unreachable()
    const waiting = (await chain.waiting?.(context)) ?? []
    const chosen = waiting[index % Math.max(1, waiting.length)]
    if (chosen === undefined) return
    const what = paidBy.get(chosen.hash) ?? expect.unreachable()
    over.add(what)
    prepared = prepared.filter((one) => one.what !== what)
    const made = await chain.prepareReplacement?.({ hash: chosen.hash, kind }, context)
    if (made !== undefined) offer(at, `${kind} ${what}`, made.method, made.subject)
  }

  async function approve(index: number): Promise<void> {
    const chosen = prepared[index % Math.max(1, prepared.length)]
    prepared = prepared.filter((one) => one !== chosen)
    if (chosen === undefined || over.has(chosen.what)) return
    await chosen.execute().then((result) => {
      const txid = Sent.parse(result)
      if (sites[chosen.tab] === 'one') reported.set(txid, chosen.replaces ?? txid)
      over.add(chosen.what)
    }, hearOf(chosen))
  }

  async function take(step: Step): Promise<unknown> {
    switch (step.kind) {
      case 'prepare': {
        const index = step.which + (sites[step.tab] === 'one' ? 0 : 4)
        return prepare(step.tab, `payment ${index}`, amountOf(index), step.rate).catch(hear)
      }
      case 'replace':
        return replace(step.tab, step.which, step.how).catch(hear)
      case 'approve':
        return approve(step.which)
      case 'mine':
        blocks.push(clock.now())
        return node.mine(1)
      case 'reorganise':
        return reorganise(step.depth)
      case 'reload':
        tabs[step.tab] = createBip122Chain(notes[sites[step.tab] ?? 'one'], clock)
        prepared = prepared.filter((one) => one.tab !== step.tab)
        return undefined
      case 'deliver':
        return deliver()
      case 'fate':
        fate = step.fate
        return undefined
      case 'pass':
        return clock.advance(step.seconds * 1_000)
    }
  }

  const read = async (path: string): Promise<unknown> => (await fetch(node.url + path)).json()

  /** What a block had waits again, and the user may replace it, unless another one that waits, or may, spends its change or made its coins. */
  async function reorganise(depth: number): Promise<void> {
    // What is late now has met the blocks before: nodes have refused it, or know it.
    await deliver()
    const young = blocks.filter((at) => clock.now() - at < 3_600_000).length
    if (young === 0) return
    await node.reorganise(Math.min(depth, young))
    blocks.push(clock.now())
    const mempool = z.array(z.string()).parse(await read('/mempool/txids'))
    const parents = new Map<string, readonly string[]>()
    for (const txid of mempool) {
      const { vin } = Inputs.parse(await read(`/tx/${txid}`))
      parents.set(
        txid,
        vin.map((coin) => coin.txid).filter((made) => mempool.includes(made)),
      )
    }
    const isAlone = (txid: string) => parents.get(txid)?.length === 0 && ![...parents.values()].flat().includes(txid)
    const isFree = (txid: string) => isAlone(txid) && !perhapsSpent.has(txid)
    const again = mempool.flatMap((txid) => (isFree(txid) ? (reported.get(txid) ?? []) : []))
    const waiting = ((await tabs[0]?.waiting?.(context)) ?? []).map(({ hash }) => hash)
    expect(waiting, 'what a reorganisation took out of a block waits').toEqual(expect.arrayContaining(again))
  }

  async function deliver(): Promise<void> {
    const arriving = late
    late = []
    for (const body of arriving) await post(body)
  }

  for (const step of steps) await take(step)

  // Then the weather is fair, and the account is used again.
  fate = 'arrives'
  await deliver()
  for (const [at, lastAmount] of lastAmounts.entries()) {
    let isPaid = false
    for (let attempt = 0; attempt < 8 && !isPaid; attempt += 1) {
      await node.mine(1)
      clock.advance(601_000)
      prepared = []
      await prepare(at * 2, `last ${at}`, lastAmount, 2).catch(hear)
      isPaid = (await prepared[0]?.execute().then(() => true, hear)) === true
    }
  }
  await node.mine(1)
  const all = Outputs.parse(await (await fetch(`${node.url}/address/${friend.address}/txs`)).json())
  const times = (amount: number) =>
    all.filter(
      ({ status, vout }) =>
        status.confirmed && vout.some((out) => out.scriptpubkey_address === friend.address && out.value === amount),
    ).length
  expect(lastAmounts.map(times), 'no account is blocked').toEqual([1, 1])
  for (const index of payments)
    expect(times(amountOf(index)), `payment ${index} is made at most once`).toBeLessThanOrEqual(1)
}

it('what was sent on Bitcoin, in any weather: paid once, and never blocked', async () => {
  await fc.assert(fc.asyncProperty(fc.array(Step, { minLength: 20, maxLength: 20 }), walk), walks(15))
}, 3_600_000)

it('a payment that is confirmed for half an hour waits again after a reorganisation', async () => {
  await walk([
    { kind: 'prepare', tab: 0, which: 0, rate: 1 },
    { kind: 'approve', which: 0 },
    { kind: 'mine' },
    { kind: 'prepare', tab: 0, which: 1, rate: 1 },
    { kind: 'pass', seconds: 601 },
    { kind: 'pass', seconds: 601 },
    { kind: 'pass', seconds: 601 },
    { kind: 'reorganise', depth: 1 },
  ])
})

it('a refused payment whose coin a sped-up payment no longer makes blocks nothing', async () => {
  await walk([
    { kind: 'prepare', tab: 0, which: 0, rate: 1 },
    { kind: 'approve', which: 0 },
    { kind: 'mine' },
    { kind: 'prepare', tab: 0, which: 1, rate: 1 },
    { kind: 'reorganise', depth: 1 },
    { kind: 'fate', fate: 'refused' },
    { kind: 'approve', which: 0 },
    { kind: 'replace', tab: 0, which: 0, how: 'speedUp' },
    { kind: 'fate', fate: 'late' },
    { kind: 'approve', which: 0 },
  ])
})

it.each(['refused', 'lost'] as const)(
  'a payment that is %s, whose coin another site no longer makes, holds up nothing for good',
  async (fate) => {
    await walk([
      { kind: 'prepare', tab: 0, which: 0, rate: 1 },
      { kind: 'approve', which: 0 },
      { kind: 'mine' },
      { kind: 'prepare', tab: 2, which: 0, rate: 1 },
      { kind: 'reorganise', depth: 1 },
      { kind: 'fate', fate },
      { kind: 'approve', which: 0 },
      { kind: 'replace', tab: 0, which: 0, how: 'speedUp' },
      { kind: 'approve', which: 0 },
    ])
  },
)

it('a refused payment that arrives late is not made besides a third one, whose coin it does not share', async () => {
  await walk([
    { kind: 'prepare', tab: 0, which: 0, rate: 1 },
    { kind: 'fate', fate: 'relayed' },
    { kind: 'approve', which: 0 },
    { kind: 'prepare', tab: 0, which: 1, rate: 1 },
    { kind: 'approve', which: 0 },
    { kind: 'prepare', tab: 0, which: 0, rate: 1 },
    { kind: 'approve', which: 0 },
    { kind: 'deliver' },
  ])
})

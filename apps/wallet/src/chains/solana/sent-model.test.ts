/** Random walks of two tabs and another site of one account on the devnet's ledger; `PROPERTY_SEED` repeats them, `WALKS` sets their number. */

import type { Clock } from '@postern/base/clock'
import { manualClock } from '@postern/base/testing/manual-clock'
import { walks } from '@postern/base/testing/walks'
import { testSigner } from '@postern/chains/solana/testing/test-transaction'
import { messageOf, parseTransaction, transactionId } from '@postern/chains/solana/transaction'
import { limitCompute, transferLamports, writeTransaction } from '@postern/chains/solana/transfer'
import { freePorts, type SolanaChain, startSolana } from '@postern/chains/testing/devnet'
import type { ApprovalSubject } from '@postern/protocol'
import { Failure } from '@postern/protocol/failure'
import { base64 } from '@scure/base'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import * as z from 'zod/mini'
import type { ChainContext, WalletChain } from '../../contract'
import { memoryNotes } from '../notes'
import { testContext } from '../testing'
import { createSolanaChain } from './chain'

const networkId = 'solana:PosternDevnet1111111111111111111'
const [owner, friend] = [await testSigner(201), await testSigner(202)]
let ledger: SolanaChain
beforeAll(async () => {
  const { port } = await freePorts('port')
  ledger = await startSolana({ port, slotMs: 0 })
  ledger.fund(owner.address, 10n ** 13n)
  ledger.fund(friend.address, 10n ** 9n)
})
afterAll(() => ledger.stop())

/**
 * The fate of the next broadcast.
 * - `refused`: the node refuses it before it is sent. `denied`: it is carried out, and the node answers with an error.
 *   `relayed`: the node refuses it, and another one carries it out when the walk says so.
 * - `lost`: the node answers with its signature, and no leader includes it. `late`: a leader gets it when the walk says so.
 * - `silent`, `vanished`, `belated`: the connection breaks; it is carried out, never, or when the walk says so.
 * - `cut`, `dropped`: the dapp aborts the request meanwhile; it is carried out, or when the walk says so.
 */
const fates = [
  'refused',
  'denied',
  'relayed',
  'lost',
  'late',
  'silent',
  'vanished',
  'belated',
  'cut',
  'dropped',
] as const
type Fate = (typeof fates)[number]

const sites = ['one', 'one', 'other'] as const
/** Four of each site: a site knows what it has sent, not what another one has. */
const payments = Array.from({ length: 8 }, (_, index) => index)
const lastPayment = 'payment 99'

const tab = fc.nat({ max: sites.length - 1 })
const which = fc.nat({ max: 3 })
const Step = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({ kind: fc.constant('prepare' as const), tab, index: which, isFromDapp: fc.boolean() }),
  },
  {
    weight: 12,
    arbitrary: fc.record({
      kind: fc.constant('approve' as const),
      which,
      /** The frame is reloaded before this request or note of the approval. */
      reloadAt: fc.option(fc.nat({ max: 9 }), { freq: 4 }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('signOnly' as const), tab, index: which }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('cancel' as const), which }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('reload' as const), tab }) },
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('fate' as const), fate: fc.constantFrom(...fates) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('deliver' as const) }) },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('lag' as const),
      slots: fc.constantFrom(0, 3, 16),
      isMixed: fc.boolean(),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant('pass' as const), seconds: fc.constantFrom(4, 12, 56, 80) }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('sleep' as const), requests: fc.nat({ max: 3 }) }) },
)
type Step = typeof Step extends fc.Arbitrary<infer T> ? T : never

/** What a request may say; anything else is a fault of the wallet. */
const known: ReadonlySet<string> = new Set([
  'REQUEST_PENDING',
  'TRANSACTION_REPLACED',
  'TRANSACTION_UNCONFIRMED',
  'TRANSACTION_DROPPED',
  'ABORTED',
])
const refusal = /Transaction simulation failed|Node is behind/

const Call = z.object({ id: z.number(), method: z.string(), params: z.array(z.unknown()) })
const Reply = z.object({ result: z.optional(z.unknown()), error: z.optional(z.unknown()) })
type Reply = z.infer<typeof Reply>
const Latest = z.object({ value: z.object({ blockhash: z.string(), lastValidBlockHeight: z.number() }) })
const Statuses = z.object({
  value: z.array(z.nullable(z.looseObject({ slot: z.number(), err: z.unknown(), confirmationStatus: z.string() }))),
})
const Sent = z.object({ signature: z.string(), transaction: z.optional(z.string()) })

async function ask(method: string, params: readonly unknown[]): Promise<Reply> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
  return Reply.parse(await (await fetch(ledger.url, { method: 'POST', body })).json())
}

const never = () => new Promise<never>(() => {})
const postToLedger = (transaction: string) =>
  ask('sendTransaction', [transaction, { encoding: 'base64', skipPreflight: true }])

/** What a node says that is `lag` slots behind. */
async function askBehind(method: string, params: readonly unknown[], lag: number): Promise<Reply> {
  const reply = await ask(method, params)
  if (lag === 0) return reply
  if (method === 'getBlockHeight') return { result: Math.max(0, z.number().parse(reply.result) - lag) }
  if (method === 'getLatestBlockhash') {
    const { value } = Latest.parse(reply.result)
    return { result: { value: { ...value, lastValidBlockHeight: value.lastValidBlockHeight - lag } } }
  }
  if (method !== 'getSignatureStatuses') return reply
  const head = z.number().parse((await ask('getSlot', [{ commitment: 'processed' }])).result) - lag
  const seen = Statuses.parse(reply.result).value.map((status) => {
    if (status === null || status.slot > head) return null
    const confirmationStatus = head - status.slot > 32 ? 'finalized' : head > status.slot ? 'confirmed' : 'processed'
    return { ...status, confirmationStatus }
  })
  return { result: { value: seen } }
}

type Frame = { readonly site: 'one' | 'other'; readonly chain: WalletChain; isAlive: boolean; ioLeft: number | null }
type Request = { readonly what: string; readonly frame: Frame; readonly end: AbortController }
type Prepared = { readonly what: string; readonly frame: Frame; readonly subject: ApprovalSubject }

let walkCount = 0
async function walk(steps: readonly Step[]): Promise<void> {
  walkCount += 1
  /** Tells a payment apart on the chain. */
  const amountOf = (what: string) => 1_000_000n + BigInt(walkCount) * 100n + BigInt(what.replace('payment ', ''))
  const clock = manualClock(1_800_000_000_000)
  const storage = { one: memoryNotes(), other: memoryNotes() }
  let fate: Fate | null = null
  let [lag, isMixed, asked] = [0, false, 0]
  /** The machine sleeps before the request that comes after so many others. */
  let untilSleep: number | null = null
  const late: string[] = []
  let prepared: readonly Prepared[] = []
  const running = new Set<Request>()
  let wake = () => {}
  /** What went wrong in the background. */
  const faults: unknown[] = []
  /** Paid, or the user looks at the account, and does not pay again. */
  const over = new Set<string>()
  /** By signature. */
  const signed = new Map<string, string>()
  const reported = new Set<string>()
  const dropped = new Set<string>()
  const broadcast = new Set<string>()

  /** A frame that has ended does nothing more, and hears nothing. */
  async function inFrame<T>(frame: Frame, act: () => Promise<T>): Promise<T> {
    if (frame.ioLeft === 0) end(frame)
    else if (frame.ioLeft !== null) frame.ioLeft -= 1
    if (!frame.isAlive) return never()
    const result = await act()
    return frame.isAlive ? result : never()
  }

  function end(frame: Frame): void {
    frame.isAlive = false
    for (const stop of timers.get(frame) ?? []) stop()
    wake()
  }

  const timers = new Map<Frame, (() => void)[]>()
  function openFrame(site: 'one' | 'other'): Frame {
    const stops: (() => void)[] = []
    const frameClock: Clock = {
      now: clock.now,
      after(milliseconds, task) {
        const stop = clock.after(milliseconds, task)
        stops.push(stop)
        wake()
        return stop
      },
    }
    const notes = { update: (change: (kept: unknown) => unknown) => inFrame(frame, () => storage[site].update(change)) }
    const frame: Frame = { site, chain: createSolanaChain(notes, frameClock), isAlive: true, ioLeft: null }
    timers.set(frame, stops)
    return frame
  }
  const tabs = sites.map(openFrame)

  async function send(params: readonly unknown[], { end: request }: Request): Promise<Reply> {
    const transaction = z.string().parse(params[0])
    const signature = transactionId(parseTransaction(transaction)) ?? ''
    broadcast.add(signature)
    const now = fate
    fate = null
    switch (now) {
      case 'refused':
        return { error: { code: -32_005, message: 'Node is behind' } }
      case 'relayed':
        late.push(transaction)
        return { error: { code: -32_005, message: 'Node is behind' } }
      case 'denied':
        await ask('sendTransaction', params)
        return { error: { code: -32_603, message: 'Internal error' } }
      case 'lost':
        return { result: signature }
      case 'late':
        late.push(transaction)
        return { result: signature }
      case 'silent':
        await ask('sendTransaction', params)
        throw new TypeError('Failed to fetch')
      case 'belated':
        late.push(transaction)
        throw new TypeError('Failed to fetch')
      case 'vanished':
        throw new TypeError('Failed to fetch')
      case 'cut':
        await ask('sendTransaction', params)
        request.abort()
        throw new TypeError('Failed to fetch')
      case 'dropped':
        late.push(transaction)
        request.abort()
        throw new TypeError('Failed to fetch')
      case null:
        return ask('sendTransaction', params)
    }
  }

  async function answer({ method, params }: z.infer<typeof Call>, request: Request): Promise<Reply> {
    if (method === 'sendTransaction') return send(params, request)
    asked += 1
    if (untilSleep === 0) {
      untilSleep = null
      await deliver()
      ledger.advance(200)
      clock.advance(80_000)
    } else if (untilSleep !== null) untilSleep -= 1
    return askBehind(method, params, isMixed && asked % 2 === 0 ? 0 : lag)
  }

  function contextOf(request: Request, approved?: ApprovalSubject): ChainContext {
    const { what, frame } = request
    return testContext({
      networkId,
      addresses: { ...testContext({}).addresses, solana: owner.address },
      signal: request.end.signal,
      sign: (job) =>
        inFrame(frame, async () => {
          if (job.kind !== 'solana.transactions' || approved?.kind !== 'solana.transactions')
            return expect.unreachable()
          const [shown = '', ...others] = approved.transactions
          if (others.length > 0 || job.transactions.join() !== shown) faults.push(new Error('signs what was not shown'))
          const { transaction } = await owner.sign(job.transactions.join())
          signed.set(transactionId(parseTransaction(transaction)) ?? '', what)
          return transaction
        }),
      fetch: (_, init) =>
        inFrame(frame, async () => {
          const { id, ...call } = Call.parse(JSON.parse(String(init?.body)))
          if (call.method === 'sendTransaction' && approved?.kind === 'solana.transactions') {
            const [sent = '', shown = ''] = [z.string().parse(call.params[0]), approved.transactions[0]]
            if (base64.encode(messageOf(sent)) !== base64.encode(messageOf(shown)))
              faults.push(new Error('sends what was not shown'))
          }
          return Response.json({ jsonrpc: '2.0', id, ...(await answer({ id, ...call }, request)) })
        }),
    })
  }

  function hear(error: unknown): void {
    if (!(error instanceof Failure)) throw error
    if (!known.has(error.code) && !refusal.test(error.message)) throw error
    const { sentHash = '' } = z.object({ sentHash: z.optional(z.string()) }).parse(error.data ?? {})
    if (error.code === 'REQUEST_PENDING')
      expect(reported, 'what a caller follows holds up nothing').not.toContain(sentHash)
    if (error.code === 'TRANSACTION_DROPPED') dropped.add(sentHash)
    if (error.code !== 'TRANSACTION_REPLACED') return
    over.add(signed.get(sentHash) ?? expect.unreachable())
  }

  /** Until every request has ended, waits for the clock, or has lost its frame. */
  async function settled(): Promise<void> {
    const isBusy = () => [...running].filter(({ frame }) => frame.isAlive).length > clock.pending()
    while (isBusy())
      await new Promise<void>((resolve) => {
        wake = resolve
      })
    if (faults.length > 0) throw faults[0]
  }

  async function run(frame: Frame, what: string, act: (request: Request) => Promise<void>): Promise<void> {
    const request: Request = { what, frame, end: new AbortController() }
    running.add(request)
    void act(request)
      .catch(hear)
      .catch((fault: unknown) => faults.push(fault))
      .finally(() => {
        running.delete(request)
        wake()
      })
    await settled()
  }

  async function written(what: string, isFromDapp: boolean): Promise<string> {
    const { value } = Latest.parse((await ask('getLatestBlockhash', [])).result)
    const transfer = transferLamports(owner.address, friend.address, amountOf(what))
    return writeTransaction(owner.address, value.blockhash, [...(isFromDapp ? limitCompute(5_000, 1n) : []), transfer])
  }

  async function prepare(frame: Frame, what: string, isFromDapp: boolean): Promise<void> {
    if (over.has(what)) return
    const transaction = await written(what, isFromDapp)
    const params = { transaction, ...(isFromDapp && { sendOptions: { skipPreflight: true } }) }
    await run(frame, what, async (request) => {
      const { subject } = await frame.chain.prepare('solana_signAndSendTransaction', params, contextOf(request))
      prepared = [...prepared, { what, frame, subject }]
    })
  }

  async function approve(index: number, reloadAt: number | null): Promise<void> {
    prepared = prepared.filter(({ frame }) => frame.isAlive)
    const chosen = prepared[index % Math.max(1, prepared.length)]
    prepared = prepared.filter((one) => one !== chosen)
    if (chosen === undefined || over.has(chosen.what)) return
    const { what, frame, subject } = chosen
    // The user sees that it is under way.
    if ([...running].some((other) => other.what === what && other.frame.isAlive)) return
    frame.ioLeft = reloadAt
    await run(frame, what, async (request) => {
      const result = await frame.chain.execute('solana_signAndSendTransaction', subject, contextOf(request, subject))
      const { signature } = Sent.parse(result)
      expect(broadcast, 'a signature that is reported was sent').toContain(signature)
      reported.add(signature)
      over.add(what)
    })
    frame.ioLeft = null
    reopen()
  }

  /** The dapp sends it. */
  async function signOnly(frame: Frame, what: string): Promise<void> {
    if (over.has(what)) return
    const transaction = await written(what, false)
    const before = broadcast.size
    await run(frame, what, async (request) => {
      const { subject } = await frame.chain.prepare('solana_signTransaction', { transaction }, contextOf(request))
      const result = await frame.chain.execute('solana_signTransaction', subject, contextOf(request, subject))
      expect(broadcast.size, 'what is only signed is not sent').toBe(before)
      await postToLedger(Sent.parse(result).transaction ?? '')
      over.add(what)
    })
  }

  function reopen(): void {
    for (const [at, { isAlive, site }] of tabs.entries()) if (!isAlive) tabs[at] = openFrame(site)
  }

  async function pass(seconds: number): Promise<void> {
    for (let left = seconds; left > 0; left -= 4) {
      ledger.advance(10)
      clock.advance(4_000)
      await settled()
    }
  }

  const frameAt = (at: number) => tabs[at] ?? expect.unreachable()
  const paymentOf = (at: number, index: number) => `payment ${sites[at] === 'other' ? index + 4 : index}`

  async function take(step: Step): Promise<void> {
    switch (step.kind) {
      case 'prepare':
        return prepare(frameAt(step.tab), paymentOf(step.tab, step.index), step.isFromDapp)
      case 'approve':
        return approve(step.which, step.reloadAt)
      case 'signOnly':
        return signOnly(frameAt(step.tab), `payment ${20 + step.index}`)
      case 'cancel': {
        const all = [...running].filter(({ frame }) => frame.isAlive)
        all[step.which % Math.max(1, all.length)]?.end.abort()
        return settled()
      }
      case 'reload':
        end(frameAt(step.tab))
        return reopen()
      case 'fate':
        fate = step.fate
        return
      case 'deliver':
        return deliver()
      case 'lag':
        lag = step.slots
        isMixed = step.isMixed
        return
      case 'pass':
        return pass(step.seconds)
      case 'sleep':
        untilSleep = step.requests
        return
    }
  }

  async function deliver(): Promise<void> {
    for (const transaction of late.splice(0)) await postToLedger(transaction)
  }

  for (const step of steps) {
    await take(step)
    ledger.advance(1)
  }

  // Then the weather is fair, and the account is used again.
  fate = null
  lag = 0
  untilSleep = null
  await deliver()
  await pass(200)
  expect(
    [...running].filter(({ frame }) => frame.isAlive),
    'every request ends',
  ).toEqual([])
  for (let attempt = 0; attempt < 8 && !over.has(lastPayment); attempt += 1) {
    await pass(80)
    prepared = []
    await prepare(frameAt(0), lastPayment, false)
    await approve(0, null)
  }
  const signatures = [...signed.keys()]
  const { value: statuses } = Statuses.parse((await ask('getSignatureStatuses', [signatures])).result)
  const paid = signatures.filter((_, index) => statuses[index] !== null && statuses[index]?.err === null)
  const times = (what: string) => paid.filter((signature) => signed.get(signature) === what).length
  expect(times(lastPayment), 'no account is blocked').toBe(1)
  for (const index of payments)
    expect(times(`payment ${index}`), `payment ${index} is made at most once`).toBeLessThanOrEqual(1)
  for (const signature of dropped) expect(paid, 'what was reported as dropped is not made').not.toContain(signature)
}

it('what was sent on Solana, in any weather: paid once, known, and never blocked', async () => {
  await fc.assert(fc.asyncProperty(fc.array(Step, { minLength: 20, maxLength: 20 }), walk), walks(30))
}, 3_600_000)

it('a payment that arrives in its last slots is not made again by a node that lags', async () => {
  await walk([
    { kind: 'prepare', tab: 0, index: 0, isFromDapp: false },
    { kind: 'fate', fate: 'dropped' },
    { kind: 'approve', which: 0, reloadAt: null },
    { kind: 'prepare', tab: 0, index: 0, isFromDapp: false },
    { kind: 'pass', seconds: 56 },
    { kind: 'lag', slots: 16, isMixed: true },
    { kind: 'deliver' },
    { kind: 'pass', seconds: 4 },
    { kind: 'prepare', tab: 0, index: 0, isFromDapp: false },
    { kind: 'approve', which: 0, reloadAt: null },
  ])
})

it('a payment that arrives between two looks for it is not made again', async () => {
  await walk([
    { kind: 'prepare', tab: 0, index: 0, isFromDapp: false },
    { kind: 'fate', fate: 'dropped' },
    { kind: 'approve', which: 0, reloadAt: null },
    { kind: 'prepare', tab: 0, index: 0, isFromDapp: false },
    { kind: 'sleep', requests: 1 },
    { kind: 'prepare', tab: 0, index: 0, isFromDapp: false },
    { kind: 'prepare', tab: 0, index: 0, isFromDapp: false },
    { kind: 'approve', which: 1, reloadAt: null },
  ])
})

it.each([0, 1])('a refused payment that another node carries out late is not made again (by tab %i)', async (again) => {
  await walk([
    { kind: 'prepare', tab: 0, index: 0, isFromDapp: false },
    { kind: 'fate', fate: 'relayed' },
    { kind: 'approve', which: 0, reloadAt: null },
    { kind: 'reload', tab: 0 },
    { kind: 'prepare', tab: again, index: 0, isFromDapp: true },
    { kind: 'approve', which: 0, reloadAt: null },
    { kind: 'deliver' },
  ])
})

import { manualClock } from '@postern/base/testing/manual-clock'
import { regtest, testEsplora, testKey } from '@postern/chains/bip122/testing/test-chain'
import type { ApprovalSubject } from '@postern/protocol'
import { Psbt, Transaction } from 'bitcoinjs-lib'
import { describe, expect, it } from 'vitest'
import { memoryNotes } from '../notes'
import { testContext } from '../testing'
import { createBip122Chain } from './chain'

const owner = testKey('p2wpkh', 1)
const friend = testKey('p2wpkh', 2)

type Fate = 'arrives' | 'is lost' | 'hangs' | 'is refused' | 'conflicts'

/** An endpoint that never lists a coin as spent, and knows of a transaction what the test says. */
function setUp(values: readonly bigint[] = [80_000n, 40_000n]) {
  const chain = testEsplora(
    owner,
    values.map((value) => ({ value })),
    { '2': 3 },
  )
  const known = new Map<string, boolean>()
  const spent = new Set<string>()
  let isSpentInBlock = true
  const posted: string[] = []
  let fate: Fate = 'arrives'
  let asked = 0
  const context = testContext({
    networkId: regtest,
    addresses: { ...testContext({}).addresses, bip122: owner.account.publicKey ?? '' },
    sign: async (job) => (job.kind === 'bip122.psbt' ? owner.sign(job.psbt) : ''),
    fetch: async (url, given) => {
      const path = new URL(String(url)).pathname.slice(`/v1/esplora/${regtest}`.length)
      if (given?.method === 'POST') {
        asked += 1
        if (fate === 'hangs') return new Promise(() => {})
        if (fate === 'is lost') throw new TypeError('Failed to fetch')
        if (fate === 'is refused') return new Response('min relay fee not met', { status: 400 })
        if (fate === 'conflicts') return new Response('bad-txns-inputs-missingorspent', { status: 400 })
        posted.push(String(given.body))
        return new Response(Transaction.fromHex(String(given.body)).getId())
      }
      const [, made = ''] = /^\/tx\/([0-9a-f]{64})\/outspends$/.exec(path) ?? []
      if (spent.has(made))
        return Response.json([{ spent: true, txid: 'ee'.repeat(32), vin: 0, status: { confirmed: isSpentInBlock } }])
      const [, txid = ''] = /^\/tx\/([0-9a-f]{64})$/.exec(path) ?? []
      const isConfirmed = known.get(txid)
      if (isConfirmed !== undefined)
        return Response.json({ txid, weight: 400, fee: 200, vin: [], vout: [], status: { confirmed: isConfirmed } })
      if (txid !== '' && !chain.coins.some((coin) => coin.txid === txid)) return new Response('no', { status: 404 })
      const answer = await chain.esplora.get(path)
      if (Array.isArray(answer)) return Response.json(answer.filter((coin) => !spent.has(`${coin.txid}`)))
      return typeof answer === 'string' ? new Response(answer) : Response.json(answer)
    },
  })
  const notes = memoryNotes()
  const clock = manualClock(1_800_000_000_000)
  const tab = () => {
    const wallet = createBip122Chain(notes, clock)
    const prepare = async (amount: string) =>
      (await wallet.prepare('bip122_sendTransfer', { recipientAddress: friend.address, amount }, context)).subject
    const execute = (subject: ApprovalSubject) => wallet.execute('bip122_sendTransfer', subject, context)
    return { prepare, execute, pay: async (amount: string) => execute(await prepare(amount)) }
  }
  return {
    tab,
    posted,
    known,
    /** The transactions that made what another wallet has spent. */
    spent,
    /** Whether a block has what spent them. */
    spendInBlock(next: boolean) {
      isSpentInBlock = next
    },
    clock,
    asked: () => asked,
    txids: () => posted.map((hex) => Transaction.fromHex(hex).getId()),
    in: (next: Fate) => {
      fate = next
    },
  }
}

function coinsOf(subject: ApprovalSubject): readonly string[] {
  if (subject.kind !== 'bip122.psbt') throw new Error('no PSBT')
  return Psbt.fromBase64(subject.psbt).txInputs.map(
    ({ hash, index }) => `${Buffer.from(hash).toString('hex')}:${index}`,
  )
}

const pending = { code: 'REQUEST_PENDING' }
const replaced = { code: 'TRANSACTION_REPLACED' }

describe('coins of earlier transactions', () => {
  it('2. are not offered again while the endpoint still lists them', async () => {
    const { tab } = setUp()
    const first = await tab().prepare('10000')
    await tab().execute(first)
    const second = await tab().prepare('10000')
    expect(coinsOf(second).filter((coin) => coinsOf(first).includes(coin))).toEqual([])
    await tab().execute(second)
    await expect(tab().prepare('10000')).rejects.toMatchObject(pending)
  })

  it('2. are used by one of two tabs that approve at once', async () => {
    const { tab, posted } = setUp()
    const [one, other] = await Promise.all([tab().prepare('10000'), tab().prepare('20000')])
    const ended = await Promise.allSettled([tab().execute(one), tab().execute(other)])
    expect(ended.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    expect(posted).toHaveLength(1)
  })

  it('2. stay in use if nodes have lost the transaction, which is sent again', async () => {
    const { tab, posted, txids } = setUp()
    await tab().pay('10000')
    await tab().prepare('10000')
    expect(txids()).toEqual([txids()[0], txids()[0]])
    expect(posted).toHaveLength(2)
  })

  it('4. are in use if a node says so, although the endpoint lists them', async () => {
    const { tab, in: during } = setUp()
    const first = await tab().prepare('10000')
    during('conflicts')
    await expect(tab().execute(first)).rejects.toMatchObject(replaced)
    during('arrives')
    expect(coinsOf(await tab().prepare('10000')).filter((coin) => coinsOf(first).includes(coin))).toEqual([])
  })
})

it('4. of a transaction that came too late block nothing after that', async () => {
  const { tab, in: during, clock, spent } = setUp()
  const first = await tab().prepare('10000')
  during('conflicts')
  await expect(tab().execute(first)).rejects.toMatchObject(replaced)
  during('arrives')
  if (first.kind !== 'bip122.psbt') throw new Error('no PSBT')
  for (const { hash } of Psbt.fromBase64(first.psbt).txInputs) spent.add(Buffer.from(hash).reverse().toString('hex'))
  clock.advance(600_001)
  await expect(tab().pay('10000')).resolves.toMatchObject({ txid: expect.any(String) })
})

describe('3. a transfer that may or may not have arrived', () => {
  it.each(['is lost', 'is refused'] as const)('%s: the next one spends a coin of it', async (fate) => {
    const { tab, in: during } = setUp()
    const first = await tab().prepare('10000')
    during(fate)
    await expect(tab().execute(first)).rejects.toThrow()
    during('arrives')
    for (const amount of ['10000', '50000', '100000'])
      expect(coinsOf(await tab().prepare(amount))).toEqual(expect.arrayContaining([...coinsOf(first)]))
  })

  it.each([0, 600_001])('is overtaken for good once the next one is confirmed, %i ms ago', async (ms) => {
    const { tab, in: during, known, txids, clock } = setUp([80_000n, 40_000n, 30_000n])
    const first = await tab().prepare('10000')
    during('is refused')
    await expect(tab().execute(first)).rejects.toThrow()
    during('arrives')
    const second = await tab().prepare('20000')
    await tab().execute(second)
    known.set(txids()[0] ?? '', true)
    const third = await tab().prepare('5000')
    clock.advance(ms)
    await expect(tab().execute(third)).resolves.toMatchObject({ txid: expect.any(String) })
  })

  it.each(['is lost', 'is refused'] as const)(
    '%s, and another site spends its coins: it holds up nothing once a block has that',
    async (fate) => {
      const { tab, in: during, spent, spendInBlock, clock } = setUp()
      const first = await tab().prepare('10000')
      during(fate)
      await expect(tab().execute(first)).rejects.toThrow()
      during('arrives')
      for (const coin of coinsOf(first)) spent.add(Buffer.from(coin.slice(0, 64), 'hex').reverse().toString('hex'))
      spendInBlock(false)
      clock.advance(60_000)
      await expect(tab().prepare('10000'), 'either may still be confirmed').rejects.toMatchObject(pending)
      spendInBlock(true)
      await expect(tab().pay('10000')).resolves.toMatchObject({ txid: expect.any(String) })
    },
  )

  it('keeps the next one from being made twice although another site spends one of its own coins', async () => {
    const { tab, in: during, spent } = setUp()
    const both = await tab().prepare('100000')
    const one = await (async () => {
      during('is lost')
      await expect(tab().execute(both)).rejects.toThrow()
      const next = await tab().prepare('10000')
      await expect(tab().execute(next)).rejects.toThrow()
      return next
    })()
    during('arrives')
    const [shared] = coinsOf(one)
    const rest = coinsOf(both).filter((coin) => coin !== shared)
    expect([coinsOf(one), rest]).toEqual([[shared], [expect.any(String)]])
    for (const coin of rest) spent.add(Buffer.from(coin.slice(0, 64), 'hex').reverse().toString('hex'))
    expect(coinsOf(await tab().prepare('20000'))).toEqual([shared])
    await expect(tab().pay('20000')).resolves.toMatchObject({ txid: expect.any(String) })
  })

  it('waits: the next one is rejected until it is confirmed, and once then', async () => {
    const { tab, in: during, known } = setUp()
    const first = await tab().prepare('10000')
    during('is lost')
    const failure = await Promise.resolve(tab().execute(first)).then(
      () => null,
      (thrown: { data: { sentHash: string } }) => thrown,
    )
    during('arrives')
    const txid = failure?.data.sentHash ?? ''
    known.set(txid, false)
    for (const _ of [1, 2])
      await expect(tab().prepare('10000')).rejects.toMatchObject({ ...pending, data: { sentHash: txid } })
    known.set(txid, true)
    await expect(tab().prepare('10000')).rejects.toMatchObject(replaced)
    expect(coinsOf(await tab().prepare('10000')).filter((coin) => coinsOf(first).includes(coin))).toEqual([])
  })

  it('had its frame reloaded while it was sent: the next one waits a minute, then shares a coin with it', async () => {
    const { tab, in: during, asked, clock } = setUp()
    const first = await tab().prepare('10000')
    during('hangs')
    void tab()
      .execute(first)
      .catch(() => undefined)
    await expect.poll(asked).toBe(1)
    await expect(tab().prepare('10000')).rejects.toMatchObject(pending)
    clock.advance(60_000)
    expect(coinsOf(await tab().prepare('20000'))).toEqual(expect.arrayContaining([...coinsOf(first)]))
  })
})

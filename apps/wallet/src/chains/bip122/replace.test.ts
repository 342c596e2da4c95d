import { manualClock } from '@postern/base/testing/manual-clock'
import { regtest, testKey } from '@postern/chains/bip122/testing/test-chain'
import { freePorts, startBitcoin } from '@postern/chains/testing/devnet'
import type { ApprovalSubject, NetworkDefinition, ReplacementKind } from '@postern/protocol'
import { Psbt } from 'bitcoinjs-lib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import * as z from 'zod/mini'
import type { ChainContext, WalletChain } from '../../contract'
import { memoryNotes } from '../notes'
import { testContext } from '../testing'
import { createBip122Chain } from './chain'

const friend = testKey('p2wpkh', 251)

let chain: Awaited<ReturnType<typeof startBitcoin>>
beforeAll(async () => {
  // A payment waits until the test makes a block.
  const { port } = await freePorts('port')
  chain = await startBitcoin({ port, blockMs: 0 })
})
afterAll(() => chain.stop())

const Seen = z.object({
  fee: z.number(),
  weight: z.number(),
  vin: z.array(z.object({ txid: z.string(), vout: z.number() })),
  vout: z.array(z.object({ scriptpubkey_address: z.string(), value: z.number() })),
  status: z.object({ confirmed: z.boolean() }),
})
/** Null if the node does not have it. */
async function seen(txid: string) {
  const response = await fetch(`${chain.url}/tx/${txid}`)
  return response.ok ? Seen.parse(await response.json()) : null
}
const isMined = async (txid: string) => (await seen(txid))?.status.confirmed ?? false
const paidBy = async (txid: string, address = friend.address) =>
  (await seen(txid))?.vout.reduce((sum, out) => sum + (out.scriptpubkey_address === address ? out.value : 0), 0)

const Unspent = z.array(z.object({ txid: z.string(), vout: z.number(), value: z.number() }))
async function coinsOf({ address }: Key) {
  return Unspent.parse(await (await fetch(`${chain.url}/address/${address}/utxo`)).json())
}

/** Input of the last coin. */
async function coin(key: Key) {
  const { txid, vout, value } = (await coinsOf(key)).at(-1) ?? expect.unreachable()
  return { hash: txid, index: vout, witnessUtxo: { script: key.script, value: BigInt(value) } }
}

/** `arrives unseen`: the node refuses it, and does not tell of it. */
type Answer = 'arrives' | 'is cut off' | 'is lost' | 'is refused' | 'arrives unseen'
type Key = ReturnType<typeof testKey>

const network: NetworkDefinition = {
  id: regtest,
  name: 'Regtest',
  nativeCurrency: { name: 'Bitcoin', symbol: 'BTC', decimals: 8 },
}

let seed = 100
/** Pays at the lowest rate. */
async function payer(coins: readonly bigint[]) {
  const owner: Key = testKey('p2wpkh', seed++)
  for (const coin of coins) await chain.fund(owner.address, coin)
  await chain.mine(1)
  let answer: Answer = 'arrives'
  let refusal = ''
  const gateway: typeof fetch = async (url, init) => {
    const path = new URL(String(url)).pathname.slice(`/v1/esplora/${regtest}`.length)
    if (answer === 'arrives unseen') {
      if (init?.method === 'POST') await fetch(chain.url + path, init)
      return new Response(refusal, { status: init?.method === 'POST' ? 400 : 404 })
    }
    if (init?.method !== 'POST' || answer === 'arrives') return fetch(chain.url + path, init)
    if (answer === 'is refused') return new Response(refusal, { status: 400 })
    if (answer === 'is cut off') await fetch(chain.url + path, init)
    throw new TypeError('Failed to fetch')
  }
  const context: ChainContext = testContext({
    networkId: regtest,
    page: { ...testContext({}).page, networks: [network] },
    addresses: { ...testContext({}).addresses, bip122: owner.account.publicKey ?? '' },
    async sign(job) {
      if (job.kind !== 'bip122.psbt') throw new Error()
      const psbt = Psbt.fromBase64(job.psbt)
      for (const { index } of job.inputs) psbt.signInput(index, owner.signer)
      return psbt.toBase64()
    },
    fetch: gateway,
  })
  const notes = memoryNotes()
  const clock = manualClock(1_800_000_000_000)
  const tab = () => createBip122Chain(notes, clock)
  const wallet = tab()
  const prepareTransfer = async (amount: number) => {
    const params = { recipientAddress: friend.address, amount: `${amount}`, feeRate: 1 }
    return (await wallet.prepare('bip122_sendTransfer', params, context)).subject
  }
  const send = async (subject: ApprovalSubject) =>
    z.object({ txid: z.string() }).parse(await wallet.execute('bip122_sendTransfer', subject, context)).txid
  const prepare = async (hash: string, kind: ReplacementKind, on: WalletChain = wallet) =>
    (await on.prepareReplacement?.({ hash, kind }, context))?.subject ?? expect.unreachable()
  const execute = async (subject: ApprovalSubject, on: WalletChain = wallet) =>
    z.string().parse(await on.execute('bip122_sendTransfer', subject, context))
  return {
    owner,
    tab,
    prepare,
    execute,
    prepareTransfer,
    send,
    pay: async (amount: number) => send(await prepareTransfer(amount)),
    replace: async (hash: string, kind: ReplacementKind) => execute(await prepare(hash, kind)),
    waiting: async () => (await wallet.waiting?.(context)) ?? expect.unreachable(),
    balance: async () => (await coinsOf(owner)).reduce((sum, { value }) => sum + value, 0),
    signed(subject: ApprovalSubject) {
      const transaction = Psbt.fromBase64(owner.sign(psbtOf(subject)))
        .finalizeAllInputs()
        .extractTransaction(true)
      return { txid: transaction.getId(), hex: transaction.toHex() }
    },
    coin,
    /** Spends the newest coin of the key without this wallet. */
    async elsewhere(key: Key): Promise<string> {
      const psbt = new Psbt().addInput(await coin(key)).addOutput({ script: friend.script, value: 1_000n })
      const hex = Psbt.fromBase64(key.sign(psbt.toBase64())).finalizeAllInputs().extractTransaction(true).toHex()
      return (await fetch(`${chain.url}/tx`, { method: 'POST', body: hex })).text()
    },
    /** A PSBT of the dapp's, which the wallet sends. */
    async sendPsbt(psbt: string): Promise<string> {
      const params = { psbt, signInputs: [{ index: 0, address: owner.address }], broadcast: true }
      const { subject } = await wallet.prepare('bip122_signPsbt', params, context)
      return z.object({ txid: z.string() }).parse(await wallet.execute('bip122_signPsbt', subject, context)).txid
    },
    async while<T>(next: Answer, act: () => Promise<T>, message = ''): Promise<T> {
      answer = next
      refusal = message
      try {
        return await act()
      } finally {
        answer = 'arrives'
      }
    },
  }
}

function psbtOf(subject: ApprovalSubject): string {
  return subject.kind === 'bip122.psbt' ? subject.psbt : expect.unreachable()
}

/** The transactions that made its coins. */
function coinsIn(subject: ApprovalSubject): readonly string[] {
  return Psbt.fromBase64(psbtOf(subject)).txInputs.map(({ hash }) => Buffer.from(hash).reverse().toString('hex'))
}

const notOne = { code: 'INVALID_PARAMS' }
const replaced = { code: 'TRANSACTION_REPLACED' }

describe('a payment that waits', () => {
  it('2. is sped up: same coins and payments, and the change pays the fee', async () => {
    const { owner, pay, waiting, prepare, execute } = await payer([100_000n])
    const first = await pay(40_000)
    const of = {
      networkId: regtest,
      from: owner.address,
      hash: first,
      to: friend.address,
      value: '40000',
      isPlain: true,
    }
    expect(await waiting()).toMatchObject([{ ...of, newest: first }])
    const before = await seen(first)
    const subject = await prepare(first, 'speedUp')
    expect(subject).toMatchObject({ replaces: { kind: 'speedUp', hash: first, newest: first } })
    const second = await execute(subject)
    expect(await seen(first)).toBeNull()
    const after = await seen(second)
    expect(after?.vin).toMatchObject(before?.vin ?? [])
    expect(after?.vout).toMatchObject([{ scriptpubkey_address: friend.address, value: 40_000 }, {}])
    expect(after?.fee).toBeGreaterThanOrEqual((before?.fee ?? 0) + (after?.weight ?? 0) / 4)
    // The estimate for two blocks.
    expect(after?.fee).toBeGreaterThanOrEqual((2 * (after?.weight ?? 0)) / 4)
    expect(await waiting()).toMatchObject([{ ...of, newest: second, replacedBy: 'speedUp' }])
    await chain.mine(1)
    expect([await isMined(second), await paidBy(second)]).toEqual([true, 40_000])
    expect(await waiting()).toEqual([])
  })

  it('2. is cancelled: everything minus the fee comes back', async () => {
    const { owner, pay, replace, waiting, balance } = await payer([60_000n, 50_000n])
    const first = await pay(80_000)
    const second = await replace(first, 'cancel')
    expect(await waiting()).toMatchObject([{ hash: first, newest: second, replacedBy: 'cancel', value: '80000' }])
    await chain.mine(1)
    expect([await seen(first), await paidBy(second)]).toEqual([null, 0])
    const cancelled = await seen(second)
    expect(cancelled?.vout).toMatchObject([{ scriptpubkey_address: owner.address }])
    expect(await balance()).toBe(110_000 - (cancelled?.fee ?? 0))
  })

  it('is sped up twice, then cancelled; 3. a cancellation is not sped up', async () => {
    const { pay, replace, waiting } = await payer([100_000n])
    const first = await pay(40_000)
    await replace(first, 'speedUp')
    await replace(first, 'speedUp')
    const third = await replace(first, 'cancel')
    await expect(replace(first, 'speedUp')).rejects.toMatchObject(notOne)
    const last = await replace(first, 'cancel')
    expect(await waiting()).toMatchObject([{ hash: first, newest: last }])
    await chain.mine(1)
    expect([await isMined(last), await seen(third), await seen(first)]).toEqual([true, null, null])
  })

  it.each(['speedUp', 'cancel'] as const)(
    'is settled by a %s that the node refused and included anyway',
    async (kind) => {
      const { pay, prepare, execute, waiting, signed, ...wallet } = await payer([100_000n, 100_000n])
      const first = await pay(40_000)
      const subject = await prepare(first, kind)
      const refused = wallet.while('arrives unseen', () => execute(subject), 'internal error')
      await expect(refused).rejects.toMatchObject({ message: 'internal error' })
      expect(await waiting()).toMatchObject([{ hash: first, newest: first }])
      await chain.mine(1)
      expect([await isMined(signed(subject).txid), await seen(first)]).toEqual([true, null])
      expect(await waiting()).toEqual([])
      await expect(prepare(first, 'cancel')).rejects.toMatchObject({ code: 'TRANSACTION_MINED' })
    },
  )

  it.each([
    ['speedUp', 'is reported to the caller that asks again'],
    ['cancel', 'lets the payment be made'],
  ] as const)('a %s that the node refused and included anyway %s', async (kind, _what) => {
    const { pay, prepare, execute, waiting, tab, ...wallet } = await payer([100_000n, 100_000n])
    await expect(wallet.while('is lost', () => pay(40_000))).rejects.toMatchObject({
      code: 'TRANSACTION_UNCONFIRMED',
    })
    const [found] = await waiting()
    const subject = await prepare(found?.hash ?? '', kind)
    const refused = wallet.while('arrives unseen', () => execute(subject), 'internal error')
    await expect(refused).rejects.toMatchObject({ message: 'internal error' })
    await chain.mine(1)
    if (kind === 'speedUp')
      await expect(pay(40_000)).rejects.toMatchObject({ ...replaced, data: { sentHash: found?.hash } })
    expect(await paidBy(await pay(40_000))).toBe(40_000)
  })

  it('is sped up by the same bytes after a refusal', async () => {
    const { pay, prepare, execute, waiting, ...wallet } = await payer([100_000n])
    const first = await pay(40_000)
    const subject = await prepare(first, 'speedUp')
    await expect(wallet.while('is refused', () => execute(subject), 'min relay fee not met')).rejects.toMatchObject({
      code: 'REPLACEMENT_UNDERPRICED',
    })
    const second = await execute(subject)
    expect(await waiting()).toMatchObject([{ hash: first, newest: second, replacedBy: 'speedUp' }])
  })

  it('2. takes one more confirmed coin if there is no change, and keeps it in use', async () => {
    const { pay, replace } = await payer([50_000n, 20_000n])
    const first = await pay(49_889)
    expect((await seen(first))?.vin).toHaveLength(1)
    const second = await replace(first, 'speedUp')
    expect((await seen(second))?.vin).toHaveLength(2)
    await expect(pay(5_000)).rejects.toMatchObject({ code: 'REQUEST_PENDING' })
    await chain.mine(1)
    expect([await isMined(second), await paidBy(second)]).toEqual([true, 49_889])
    expect(await paidBy(await pay(5_000))).toBe(5_000)
  })

  it('2. takes no coin that waits itself', async () => {
    const { owner, pay, replace } = await payer([50_000n])
    const first = await pay(49_889)
    await chain.fund(owner.address, 30_000n)
    await expect(replace(first, 'speedUp')).rejects.toMatchObject({ code: 'FEE_NOT_COVERED' })
  })

  it('4. says what is missing for the fee, and changes no amount', async () => {
    const { pay, replace, waiting } = await payer([50_000n])
    const first = await pay(49_889)
    await expect(replace(first, 'speedUp')).rejects.toMatchObject({
      code: 'FEE_NOT_COVERED',
      message: expect.stringMatching(/: missing 0\.0000\d+ BTC$/),
      data: { missing: expect.stringMatching(/^\d+$/) },
    })
    expect(await waiting()).toMatchObject([{ hash: first, newest: first }])
    const second = await replace(first, 'cancel')
    await chain.mine(1)
    expect([await isMined(second), await paidBy(second)]).toEqual([true, 0])
  })

  it('1. is left alone while a later payment spends its change, which is sped up instead', async () => {
    const { pay, replace, waiting } = await payer([100_000n])
    const first = await pay(20_000)
    const later = await pay(30_000)
    expect(await waiting()).toMatchObject([{ hash: later }])
    await expect(replace(first, 'cancel')).rejects.toMatchObject({ code: 'REQUEST_PENDING' })
    const second = await replace(later, 'speedUp')
    await chain.mine(1)
    expect([await isMined(first), await isMined(second)]).toEqual([true, true])
  })

  it('1. is left alone while another device spends its coins with a higher fee', async () => {
    const { owner, pay, prepare, execute, replace, waiting, coin } = await payer([100_000n])
    const input = await coin(owner)
    const first = await pay(40_000)
    const subject = await prepare(first, 'speedUp')
    const psbt = new Psbt().addInput({ ...input, sequence: 0xffff_fffd })
    psbt.addOutput({ script: friend.script, value: 50_000n })
    const other = Psbt.fromBase64(owner.sign(psbt.toBase64())).finalizeAllInputs().extractTransaction(true)
    const taken = await fetch(`${chain.url}/tx`, { method: 'POST', body: other.toHex() })
    expect([taken.ok, await seen(first)]).toEqual([true, null])
    const held = { ...replaced, message: expect.stringContaining('another site or device') }
    await expect(execute(subject)).rejects.toMatchObject(held)
    for (const kind of ['speedUp', 'cancel'] as const) await expect(replace(first, kind)).rejects.toMatchObject(held)
    expect(await waiting()).toEqual([])
  })

  it('1. is left alone while another device spends its change', async () => {
    const { owner, pay, replace, waiting, elsewhere } = await payer([100_000n])
    const first = await pay(20_000)
    const later = await elsewhere(owner)
    expect(await waiting()).toEqual([])
    await expect(replace(first, 'cancel')).rejects.toMatchObject({ code: 'REQUEST_PENDING' })
    expect(await seen(later)).not.toBeNull()
  })

  it('does not wait any more once another site has spent its coins, however long ago', async () => {
    const { owner, pay, prepare, waiting, coin } = await payer([100_000n])
    const spent = await coin(owner)
    const first = await pay(40_000)
    expect(await waiting()).toHaveLength(1)
    const other = new Psbt().addInput(spent).addOutput({ script: friend.script, value: 1_000n })
    const hex = Psbt.fromBase64(owner.sign(other.toBase64())).finalizeAllInputs().extractTransaction(true).toHex()
    expect((await fetch(`${chain.url}/tx`, { method: 'POST', body: hex })).ok).toBe(true)
    await chain.mine(1)
    expect(await waiting()).toEqual([])
    // The endpoint lists 25.
    for (let times = 0; times < 26; times += 1) await chain.fund(owner.address, 1_000n)
    await chain.mine(1)
    expect(await waiting()).toEqual([])
    await expect(prepare(first, 'speedUp')).rejects.toMatchObject({ code: 'INVALID_PARAMS' })
  })

  it.each(['speedUp', 'cancel'] as const)('is mined before the %s is sent: nothing else happens', async (kind) => {
    const { pay, prepare, execute, waiting } = await payer([100_000n])
    const first = await pay(40_000)
    const subject = await prepare(first, kind)
    await chain.mine(1)
    await expect(execute(subject)).rejects.toMatchObject({ code: 'TRANSACTION_MINED' })
    await expect(prepare(first, kind)).rejects.toMatchObject({ code: 'TRANSACTION_MINED' })
    expect([await isMined(first), await waiting()]).toEqual([true, []])
    expect(await paidBy(await pay(1_000))).toBe(1_000)
  })

  it('is as before if nodes want a higher fee', async () => {
    const { pay, replace, waiting, ...payment } = await payer([100_000n])
    const first = await pay(40_000)
    const refusal = `insufficient fee, rejecting replacement ${'0'.repeat(64)}, less fees than conflicting txs`
    const refused = payment.while('is refused', () => replace(first, 'speedUp'), refusal)
    await expect(refused).rejects.toMatchObject({ code: 'REPLACEMENT_UNDERPRICED' })
    const [one] = await waiting()
    expect(one).toMatchObject({ hash: first, newest: first })
    expect(one).not.toHaveProperty('replacedBy')
    await chain.mine(1)
    expect(await isMined(first)).toBe(true)
  })

  it('is replaced by one of two tabs that do it at once', async () => {
    const { pay, tab, prepare, execute, waiting } = await payer([100_000n])
    const first = await pay(40_000)
    const [one, other] = [tab(), tab()]
    const subjects = [await prepare(first, 'speedUp', one), await prepare(first, 'cancel', other)] as const
    const second = await execute(subjects[0], one)
    await expect(execute(subjects[1], other)).rejects.toMatchObject(replaced)
    expect(await waiting()).toMatchObject([{ hash: first, newest: second, replacedBy: 'speedUp' }])
  })

  it('1. is not any transaction: an unknown one, one that does not signal, one with a coin of others', async () => {
    const { owner, prepare, sendPsbt, waiting, coin } = await payer([100_000n])
    await expect(prepare('ab'.repeat(32), 'cancel')).rejects.toMatchObject(notOne)
    const output = { script: friend.script, value: 90_000n }
    const final = await sendPsbt(
      new Psbt()
        .addInput(await coin(owner))
        .addOutput(output)
        .toBase64(),
    )
    expect(await waiting()).toEqual([])
    await expect(prepare(final, 'cancel')).rejects.toMatchObject(notOne)
    const stranger = testKey('p2wpkh', 252)
    await chain.fund(stranger.address, 50_000n)
    await chain.fund(owner.address, 50_000n)
    await chain.mine(1)
    const joint = new Psbt()
    for (const key of [owner, stranger]) joint.addInput({ ...(await coin(key)), sequence: 0xffff_fffd })
    joint.addOutput(output)
    const half = Psbt.fromBase64(joint.toBase64())
    half.signInput(1, stranger.signer).finalizeInput(1)
    const shared = await sendPsbt(half.toBase64())
    expect(await waiting()).toEqual([])
    await expect(prepare(shared, 'cancel')).rejects.toMatchObject(notOne)
  })
})

describe('coins', () => {
  it('6. of a replaced payment and its replacement are not spent until one of them is confirmed', async () => {
    const { pay, replace, prepareTransfer, send } = await payer([100_000n])
    const first = await pay(40_000)
    const early = await prepareTransfer(10_000)
    expect(coinsIn(early)).toEqual([first])
    const second = await replace(first, 'speedUp')
    await expect(send(early)).rejects.toMatchObject(replaced)
    await expect(prepareTransfer(10_000)).rejects.toMatchObject({ code: 'REQUEST_PENDING' })
    await chain.mine(1)
    expect(coinsIn(await prepareTransfer(10_000))).toEqual([second])
  })
})

describe('3. a replacement that may or may not have arrived', () => {
  it('stays in the note: the first one decides it if that is confirmed', async () => {
    const { pay, replace, waiting, ...payment } = await payer([100_000n])
    const first = await pay(40_000)
    const lost = payment.while('is lost', () => replace(first, 'cancel'))
    await expect(lost).rejects.toMatchObject({ code: 'TRANSACTION_UNCONFIRMED' })
    expect(await waiting()).toMatchObject([{ hash: first, replacedBy: 'cancel' }])
    await chain.mine(1)
    expect([await isMined(first), await waiting()]).toEqual([true, []])
    expect(await paidBy(await pay(1_000))).toBe(1_000)
  })

  it('was sent if the node has it', async () => {
    const { pay, replace, ...payment } = await payer([100_000n])
    const first = await pay(40_000)
    const second = await payment.while('is cut off', () => replace(first, 'cancel'))
    expect([await seen(first), await paidBy(second)]).toEqual([null, 0])
  })
})

describe('a payment with an unknown outcome', () => {
  it('is cancelled, and never arrives after that', async () => {
    const { pay, replace, waiting, ...payment } = await payer([100_000n])
    const { sentHash: first } = await lostPayment(payment, pay)
    expect(await waiting()).toMatchObject([{ hash: first, newest: first }])
    const cancelled = await replace(first, 'cancel')
    await chain.mine(1)
    expect([await isMined(cancelled), await seen(first)]).toEqual([true, null])
    expect(await paidBy(await pay(1_000))).toBe(1_000)
  })

  it('is pending after it was sped up, and then reported to the caller that asks again', async () => {
    const { pay, replace, ...payment } = await payer([100_000n, 90_000n])
    const { sentHash: first } = await lostPayment(payment, pay)
    const faster = await replace(first, 'speedUp')
    await expect(pay(40_000)).rejects.toMatchObject({ code: 'REQUEST_PENDING' })
    await chain.mine(1)
    expect(await isMined(faster)).toBe(true)
    await expect(pay(40_000)).rejects.toMatchObject({ ...replaced, data: { sentHash: first, transactionHash: faster } })
  })

  it('is reported as carried out if its speed-up was, once', async () => {
    const { pay, prepare, execute, signed, ...payment } = await payer([100_000n])
    const { sentHash: first } = await lostPayment(payment, pay)
    const subject = await prepare(first, 'speedUp')
    await payment.while('is lost', () => execute(subject)).catch(() => undefined)
    const { txid, hex } = signed(subject)
    await fetch(`${chain.url}/tx`, { method: 'POST', body: hex })
    await expect(pay(1_000)).rejects.toMatchObject({ code: 'REQUEST_PENDING' })
    await chain.mine(1)
    await expect(pay(1_000)).rejects.toMatchObject({ ...replaced, data: { sentHash: first, transactionHash: txid } })
    expect(await paidBy(await pay(1_000))).toBe(1_000)
  })

  it('is not reported if its cancellation was carried out', async () => {
    const { pay, prepare, execute, signed, ...payment } = await payer([100_000n])
    const { sentHash: first } = await lostPayment(payment, pay)
    const subject = await prepare(first, 'cancel')
    await payment.while('is lost', () => execute(subject)).catch(() => undefined)
    await fetch(`${chain.url}/tx`, { method: 'POST', body: signed(subject).hex })
    await chain.mine(1)
    expect(await paidBy(await pay(1_000))).toBe(1_000)
  })

  async function lostPayment(
    payment: Pick<Awaited<ReturnType<typeof payer>>, 'while'>,
    pay: (amount: number) => unknown,
  ) {
    const thrown: unknown = await payment.while('is lost', async () => pay(40_000)).catch((error: unknown) => error)
    return z.object({ data: z.object({ sentHash: z.string() }) }).parse(thrown).data
  }
})

/** A replacement of an operation that is refused, or whose outcome is unknown. */
import { describe, expect, it } from 'vitest'
import * as z from 'zod/mini'
import { operationDevnet, operationOf } from '../testing/operation-devnet'

const { setBundler, isIncluded, payer } = await operationDevnet()

const pending = { code: 'REQUEST_PENDING' }
const replaced = { code: 'TRANSACTION_REPLACED' }
const mined = { code: 'TRANSACTION_MINED' }

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

  const gwei = 10n ** 9n
  it.each([
    ['replacement operation underpriced. Existing priority fee: 70000000000. Existing fee: 90000000000', 70n, 90n],
    ['Replacement UserOperation must have higher maxPriorityFeePerGas (old=70000000000 new=2) ', 70n, 0n],
    ['Replacement UserOperation must have higher maxFeePerGas (old=90000000000 new=2) ', 0n, 90n],
  ])('2. 3. the next one offers more than the bundler says it has: %s', async (message, tip, fee) => {
    const { payBatch, prepare, execute, ...wallet } = await payer(`known ${message}`)
    await setBundler('hold')
    const hash = (await payBatch()).slice(0, 66)
    const subject = await prepare(hash, 'speedUp')
    await expect(wallet.while('is refused', () => execute(subject), message)).rejects.toMatchObject({
      code: 'REPLACEMENT_UNDERPRICED',
    })
    const next = operationOf(await prepare(hash, 'speedUp')).operation
    expect(BigInt(String(next.maxPriorityFeePerGas)) * 10n).toBeGreaterThanOrEqual(tip * gwei * 11n)
    expect(BigInt(String(next.maxFeePerGas)) * 10n).toBeGreaterThanOrEqual(fee * gwei * 11n)
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
      const { pay, payBatch, received, ...wallet } = await payer(`elsewhere ${message}`)
      await expect(wallet.while('is refused', () => payBatch('order-1'), message)).rejects.toMatchObject(replaced)
      // Until the chain shows it, a block may have the first one.
      for (const id of ['order-1', 'order-2'])
        await expect(payBatch(id)).rejects.toMatchObject({ code: 'REQUEST_PENDING' })
      await pay()
      await expect.poll(received).toBe(5n)
    }
  })
})

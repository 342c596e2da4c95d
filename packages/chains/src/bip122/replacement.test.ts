import { Transaction } from 'bitcoinjs-lib'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseBitcoinAddress } from './address'
import { feeOf, isDust, transactionSize } from './coins'
import { isSignalling, planReplacement, type ReplacementRequest } from './replacement'
import { testKey } from './testing/test-chain'

const owner = testKey('p2wpkh', 1)
const friend = testKey('p2tr', 2)
const own = parseBitcoinAddress(owner.address) ?? expect.unreachable()

/** With signatures of the longest kind. */
function transactionOf(inputs: number, outputs: readonly { script: Uint8Array; value: bigint }[]): Transaction {
  const transaction = new Transaction()
  for (let index = 0; index < inputs; index += 1) {
    transaction.addInput(new Uint8Array(32).fill(7), index, 0xffff_fffd)
    transaction.setWitness(index, [new Uint8Array(72), new Uint8Array(33)])
  }
  for (const { script, value } of outputs) transaction.addOutput(script, value)
  return transaction
}

const toFriend = (value: bigint) => ({ script: friend.script, value })
const toOwner = (value: bigint) => ({ script: owner.script, value })
const coin = (value: bigint, vout = 0) => ({ txid: '08'.repeat(32), vout, value, isConfirmed: true })
const payment = transactionOf(1, [toFriend(50_000n), toOwner(20_000n)])
const speedUp: ReplacementRequest = {
  kind: 'speedUp',
  transaction: payment,
  fee: 200n,
  own,
  feeRate: 5_000n,
  spare: [],
}

describe('a speed-up', () => {
  it('1. lowers the change only', () => {
    const size = transactionSize('p2wpkh', 1, [friend.script, owner.script])
    const fee = feeOf(size, 5_000n)
    const outputs = [toFriend(50_000n), toOwner(20_200n - fee)]
    expect(planReplacement(speedUp)).toEqual({ added: null, fee, outputs })
    const before = transactionOf(1, [toOwner(20_000n), toFriend(50_000n)])
    expect(planReplacement({ ...speedUp, transaction: before })).toMatchObject({ outputs: outputs.toReversed() })
  })

  it('1. gives change that would be dust to the fee', () => {
    const transaction = transactionOf(1, [toFriend(50_000n), toOwner(700n)])
    expect(planReplacement({ ...speedUp, transaction })).toEqual({
      added: null,
      outputs: [toFriend(50_000n)],
      fee: 900n,
    })
  })

  it('1. adds the smallest spare coin that suffices, with change', () => {
    const transaction = transactionOf(1, [toFriend(50_000n)])
    const spare = [coin(90_000n, 1), coin(15_000n, 2), coin(400n, 3)]
    const fee = feeOf(transactionSize('p2wpkh', 2, [friend.script, owner.script]), 5_000n)
    const outputs = [toFriend(50_000n), toOwner(15_200n - fee)]
    expect(planReplacement({ ...speedUp, transaction, spare })).toEqual({ added: spare[1], fee, outputs })
  })

  it('1. adds a coin that may carry a collectible only if no other suffices', () => {
    const transaction = transactionOf(1, [toFriend(50_000n)])
    const added = (...values: readonly bigint[]) => {
      const planned = planReplacement({ ...speedUp, transaction, spare: values.map(coin) })
      return 'added' in planned ? planned.added?.value : null
    }
    expect(added(10_000n, 90_000n, 546n)).toBe(90_000n)
    expect(added(10_000n, 546n)).toBe(10_000n)
  })

  it('3. pays for its relay, and more than the earlier rate', () => {
    const fee = 2_000n
    const planned = planReplacement({ ...speedUp, fee, feeRate: 1_000n })
    expect(planned).toMatchObject({ fee: fee + transactionSize('p2wpkh', 1, [friend.script, owner.script]) })
    // A second input makes it larger: the earlier fee plus its relay would be a lower rate.
    const transaction = transactionOf(1, [toFriend(50_000n)])
    const larger = planReplacement({ ...speedUp, transaction, fee, feeRate: 1_000n, spare: [coin(90_000n)] })
    const size = transactionSize('p2wpkh', 2, [friend.script, owner.script])
    expect(larger).toMatchObject({ fee: (fee * size) / BigInt(transaction.virtualSize()) + 1n })
  })

  it('4. says what is missing, and changes no amount, not even to oneself', () => {
    const size = transactionSize('p2wpkh', 1, [owner.script])
    const transaction = transactionOf(1, [toOwner(50_000n)])
    expect(planReplacement({ ...speedUp, transaction })).toEqual({ missing: feeOf(size, 5_000n) - 200n })
    const two = feeOf(transactionSize('p2wpkh', 2, [owner.script]), 5_000n)
    expect(planReplacement({ ...speedUp, transaction, spare: [coin(400n)] })).toEqual({ missing: two - 600n })
  })

  it('1. 3. keeps every payment and pays the fee, whatever the transaction is', () => {
    const amount = fc.bigInt({ min: 600n, max: 1_000_000n })
    const output = fc.record({ value: amount, isOwn: fc.boolean() })
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 5 }),
        fc.array(output, { minLength: 1, maxLength: 4 }),
        fc.bigInt({ min: 300n, max: 50_000n }),
        fc.bigInt({ min: 1_000n, max: 50_000n }),
        fc.array(amount, { maxLength: 3 }),
        (inputs, outputs, fee, feeRate, spare) => {
          const all = outputs.map(({ value, isOwn }) => (isOwn ? toOwner(value) : toFriend(value)))
          const transaction = transactionOf(inputs, all)
          const planned = planReplacement({ ...speedUp, transaction, fee, feeRate, spare: spare.map(coin) })
          if ('missing' in planned) {
            expect(planned.missing).toBeGreaterThan(0n)
            return
          }
          const made = transactionOf(inputs + (planned.added === null ? 0 : 1), planned.outputs)
          const total = (of: typeof all) => of.reduce((sum, { value }) => sum + value, 0n)
          const isPaid = ({ script }: (typeof all)[number]) => script === friend.script
          expect(planned.outputs.filter(isPaid)).toEqual(all.filter(isPaid))
          expect(total(all) + fee + (planned.added?.value ?? 0n) - total([...planned.outputs])).toBe(planned.fee)
          const size = BigInt(made.virtualSize())
          expect(planned.fee).toBeGreaterThanOrEqual(fee + size)
          expect(planned.fee).toBeGreaterThanOrEqual(feeOf(size, feeRate))
          expect(planned.fee * BigInt(transaction.virtualSize())).toBeGreaterThan(fee * size)
          expect(planned.outputs.some(({ value }) => isDust(value, 'p2wpkh'))).toBe(false)
        },
      ),
    )
  })
})

describe('2. a cancellation', () => {
  const cancel = { ...speedUp, kind: 'cancel' } as const

  it('pays everything minus the fee to oneself', () => {
    const fee = feeOf(transactionSize('p2wpkh', 1, [owner.script]), 5_000n)
    expect(planReplacement({ ...cancel, spare: [coin(9_000n)] })).toEqual({
      added: null,
      fee,
      outputs: [toOwner(70_200n - fee)],
    })
  })

  it('says what is missing if the coins do not pay it', () => {
    const transaction = transactionOf(1, [toFriend(600n)])
    const fee = feeOf(transactionSize('p2wpkh', 1, [owner.script]), 5_000n)
    expect(planReplacement({ ...cancel, transaction })).toEqual({ missing: fee + 294n - 800n })
  })
})

it('signals if an input does', () => {
  expect(isSignalling(payment)).toBe(true)
  const final = new Transaction()
  final.addInput(new Uint8Array(32), 0, 0xffff_fffe)
  final.addInput(new Uint8Array(32), 1)
  expect(isSignalling(final)).toBe(false)
})

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { AddressKind } from './address'
import { type Coin, feeOf, isDust, mayCarryCollectible, type SpendableKind, selectCoins } from './coins'

const spendable: readonly SpendableKind[] = ['p2pkh', 'p2sh-p2wpkh', 'p2wpkh', 'p2tr']
const scriptLength: Readonly<Record<AddressKind, number>> = { p2pkh: 25, p2sh: 23, p2wpkh: 22, p2wsh: 34, p2tr: 34 }
const kinds: readonly AddressKind[] = ['p2pkh', 'p2sh', 'p2wpkh', 'p2wsh', 'p2tr']

const value = fc.oneof(
  fc.bigInt({ min: 0n, max: 2_000n }),
  fc.bigInt({ min: 0n, max: 1_000_000n }),
  fc.bigInt({ min: 0n, max: 2_100_000_000_000_000n }),
)
const coins = fc
  .array(fc.record({ value, isConfirmed: fc.boolean() }), { maxLength: 60 })
  .map((list) =>
    list.map((coin, index): Coin => ({ ...coin, txid: index.toString(16).padStart(64, '0'), vout: index })),
  )
const request = fc
  .record({
    coins,
    kind: fc.constantFrom(...spendable),
    amount: fc.oneof(fc.bigInt({ min: 294n, max: 5_000_000n }), value),
    feeRate: fc.bigInt({ min: 1_000n, max: 2_000_000n }),
    to: fc.constantFrom(...kinds),
    changeKind: fc.constantFrom(...kinds),
  })
  .map(({ to, changeKind, ...rest }) => ({
    ...rest,
    recipientScript: new Uint8Array(scriptLength[to]),
    change: { kind: changeKind, script: new Uint8Array(scriptLength[changeKind]) },
  }))

const sum = (list: readonly Coin[]) => list.reduce((total, coin) => total + coin.value, 0n)

describe('selectCoins', () => {
  it('1–4. pays the exact fee without dust, and spends each coin once, in order', () => {
    fc.assert(
      fc.property(request, (requests) => {
        const selection = selectCoins(requests)
        if (selection === null) return
        const { amount, feeRate, change } = requests
        const rest = selection.change ?? 0n
        expect(sum(selection.coins) - amount - rest).toBe(selection.fee)
        expect(selection.fee).toBeGreaterThanOrEqual(feeOf(selection.size, feeRate))
        const outputCost = feeOf(BigInt(9 + change.script.length), feeRate)
        expect(selection.fee).toBeLessThanOrEqual(
          feeOf(selection.size, feeRate) + (selection.change === null ? 547n + outputCost : 0n),
        )
        if (selection.change !== null) expect(isDust(selection.change, change.kind)).toBe(false)
        expect(new Set(selection.coins).size).toBe(selection.coins.length)
        for (const coin of selection.coins) expect(requests.coins).toContain(coin)
        const rank = (coin: Coin) => (mayCarryCollectible(coin) ? 2 : 0) + (coin.isConfirmed ? 0 : 1)
        const ranks = selection.coins.map(rank)
        expect(ranks).toEqual(ranks.toSorted((one, other) => one - other))
      }),
      { numRuns: 1_000 },
    )
  })

  it('5. finds coins whenever they suffice', () => {
    fc.assert(
      fc.property(request, (requests) => {
        // All worthwhile coins, at the largest size.
        const cost = feeOf(148n, requests.feeRate)
        const worth = requests.coins.filter((coin) => coin.value > cost)
        const dearest = feeOf(100n + 148n * BigInt(worth.length), requests.feeRate)
        if (worth.length > 0 && sum(worth) >= requests.amount + dearest) expect(selectCoins(requests)).not.toBeNull()
        if (sum(requests.coins) <= requests.amount) expect(selectCoins(requests)).toBeNull()
      }),
      { numRuns: 1_000 },
    )
  })

  it('4. spends a coin of 10,000 or less only if the others are not enough', () => {
    const coinOf = (value: bigint, vout: number): Coin => ({
      txid: '0'.repeat(64),
      vout,
      value,
      isConfirmed: vout !== 9,
    })
    const coins = [coinOf(546n, 0), coinOf(10_000n, 1), coinOf(10_001n, 2), coinOf(50_000n, 9)]
    const script = new Uint8Array(22)
    const change = { kind: 'p2wpkh', script } as const
    const spent = (amount: bigint) =>
      selectCoins({ coins, kind: 'p2wpkh', feeRate: 1_000n, recipientScript: script, change, amount })?.coins.map(
        ({ value }) => value,
      )
    expect(spent(5_000n)).toEqual([10_001n])
    expect(spent(55_000n)).toEqual([10_001n, 50_000n])
    expect(spent(65_000n)).toEqual([10_001n, 50_000n, 10_000n])
  })

  it('fails if it needs more coins than a transaction may have', () => {
    const many = Array.from(
      { length: 2_000 },
      (_, vout): Coin => ({ txid: '0'.repeat(64), vout, value: 1_000n, isConfirmed: true }),
    )
    const script = new Uint8Array(22)
    const requests = {
      coins: many,
      kind: 'p2wpkh',
      feeRate: 1_000n,
      recipientScript: script,
      change: { kind: 'p2wpkh', script },
    } as const
    expect(selectCoins({ ...requests, amount: 600_000n })).toBeNull()
    expect(selectCoins({ ...requests, amount: 400_000n })?.coins.length).toBeLessThanOrEqual(500)
  })
})

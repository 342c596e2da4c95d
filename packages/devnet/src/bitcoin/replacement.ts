import type { Transaction } from 'bitcoinjs-lib'
import { type KnownTransaction, type Ledger, outpointOf } from './ledger'

/** In satoshis per vbyte. Source: Bitcoin Core's DEFAULT_INCREMENTAL_RELAY_FEE until version 30. */
const incrementalFee = 1n
const maxEvicted = 100

/** The unconfirmed transactions that `transaction` would replace, without their descendants. */
export function replacedBy(transaction: Transaction, ledger: Ledger): readonly KnownTransaction[] {
  const ids = transaction.ins.flatMap(({ hash, index }) => ledger.spender(outpointOf(hash, index))?.id ?? [])
  return [...new Set(ids)].flatMap((id) => {
    const known = ledger.transaction(id)
    return known === undefined || known.block !== null ? [] : [known]
  })
}

/**
 * Why a node does not replace `replaced`, in Bitcoin Core's wording; null if it does.
 * The numbers are those of BIP-125.
 *
 * 1. Each replaced transaction signals that it can be replaced.
 * 2. The replacement spends no unconfirmed output that the replaced ones do not spend.
 * 3. Its fee is at least that of all evicted transactions. Bitcoin Core also wants a higher rate.
 * 4. It pays for its own relay in addition.
 * 5. It evicts at most 100 transactions.
 */
export function replacementFault(
  transaction: Transaction,
  replaced: readonly KnownTransaction[],
  ledger: Ledger,
): string | null {
  const refused = `insufficient fee, rejecting replacement ${transaction.getId()}`
  if (!replaced.every((one) => one.transaction.ins.some(({ sequence }) => sequence < 0xffff_fffe)))
    return 'txn-mempool-conflict'
  const evicted = withSpenders(replaced, ledger)
  const spent = new Set(
    replaced.flatMap((one) => one.transaction.ins.map(({ hash, index }) => outpointOf(hash, index))),
  )
  for (const { hash, index } of transaction.ins) {
    const outpoint = outpointOf(hash, index)
    const made = ledger.transaction(outpoint.split(':')[0] ?? '')
    if (made !== undefined && evicted.includes(made)) return 'bad-txns-spends-conflicting-tx'
    if (made?.block === null && !spent.has(outpoint)) return 'replacement-adds-unconfirmed'
  }
  if (evicted.length > maxEvicted) return 'too many potential replacements'
  const size = BigInt(transaction.virtualSize())
  const fee = feeOf(
    transaction,
    transaction.ins.map(({ hash, index }) => ledger.output(outpointOf(hash, index))?.value ?? 0n),
  )
  const isDearer = (one: KnownTransaction) => fee * BigInt(one.transaction.virtualSize()) > knownFee(one) * size
  if (!replaced.every(isDearer)) return `${refused}; new feerate is not above the old feerate`
  const old = evicted.reduce((sum, one) => sum + knownFee(one), 0n)
  if (fee < old) return `${refused}, less fees than conflicting txs; ${fee} < ${old}`
  if (fee - old < incrementalFee * size)
    return `${refused}, not enough additional fees to relay; ${fee - old} < ${incrementalFee * size}`
  return null
}

function withSpenders(transactions: readonly KnownTransaction[], ledger: Ledger): readonly KnownTransaction[] {
  const found = new Set<KnownTransaction>()
  const add = (one: KnownTransaction) => {
    if (found.has(one)) return
    found.add(one)
    for (const index of one.transaction.outs.keys()) {
      const spender = ledger.transaction(ledger.spender(`${one.id}:${index}`)?.id ?? '')
      if (spender !== undefined) add(spender)
    }
  }
  for (const one of transactions) add(one)
  return [...found]
}

function knownFee({ transaction, spends }: KnownTransaction): bigint {
  return feeOf(
    transaction,
    spends.map((output) => output?.value ?? 0n),
  )
}

function feeOf({ outs }: Transaction, spent: readonly bigint[]): bigint {
  const sum = (values: readonly bigint[]) => values.reduce((total, value) => total + value, 0n)
  return sum(spent) - sum(outs.map(({ value }) => value))
}

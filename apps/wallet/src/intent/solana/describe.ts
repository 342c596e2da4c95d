import type { ChainClient } from '@postern/chains/chain-client'
import type { ApprovalSubject } from '@postern/protocol'
import { type Decoded, highFee, notDecoded, nothing, unknownChanges } from '../decoded'
import type { DescribeContext } from '../intent'
import { readSolanaFee } from './budget'
import { existingAccounts, nameTokenAccounts, readTables } from './chain'
import { simulateSolana } from './simulation'
import { openedAccounts, readAllowances, readSolanaTransaction } from './transaction'

type SolanaSubject = Extract<ApprovalSubject, { kind: 'solana.transactions' }>

/** In lamports: 0.01 SOL, two thousand times a plain transfer's fee. */
const highSolanaFee = 10_000_000n

export function decodeSolana(
  { transactions, address }: SolanaSubject,
  native: DescribeContext['nativeCurrency'],
): Decoded {
  try {
    const steps = transactions.flatMap((one) => readSolanaTransaction(one, address))
    const fees = transactions.map((one) => readSolanaFee(one, address))
    if (fees.includes('unknown')) return { ...nothing, steps, fee: 'unknown', warnings: [{ kind: 'unknownFee' }] }
    const paid = fees.reduce<bigint>((sum, fee) => sum + (typeof fee === 'bigint' ? fee : 0n), 0n)
    const sponsored = fees.every((fee) => fee === null)
    return {
      ...nothing,
      steps,
      fee: { amount: { raw: `${paid}`, ...native }, sponsored },
      warnings: paid > highSolanaFee ? [highFee] : [],
    }
  } catch {
    return notDecoded(transactions.join('\n'))
  }
}

export async function askSolana(
  client: ChainClient,
  { transactions, address }: SolanaSubject,
  decoded: Decoded,
  { own, known, signal }: DescribeContext,
): Promise<Decoded> {
  const isFamiliar = (address: string) => own.includes(address) || known.recipients.includes(address)
  const named = async () => {
    const tables = await readTables(client, transactions, signal)
    const open = await existingAccounts(client, openedAccounts(transactions, tables), signal)
    const read = transactions.flatMap((one) => readSolanaTransaction(one, address, { tables, open }))
    const allowances = transactions.flatMap((one) => readAllowances(one, address, tables))
    return nameTokenAccounts(client, read, signal, allowances, isFamiliar).catch(() => read)
  }
  const [only, ...others] = transactions
  const [steps, simulated] = await Promise.all([
    named().catch(() => decoded.steps),
    // Separate simulations say nothing about a combined effect.
    only === undefined || others.length > 0 ? null : simulateSolana(client, only, address, signal),
  ])
  if (simulated === null) return { ...decoded, steps }
  const { fails, changes, isAll, givenTo } = simulated
  return {
    ...decoded,
    steps,
    changes: changes === null ? unknownChanges : { kind: 'known', changes, ...(!isAll && { partial: true }) },
    warnings: [
      ...decoded.warnings,
      ...(fails ? [{ kind: 'wouldFail' } as const] : []),
      ...givenTo.map((to) => ({ kind: 'givesControl', to }) as const),
    ],
  }
}

import { noTables } from '@postern/chains/solana/lookup-tables'
import type { ApprovalRequest, ApprovalSubject } from '@postern/protocol'
import { dollarTokens } from '@postern/protocol/networks/dollar-tokens'
import { type Decoded, highFee, notDecoded, nothing, unknownChanges } from '../../../intent/decoded'
import type { DescribeContext, Warning } from '../../../intent/intent'
import { warningsOf } from '../../../intent/warnings'
import { readSolanaFee } from './budget'
import { existingAccounts, nameTokenAccounts, type OwnerFacts, readTables } from './chain'
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

/**
 * 1. An endpoint's lookup tables only add warnings, except that the owner of a token account replaces a new recipient.
 * 2. For several transactions, each simulation says who gets control, but nothing about their combined effect. An
 *    earlier one may have to succeed first.
 */
export async function askSolana(
  request: ApprovalRequest,
  { transactions, address }: SolanaSubject,
  decoded: Decoded,
  context: DescribeContext,
): Promise<Decoded> {
  const { own, known, tokens = [], signal } = context
  const client = context.clientOf(request.networkId)
  const facts: OwnerFacts = {
    owner: address,
    isFamiliar: (one) => own.includes(one) || known.recipients.includes(one),
    // Of every network: a signature does not name its network.
    isListed: (mint) => [...tokens, ...Object.values(dollarTokens).flat()].some((one) => one.address === mint),
  }
  const tables = await readTables(client, transactions, signal).catch(() => noTables)
  const named = async () => {
    const open = await existingAccounts(client, openedAccounts(transactions, tables), signal)
    const read = transactions.flatMap((one) => readSolanaTransaction(one, address, { tables, open }))
    const allowances = transactions.flatMap((one) => readAllowances(one, address, tables))
    return nameTokenAccounts(client, read, signal, allowances, facts).catch(() => read)
  }
  const [steps, ...simulations] = await Promise.all([
    named().catch(() => decoded.steps),
    ...transactions.map((one) => simulateSolana(client, one, address, tables, signal)),
  ])
  const first = tables.size === 0 ? [] : warningsOf(request, decoded.steps, context)
  const warnings: readonly Warning[] = [
    ...decoded.warnings,
    ...first.filter(({ kind }) => kind !== 'firstTimeRecipient'),
    ...simulations.flatMap((one) => (one?.givenTo ?? []).map((to) => ({ kind: 'givesControl', to }) as const)),
  ]
  const [only, ...others] = simulations
  if (others.length > 0 || only === undefined || only === null) return { ...decoded, steps, warnings }
  const { fails, changes, isAll } = only
  return {
    ...decoded,
    steps,
    changes: changes === null ? unknownChanges : { kind: 'known', changes, ...(!isAll && { partial: true }) },
    warnings: [...warnings, ...(fails ? [{ kind: 'wouldFail' } as const] : [])],
  }
}

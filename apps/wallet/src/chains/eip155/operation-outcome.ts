/** The outcome of a user operation, by the hash that its caller got: the user may have replaced it since. */
import { cancelled } from '@postern/chains/cancelled'
import { parseParams } from '@postern/protocol/validation/params'
import * as z from 'zod/mini'
import type { Ask } from './endpoints'
import { Hash } from './quantities'
import type { Sent } from './sent'

/** Null while no block has it, its speed-ups or its cancellation. */
export async function includedOperation<T>(
  hash: string,
  receipt: z.ZodMiniType<T>,
  bundler: Ask,
  sent: Sent,
): Promise<{ readonly receipt: NonNullable<T>; readonly isCancelled: boolean } | null> {
  const all = [{ hash, kind: null }, ...(await sent.replacementsOf(hash))]
  const receipts = await Promise.all(all.map((one) => bundler('eth_getUserOperationReceipt', [one.hash], receipt)))
  for (const [at, found] of receipts.entries())
    if (found !== null && found !== undefined) return { receipt: found, isCancelled: all[at]?.kind === 'cancel' }
  return null
}

const ByHash = z.tuple([z.string()], z.unknown())
const Receipt = z.nullish(z.looseObject({ receipt: z.looseObject({ transactionHash: Hash }) }))

/**
 * `eth_getUserOperationReceipt` and `eth_getUserOperationByHash`.
 *
 * 1. After a speed-up they describe the one that the bundler has, with its own hash.
 * 2. If the user's cancellation is included: TRANSACTION_REPLACED instead of a receipt.
 */
export async function findOperation(method: string, params: unknown, bundler: Ask, sent: Sent): Promise<unknown> {
  const [hash] = parseParams(ByHash, params)
  const replacements = await sent.replacementsOf(hash)
  if (replacements.length === 0) return bundler(method, [hash], z.unknown())
  if (method === 'eth_getUserOperationReceipt') {
    const included = await includedOperation(hash, Receipt, bundler, sent)
    if (included?.isCancelled)
      throw cancelled({ sentHash: hash, transactionHash: included.receipt.receipt.transactionHash })
    return included?.receipt ?? null
  }
  const same = replacements.filter(({ kind }) => kind === 'speedUp').toReversed()
  for (const one of [...same, { hash }]) {
    const found = await bundler(method, [one.hash], z.unknown())
    if (found !== null) return found
  }
  return null
}

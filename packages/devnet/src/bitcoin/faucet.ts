import { Psbt } from 'bitcoinjs-lib'
import { bitcoinAccount, regtest } from './accounts'
import type { Ledger } from './ledger'
import type { BitcoinNode } from './node'

/** Far from accounts that people and tests use. */
const faucet = bitcoinAccount(99).payment
/** In satoshis; more than any transaction here needs. */
const fee = 10_000n
const maturity = 100

/** 20 bytes. */
export const faucetProgram = faucet.output.subarray(2)

/** Sends one transaction, returns its id. Amounts in satoshis. Rejects if the faucet has too little. */
export async function payFromFaucet(
  ledger: Ledger,
  node: BitcoinNode,
  payments: readonly { readonly address: string; readonly amount: bigint }[],
): Promise<string> {
  const wanted = payments.reduce((sum, { amount }) => sum + amount, fee)
  const psbt = new Psbt({ network: regtest })
  let gathered = 0n
  for (const { id, transaction, block } of ledger.transactionsOf(faucet.output)) {
    if (gathered >= wanted) break
    if (transaction.isCoinbase() && node.height() + 1 - (block?.height ?? node.height()) < maturity) continue
    for (const [index, { script, value }] of transaction.outs.entries()) {
      const isOwn = Buffer.from(script).equals(faucet.output)
      if (!isOwn || gathered >= wanted || ledger.spender(`${id}:${index}`) !== undefined) continue
      psbt.addInput({ hash: id, index, witnessUtxo: { script, value } })
      gathered += value
    }
  }
  if (gathered < wanted) throw new Error(`The faucet has ${gathered} satoshis to spend, not ${wanted}.`)
  for (const { address, amount } of payments) psbt.addOutput({ address, value: amount })
  if (gathered > wanted) psbt.addOutput({ script: faucet.output, value: gathered - wanted })
  psbt.signAllInputs(faucet.key).finalizeAllInputs()
  return await node.add(psbt.extractTransaction(true).toBuffer())
}

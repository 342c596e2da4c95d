/** Source: https://github.com/bitcoin/bips/blob/master/bip-0322.mediawiki */
import { sha256 } from '@noble/hashes/sha2.js'
import { concatBytes } from '@noble/hashes/utils.js'
import { Transaction } from 'bitcoinjs-lib'
import type { Output } from './address'
import { isEqual, utf8, witnessIn } from './bytes'
import { isSpentBy, type ProofForm } from './spend'

/**
 * Verifies a BIP-322 signature: a transaction `to_sign` that spends an output of `to_spend`, which has the message.
 *
 * 1. A simple one is the witness of a `to_sign` with the BIP's other values. A full one is the whole `to_sign`.
 * 2. A full `to_sign` spends `to_spend` with its only input (more would be a proof of funds), has the BIP's single
 *    output, and version 0 or 2. Its time fields affect no supported script.
 * 3. Without a prefix, the bytes are tried as a witness first.
 */
export function isBip322(
  message: string,
  { form, bytes }: { readonly form: ProofForm | undefined; readonly bytes: Uint8Array },
  output: Output,
): boolean {
  const toSpend = toSpendOf(message, output.script)
  const witness = form === 'full' ? undefined : witnessIn(bytes)
  if (witness !== undefined) {
    const toSign = toSignOf(toSpend)
    toSign.setWitness(0, [...witness])
    return isSpentBy(toSign, 'simple', output)
  }
  const toSign = form === 'simple' ? undefined : transactionIn(bytes)
  return toSign !== undefined && isToSign(toSign, toSpend) && isSpentBy(toSign, 'full', output)
}

/** BIP-340's tagged hash. */
export function messageHash(message: string): Uint8Array {
  const tag = sha256(utf8('BIP0322-signed-message'))
  return sha256(concatBytes(tag, tag, utf8(message)))
}

export function toSpendOf(message: string, script: Uint8Array): Transaction {
  const transaction = new Transaction()
  transaction.version = 0
  // OP_0, then a 32-byte push.
  transaction.addInput(new Uint8Array(32), 0xffff_ffff, 0, concatBytes(Uint8Array.of(0, 32), messageHash(message)))
  transaction.addOutput(script, 0n)
  return transaction
}

export function toSignOf(toSpend: Transaction): Transaction {
  const transaction = new Transaction()
  transaction.version = 0
  transaction.addInput(toSpend.getHash(), 0, 0)
  transaction.addOutput(opReturn, 0n)
  return transaction
}

const opReturn = Uint8Array.of(0x6a)

function isToSign({ version, ins, outs }: Transaction, toSpend: Transaction): boolean {
  const [[input], [output]] = [ins, outs]
  return (
    (version === 0 || version === 2) &&
    ins.length === 1 &&
    outs.length === 1 &&
    input !== undefined &&
    output !== undefined &&
    isEqual(input.hash, toSpend.getHash()) &&
    input.index === 0 &&
    output.value === 0n &&
    isEqual(output.script, opReturn)
  )
}

function transactionIn(bytes: Uint8Array): Transaction | undefined {
  try {
    return Transaction.fromBuffer(bytes)
  } catch {
    return undefined
  }
}

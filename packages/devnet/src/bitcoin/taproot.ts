import * as ecc from '@bitcoinerlab/secp256k1'
import type { Transaction } from 'bitcoinjs-lib'
import { type Output, outpointOf } from './ledger'

/**
 * What is wrong with a transaction's taproot inputs; null if nothing.
 *
 * 1. A key-path spend needs one Schnorr signature by the output's key over exactly this transaction.
 * 2. A 65-byte signature names a hash type other than the default; a 64-byte one uses the default.
 * 3. Script paths and annexes are rejected, because this code cannot check them.
 */
export function checkTaproot(
  transaction: Transaction,
  outputOf: (outpoint: string) => Output | undefined,
): string | null {
  const spent = transaction.ins.map(({ hash, index }) => outputOf(outpointOf(hash, index)))
  if (!spent.some((output) => output !== undefined && isTaproot(output.script))) return null
  // A signature covers the outputs of all inputs.
  const known = spent.filter((output) => output !== undefined)
  if (known.length < spent.length) return 'bad-txns-inputs-missingorspent'

  for (const [index, output] of known.entries()) {
    if (!isTaproot(output.script)) continue
    const witness = transaction.ins[index]?.witness ?? []
    const [signature] = witness
    if (witness.length !== 1 || signature === undefined) return 'Taproot script paths are not supported by this chain'
    const hashType = signature.length === 65 ? (signature[64] ?? 0) : 0
    const named = signature.length === 65 ? hashTypes.has(hashType) : signature.length === 64
    if (!named) return 'mandatory-script-verify-flag-failed (Invalid Schnorr signature)'
    const digest = transaction.hashForWitnessV1(
      index,
      known.map(({ script }) => script),
      known.map(({ value }) => value),
      hashType,
    )
    if (!ecc.verifySchnorr(digest, output.script.subarray(2), signature.subarray(0, 64)))
      return 'mandatory-script-verify-flag-failed (Invalid Schnorr signature)'
  }
  return null
}

/** ALL, NONE, SINGLE, each also with ANYONECANPAY. */
const hashTypes = new Set([1, 2, 3, 0x81, 0x82, 0x83])

/** OP_1 and 32 bytes. */
const isTaproot = (script: Uint8Array) => script.length === 34 && script[0] === 0x51 && script[1] === 0x20

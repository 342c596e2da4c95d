import { schnorr, secp256k1 } from '@noble/curves/secp256k1.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { Transaction } from 'bitcoinjs-lib'
import { type Output, payToKeyHash, payToWitnessKeyHash } from './address'
import { hash160, isEqual } from './bytes'

/** Witness, or transaction. */
export type ProofForm = 'simple' | 'full'

const { SIGHASH_ALL, SIGHASH_DEFAULT } = Transaction

/**
 * BIP-322: only SIGHASH_ALL, strict DER with a low s, minimal pushes, nothing left on the stack.
 *
 * @param form a simple proof has no input script
 */
export function isSpentBy(transaction: Transaction, form: ProofForm, output: Output): boolean {
  const [input] = transaction.ins
  if (input === undefined) return false
  const { script, witness } = input
  const hasScript = (expected: Uint8Array) => form === 'simple' || isEqual(script, expected)
  switch (output.kind) {
    case 'p2wpkh':
      return hasScript(nothing) && isWitnessOfKey(transaction, witness, output.program)
    case 'p2sh': {
      const redeem = payToWitnessKeyHash(hash160(witness[1] ?? nothing))
      return (
        isEqual(hash160(redeem), output.program) &&
        hasScript(Uint8Array.of(redeem.length, ...redeem)) &&
        isWitnessOfKey(transaction, witness, redeem.slice(2))
      )
    }
    case 'p2wsh':
      return hasScript(nothing) && isWitnessOfKeys(transaction, witness, output.program)
    case 'p2tr':
      return hasScript(nothing) && isKeyPath(transaction, witness, output)
    case 'p2pkh':
      return form === 'full' && witness.length === 0 && isScriptOfKey(transaction, script, output)
  }
}

const nothing = new Uint8Array()

/** BIP-141, BIP-143. */
function isWitnessOfKey(transaction: Transaction, witness: readonly Uint8Array[], keyHash: Uint8Array): boolean {
  const [signature, key, ...rest] = witness
  if (signature === undefined || key === undefined || rest.length > 0) return false
  if (key.length !== 33 || !isEqual(hash160(key), keyHash)) return false
  return isEcdsa(signature, transaction.hashForWitnessV0(0, payToKeyHash(keyHash), 0n, SIGHASH_ALL), key)
}

/** OP_m <keys> OP_n OP_CHECKMULTISIG, with m signatures in key order. */
function isWitnessOfKeys(transaction: Transaction, witness: readonly Uint8Array[], scriptHash: Uint8Array): boolean {
  const [dummy, script] = [witness[0], witness.at(-1)]
  if (witness.length < 3 || dummy?.length !== 0 || script === undefined || !isEqual(sha256(script), scriptHash))
    return false
  const wanted = keysIn(script)
  const signatures = witness.slice(1, -1)
  if (wanted === undefined || signatures.length !== wanted.threshold) return false
  const digest = transaction.hashForWitnessV0(0, script, 0n, SIGHASH_ALL)
  let next = 0
  return signatures.every((signature) => {
    const keyIndex = wanted.keys.findIndex((key, index) => index >= next && isEcdsa(signature, digest, key))
    next = keyIndex + 1
    return keyIndex >= 0
  })
}

function keysIn(script: Uint8Array): { readonly threshold: number; readonly keys: readonly Uint8Array[] } | undefined {
  const [threshold, count] = [(script[0] ?? 0) - 0x50, (script.at(-2) ?? 0) - 0x50]
  const isMultisig = script.at(-1) === 0xae && threshold >= 1 && threshold <= count && count <= 16
  if (!isMultisig || script.length !== 3 + 34 * count) return undefined
  const pushes = Array.from({ length: count }, (_, index) => script.slice(1 + 34 * index, 35 + 34 * index))
  if (pushes.some(([length]) => length !== 33)) return undefined
  return { threshold, keys: pushes.map((push) => push.slice(1)) }
}

/** BIP-341, without an annex. */
function isKeyPath(transaction: Transaction, [signature, ...rest]: readonly Uint8Array[], output: Output): boolean {
  if (signature === undefined || rest.length > 0) return false
  const type = signature.length === 64 ? SIGHASH_DEFAULT : SIGHASH_ALL
  if (signature.length !== 64 && (signature.length !== 65 || signature[64] !== SIGHASH_ALL)) return false
  const digest = transaction.hashForWitnessV1(0, [output.script], [0n], type)
  return falseIfThrows(() => schnorr.verify(signature.slice(0, 64), digest, output.program))
}

function isScriptOfKey(transaction: Transaction, script: Uint8Array, output: Output): boolean {
  const [length = 0] = script
  const [signature, rest] = [script.slice(1, 1 + length), script.slice(1 + length)]
  const key = rest.slice(1)
  if (length < 9 || length > 73 || rest[0] !== key.length || (key.length !== 33 && key.length !== 65)) return false
  if (!isEqual(hash160(key), output.program)) return false
  return isEcdsa(signature, transaction.hashForSignature(0, output.script, SIGHASH_ALL), key)
}

/** @param signature DER, then the hash type. */
function isEcdsa(signature: Uint8Array, digest: Uint8Array, key: Uint8Array): boolean {
  if (signature.at(-1) !== SIGHASH_ALL) return false
  return falseIfThrows(() =>
    secp256k1.verify(signature.slice(0, -1), digest, key, { format: 'der', lowS: true, prehash: false }),
  )
}

function falseIfThrows(verify: () => boolean): boolean {
  try {
    return verify()
  } catch {
    return false
  }
}

import { secp256k1 } from '@noble/curves/secp256k1.js'
import { concatBytes } from '@noble/hashes/utils.js'
import { type Output, payToWitnessKeyHash } from './address'
import { compactSize, hash160, hash256, isEqual, utf8 } from './bytes'

/** @param signature 65 bytes: header, r, s. */
export function isBip137(message: string, signature: Uint8Array, output: Output): boolean {
  const [header = 0] = signature
  const form = formOf(header)
  const key = form && recover(message, signature, (header - 27) & 3, form !== 'uncompressed')
  if (key === undefined) return false
  const hash = hash160(key)
  switch (output.kind) {
    case 'p2pkh':
      return (form === 'compressed' || form === 'uncompressed') && isEqual(hash, output.program)
    case 'p2wpkh':
      return (form === 'compressed' || form === 'p2wpkh') && isEqual(hash, output.program)
    case 'p2sh':
      return (
        (form === 'compressed' || form === 'p2sh-p2wpkh') && isEqual(hash160(payToWitnessKeyHash(hash)), output.program)
      )
    default:
      return false
  }
}

function formOf(header: number): 'uncompressed' | 'compressed' | 'p2sh-p2wpkh' | 'p2wpkh' | undefined {
  const forms = ['uncompressed', 'compressed', 'p2sh-p2wpkh', 'p2wpkh'] as const
  return header < 27 ? undefined : forms[(header - 27) >> 2]
}

function recover(message: string, signature: Uint8Array, recovery: number, isCompressed: boolean) {
  const text = utf8(message)
  const digest = hash256(concatBytes(utf8('\u0018Bitcoin Signed Message:\n'), compactSize(text.length), text))
  try {
    const numbers = secp256k1.Signature.fromCompact(signature.slice(1)).addRecoveryBit(recovery)
    return numbers.recoverPublicKey(digest).toRawBytes(isCompressed)
  } catch {
    // Not a point of the curve.
    return undefined
  }
}

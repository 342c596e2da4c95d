/** EIP-191, EIP-712, and transactions of EIP-1559, EIP-2930 and EIP-155. Deterministic (RFC 6979), low s. */
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { hex } from '@scure/base'
import { keccak256 } from 'ox/Hash'
import * as PersonalMessage from 'ox/PersonalMessage'
import * as Eip1559 from 'ox/TxEnvelopeEip1559'
import * as Eip2930 from 'ox/TxEnvelopeEip2930'
import * as Legacy from 'ox/TxEnvelopeLegacy'
import { keyFailure } from '../../../keys/failure'
import { evmAddressOf } from './keys'
import { typedDataDigest } from './typed-data'

type Hex = `0x${string}`
type Signature = { readonly r: bigint; readonly s: bigint; readonly yParity: 0 | 1 }

/** EIP-191 over hex. Returns 65 bytes: r, s, then 27 or 28. */
export function signPersonalMessage(message: Hex, key: Uint8Array): Hex {
  if (!/^0x(?:[0-9a-fA-F]{2})*$/.test(message)) throw keyFailure('BAD_JOB')
  return compact(signHash(PersonalMessage.getSignPayload(message), key))
}

export function isPersonalMessageOf(key: Uint8Array, message: Hex, signature: string): boolean {
  if (!/^0x[0-9a-fA-F]{130}$/.test(signature)) return false
  const hash = hex.decode(PersonalMessage.getSignPayload(message).slice(2))
  const rs = hex.decode(signature.slice(2, 130).toLowerCase())
  try {
    return secp256k1.verify(rs, hash, secp256k1.getPublicKey(key))
  } catch {
    // Out of the curve's range.
    return false
  }
}

export function personalMessageSigner(message: Hex, signature: string): string | null {
  if (!/^0x[0-9a-fA-F]{128}1[bc]$/i.test(signature)) return null
  const hash = PersonalMessage.getSignPayload(message).slice(2)
  try {
    const rs = secp256k1.Signature.fromCompact(signature.slice(2, 130).toLowerCase())
    const recovered = rs.addRecoveryBit(Number.parseInt(signature.slice(130), 16) - 27).recoverPublicKey(hash)
    return evmAddressOf(recovered.toBytes(false))
  } catch {
    return null
  }
}

export function signTypedData(json: string, key: Uint8Array): Hex {
  return compact(signHash(typedDataDigest(json), key))
}

/**
 * Signs a serialised unsigned transaction.
 *
 * 1. The bytes must re-serialise identically: parsing must drop nothing that is signed.
 * 2. A legacy transaction must name its chain (EIP-155), or it would be valid on every chain.
 * 3. A signed transaction is rejected.
 */
export function signTransaction(unsigned: Hex, key: Uint8Array): Hex {
  const bytes = lowerCase(unsigned)
  if (isEip1559(bytes)) return signEip1559(bytes, key)
  return isEip2930(bytes) ? signEip2930(bytes, key) : signLegacy(bytes, key)
}

function isEip1559(bytes: Hex): bytes is Eip1559.Serialized {
  return bytes.startsWith('0x02')
}

function isEip2930(bytes: Hex): bytes is Eip2930.Serialized {
  return bytes.startsWith('0x01')
}

function signEip1559(unsigned: Eip1559.Serialized, key: Uint8Array): Hex {
  const transaction = Eip1559.deserialize(unsigned)
  if (transaction.r !== undefined || Eip1559.serialize(transaction) !== unsigned) throw keyFailure('BAD_JOB')
  return Eip1559.serialize(transaction, { signature: signHash(keccak256(unsigned), key) })
}

function signEip2930(unsigned: Eip2930.Serialized, key: Uint8Array): Hex {
  const transaction = Eip2930.deserialize(unsigned)
  if (transaction.r !== undefined || Eip2930.serialize(transaction) !== unsigned) throw keyFailure('BAD_JOB')
  return Eip2930.serialize(transaction, { signature: signHash(keccak256(unsigned), key) })
}

function signLegacy(unsigned: Hex, key: Uint8Array): Hex {
  const transaction = Legacy.deserialize(unsigned)
  const isSigned = transaction.r !== undefined || transaction.s !== undefined
  if (isSigned || transaction.chainId === undefined || Legacy.serialize(transaction) !== unsigned)
    throw keyFailure('BAD_JOB')
  return Legacy.serialize(transaction, { signature: signHash(keccak256(unsigned), key) })
}

function signHash(hash: Hex, key: Uint8Array): Signature {
  const { r, s, recovery } = secp256k1.sign(hash.slice(2), key, { lowS: true })
  return { r, s, yParity: recovery === 0 ? 0 : 1 }
}

function compact({ r, s, yParity }: Signature): Hex {
  const word = (value: bigint) => value.toString(16).padStart(64, '0')
  return `0x${word(r)}${word(s)}${hex.encode(Uint8Array.of(27 + yParity))}`
}

function lowerCase(text: Hex): Hex {
  if (!/^0x[0-9a-fA-F]+$/.test(text)) throw keyFailure('BAD_JOB')
  return `0x${text.slice(2).toLowerCase()}`
}

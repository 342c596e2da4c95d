/** Works in Node and in a page. */
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { crypto, opcodes, Psbt, script, Transaction } from 'bitcoinjs-lib'
import { type BitcoinAccount, taprootSigner } from './accounts'

const utf8 = (text: string) => new TextEncoder().encode(text)
const concat = (...parts: readonly Uint8Array[]) => Uint8Array.from(parts.flatMap((part) => [...part]))

/** 65 bytes: BIP-137's header of a P2WPKH key (39 to 42), then r and s. */
export function signEcdsa({ key }: BitcoinAccount['payment'], message: Uint8Array): Uint8Array {
  if (key.privateKey === undefined) throw new Error('The key cannot sign.')
  const signature = secp256k1.sign(ecdsaDigest(message), key.privateKey, { prehash: false })
  return concat(Uint8Array.of(39 + signature.recovery), signature.toBytes('compact'))
}

function ecdsaDigest(message: Uint8Array): Uint8Array {
  return crypto.hash256(concat(utf8('\u0018Bitcoin Signed Message:\n'), compactSize(message.length), message))
}

function compactSize(value: number): Uint8Array {
  if (value < 0xfd) return Uint8Array.of(value)
  if (value <= 0xffff) return Uint8Array.of(0xfd, value & 0xff, value >> 8)
  return Uint8Array.of(0xfe, value & 0xff, (value >> 8) & 0xff, (value >> 16) & 0xff, value >>> 24)
}

/** BIP-322's simple form: the witness of an unminable spend of a commitment to the message. */
export function signBip322(account: BitcoinAccount, purpose: 'payment' | 'ordinals', message: Uint8Array): Uint8Array {
  const { output } = account[purpose]
  const toSpend = new Transaction()
  toSpend.version = 0
  toSpend.addInput(new Uint8Array(32), 0xffffffff, 0, script.compile([opcodes.OP_0 ?? 0, messageHash(message)]))
  toSpend.addOutput(output, 0n)

  const psbt = new Psbt().setVersion(0)
  psbt.addInput({
    hash: toSpend.getHash(),
    index: 0,
    sequence: 0,
    witnessUtxo: { script: output, value: 0n },
    ...(purpose === 'ordinals' && { tapInternalKey: account.ordinals.internalPubkey }),
  })
  psbt.addOutput({ script: Uint8Array.of(opcodes.OP_RETURN ?? 0x6a), value: 0n })
  psbt.signInput(0, purpose === 'ordinals' ? taprootSigner(account.ordinals) : account.payment.key)
  const [input] = psbt.finalizeAllInputs().extractTransaction(true).ins
  if (input === undefined) throw new Error('The proof has no input.')
  const items = input.witness.flatMap((item) => [compactSize(item.length), item])
  return concat(compactSize(input.witness.length), ...items)
}

function messageHash(message: Uint8Array): Uint8Array {
  const tag = crypto.sha256(utf8('BIP0322-signed-message'))
  return crypto.sha256(concat(tag, tag, message))
}

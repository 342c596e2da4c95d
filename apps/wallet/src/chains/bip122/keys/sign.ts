/**
 * BIP-322 and BIP-137 for messages, BIP-174 for transactions. All coins are P2WPKH. Deterministic (RFC 6979), low s.
 */
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { ripemd160 } from '@noble/hashes/legacy.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { base64 } from '@scure/base'
import { Psbt, type Signer, Transaction } from 'bitcoinjs-lib'
import { concatBytes, type OwnBytes, utf8 } from '../../../keys/bytes'
import { keyFailure } from '../../../keys/failure'
import { isSignable } from './sighash'

/** 65 bytes in base64: BIP-137's native segwit header (39 to 42), then r and s. */
export function signBip137(message: string, key: Uint8Array): string {
  const text = utf8(message)
  const digest = sha256(sha256(concatBytes(utf8('\u0018Bitcoin Signed Message:\n'), compactSize(text.length), text)))
  const signature = secp256k1.sign(digest, key, { lowS: true })
  return base64.encode(concatBytes(Uint8Array.of(39 + signature.recovery), signature.toCompactRawBytes()))
}

/** BIP-322 simple form in base64: the witness of an unminable transaction that commits to the message. */
export function signBip322(message: string, key: Uint8Array): string {
  const script = ownScript(key)
  const toSpend = bip322ToSpend(message, script)
  const psbt = new Psbt().setVersion(0)
  const witnessUtxo = { script, value: 0n }
  psbt.addInput({ hash: toSpend.getHash(), index: 0, sequence: 0, witnessUtxo })
  psbt.addOutput({ script: Uint8Array.of(opReturn), value: 0n })
  psbt.signInput(0, signerOf(key))
  const [input] = psbt.finalizeAllInputs().extractTransaction(true).ins
  if (input === undefined) throw keyFailure('BAD_JOB')
  const items = input.witness.flatMap((item) => [compactSize(item.length), item])
  return base64.encode(concatBytes(compactSize(input.witness.length), ...items))
}

const opReturn = 0x6a

/** BIP-322's `to_spend`: pays zero, with the message's hash in its input. */
export function bip322ToSpend(message: string, script: OwnBytes): Transaction {
  const transaction = new Transaction()
  transaction.version = 0
  // OP_0, then a push of 32 bytes.
  transaction.addInput(new Uint8Array(32), 0xffff_ffff, 0, concatBytes(Uint8Array.of(0, 32), bip322Hash(message)))
  transaction.addOutput(script, 0n)
  return transaction
}

/** Tagged hash (BIP-340). */
export function bip322Hash(message: string): Uint8Array {
  const tag = sha256(utf8('BIP0322-signed-message'))
  return sha256(concatBytes(tag, tag, utf8(message)))
}

/**
 * Signs inputs of a base64 PSBT without finalising.
 *
 * 1. An input must spend our own P2WPKH output.
 * 2. The type is SIGHASH_ALL, unless the job names another allowed one (`sighash.ts`). The PSBT's own type must be
 *    equal.
 */
export function signPsbt(
  text: string,
  inputs: readonly { readonly index: number; readonly sighash?: number }[],
  key: Uint8Array,
): string {
  const psbt = Psbt.fromBase64(text)
  const script = ownScript(key)
  if (inputs.length === 0) throw keyFailure('BAD_JOB')
  for (const { index, sighash = Transaction.SIGHASH_ALL } of inputs) {
    if (!isEqual(spentScript(psbt, index), script)) throw keyFailure('BAD_JOB')
    checkSighash(psbt, index, sighash)
    if (sighash !== Transaction.SIGHASH_ALL && psbt.data.inputs[index]?.sighashType === undefined)
      psbt.updateInput(index, { sighashType: sighash })
    psbt.signInput(index, signerOf(key), [sighash])
  }
  return psbt.toBase64()
}

function checkSighash(psbt: Psbt, index: number, sighash: number): void {
  const requestedType = psbt.data.inputs[index]?.sighashType
  const isAsked = requestedType === undefined || requestedType === sighash
  if (!isAsked || !isSignable(sighash, index, psbt.txOutputs.length)) throw keyFailure('BAD_JOB')
}

function spentScript(psbt: Psbt, index: number): Uint8Array {
  const input = psbt.data.inputs[index]
  const vout = psbt.txInputs[index]?.index
  if (input === undefined || vout === undefined || input.redeemScript || input.witnessScript)
    throw keyFailure('BAD_JOB')
  const { witnessUtxo, nonWitnessUtxo } = input
  const whole = nonWitnessUtxo && Transaction.fromBuffer(nonWitnessUtxo).outs[vout]
  const spent = whole ?? witnessUtxo
  if (spent === undefined) throw keyFailure('BAD_JOB')
  // Otherwise the user would see one value, and the key sign the other.
  if (whole && witnessUtxo && (whole.value !== witnessUtxo.value || !isEqual(whole.script, witnessUtxo.script)))
    throw keyFailure('BAD_JOB')
  return spent.script
}

/** OP_0 and the key's hash (BIP-141). */
export function ownScript(key: Uint8Array): OwnBytes {
  return concatBytes(Uint8Array.of(0, 20), ripemd160(sha256(secp256k1.getPublicKey(key, true))))
}

function signerOf(key: Uint8Array): Signer {
  return {
    publicKey: secp256k1.getPublicKey(key, true),
    sign: (hash) => secp256k1.sign(hash, key, { lowS: true }).toCompactRawBytes(),
  }
}

function compactSize(value: number): OwnBytes {
  if (value < 0xfd) return Uint8Array.of(value)
  if (value <= 0xffff) return Uint8Array.of(0xfd, value & 0xff, value >> 8)
  return Uint8Array.of(0xfe, value & 0xff, (value >> 8) & 0xff, (value >> 16) & 0xff, value >>> 24)
}

function isEqual(left: Uint8Array, right: Uint8Array): boolean {
  return left.length === right.length && left.every((byte, index) => byte === right[index])
}

/** BIP-174, BIP-371. */
import * as ecc from '@bitcoinerlab/secp256k1'
import { Failure } from '@postern/protocol/failure'
import { crypto, initEccLib, Psbt, payments, Transaction } from 'bitcoinjs-lib'
import type { BitcoinAddress } from './address'
import type { Coin, SpendableKind } from './coins'

initEccLib(ecc)

/** Replaceable (BIP-125); no lock time. */
export const replaceableSequence = 0xffff_fffd

export type Spender = {
  readonly address: BitcoinAddress
  readonly kind: SpendableKind
  /** 33 bytes, or 32 for taproot; required for p2sh-p2wpkh. */
  readonly publicKey?: Uint8Array
}

export type TransferOutput = { readonly script: Uint8Array; readonly value: bigint }

/** @throws INVALID_PARAMS if only the wallet has the script */
export function spenderOf(address: BitcoinAddress, publicKeyHex: string | undefined): Spender {
  const publicKey = publicKeyHex === undefined ? undefined : fromHex(publicKeyHex)
  const known = { address, ...(publicKey && { publicKey }) }
  const { kind } = address
  if (kind === 'p2wsh') throw new Failure('INVALID_PARAMS', { message: 'The account needs a script to be spent from' })
  if (kind !== 'p2sh') return { ...known, kind }
  if (publicKey === undefined || !isEqual(scriptHash(witnessProgram(publicKey)), address.script))
    throw new Failure('INVALID_PARAMS', { message: 'The account needs a script to be spent from' })
  return { ...known, kind: 'p2sh-p2wpkh' }
}

/** Base64. `previous`: transaction in hex, for p2pkh, whose signature does not cover the coin's value. */
export function writePsbt(
  spender: Spender,
  coins: readonly Coin[],
  outputs: readonly TransferOutput[],
  previous: (txid: string) => string | undefined,
): string {
  const psbt = new Psbt()
  for (const coin of coins) psbt.addInput(inputOf(spender, coin, previous))
  for (const { script, value } of outputs) psbt.addOutput({ script, value })
  return psbt.toBase64()
}

function inputOf(spender: Spender, { txid, vout, value }: Coin, previous: (txid: string) => string | undefined) {
  const { script } = spender.address
  const point = { hash: txid, index: vout, sequence: replaceableSequence }
  if (spender.kind === 'p2pkh') return { ...point, nonWitnessUtxo: provenPrevious(txid, vout, value, script, previous) }
  const input = { ...point, witnessUtxo: { script, value } }
  if (spender.kind === 'p2sh-p2wpkh' && spender.publicKey)
    return { ...input, redeemScript: witnessProgram(spender.publicKey) }
  const tapInternalKey = spender.kind === 'p2tr' ? internalKeyOf(spender) : undefined
  return tapInternalKey ? { ...input, tapInternalKey } : input
}

/** BIP-86's, not the tweaked key that some wallets report. */
function internalKeyOf({ address, publicKey }: Spender): Uint8Array | undefined {
  const key = publicKey?.slice(-32)
  if (key === undefined || !ecc.isXOnlyPoint(key)) return undefined
  const { output } = payments.p2tr({ internalPubkey: key })
  return output && isEqual(output, address.script) ? key : undefined
}

/** A false value would become fee. */
function provenPrevious(
  txid: string,
  vout: number,
  value: bigint,
  script: Uint8Array,
  previous: (txid: string) => string | undefined,
): Uint8Array {
  const hex = previous(txid)
  const bytes = hex === undefined ? undefined : fromHex(hex)
  const transaction = bytes && orMismatch(() => Transaction.fromBuffer(bytes))
  const output = transaction?.outs[vout]
  if (!bytes || transaction?.getId() !== txid || output?.value !== value || !isEqual(output.script, script))
    throw new Failure('INTERNAL', { message: 'The endpoint’s coins do not match their transactions' })
  return bytes
}

export type Finished = {
  readonly hex: string
  readonly txid: string
  /** Vbytes. */
  readonly size: number
}

/**
 * Adds the wallet's signatures to the requested transaction.
 *
 * 1. A returned transaction with other inputs or outputs is TRANSACTION_MISMATCH.
 * 2. Only signatures are taken from it. Scripts, amounts and keys come from the request.
 * 3. Every signature in PSBT form is verified. It covers the whole transaction, unless the request allows otherwise.
 * 4. A missing signature is UNAUTHORIZED.
 */
export function finishPsbt(requested: string, signed: string): Finished {
  const ours = parsePsbt(requested, 'INVALID_PARAMS')
  const signedPsbt = parsePsbt(signed, 'TRANSACTION_MISMATCH')
  if (!isEqual(unsignedBytes(ours), unsignedBytes(signedPsbt))) throw new Failure('TRANSACTION_MISMATCH')
  for (const index of ours.data.inputs.keys()) orMismatch(() => finishInput(ours, signedPsbt, index))
  const transaction = orMismatch(() => ours.extractTransaction(true))
  return { hex: transaction.toHex(), txid: transaction.getId(), size: transaction.virtualSize() }
}

function finishInput(ours: Psbt, signedPsbt: Psbt, index: number): void {
  const input = ours.data.inputs[index]
  const answer = signedPsbt.data.inputs[index]
  if (input === undefined || answer === undefined) throw new Failure('TRANSACTION_MISMATCH')
  if (input.finalScriptSig || input.finalScriptWitness) return
  if (answer.finalScriptSig || answer.finalScriptWitness) takeFinal(ours, answer, index)
  else finishFromSignatures(ours, answer, index)
}

function finishFromSignatures(ours: Psbt, answer: Input, index: number): void {
  const input = ours.data.inputs[index] ?? {}
  const known = (input.partialSig ?? []).map(({ pubkey }) => pubkey)
  const partialSig = (answer.partialSig ?? []).filter(({ pubkey }) => !known.some((other) => isEqual(other, pubkey)))
  const tapScriptSig = input.tapScriptSig ? [] : (answer.tapScriptSig ?? [])
  const tapKeySig = input.tapKeySig ? undefined : answer.tapKeySig
  if (partialSig.length > 0) ours.updateInput(index, { partialSig })
  if (tapScriptSig.length > 0) ours.updateInput(index, { tapScriptSig })
  if (tapKeySig) ours.updateInput(index, { tapKeySig })

  const after = ours.data.inputs[index]
  const isSigned = after?.tapKeySig || (after?.partialSig ?? after?.tapScriptSig ?? []).length > 0
  if (!isSigned) throw new Failure('UNAUTHORIZED', { message: 'The wallet has not signed every input' })
  checkSighashAll(after)
  const isValid = after?.tapKeySig
    ? isKeySpend(ours, index, after.tapKeySig)
    : ours.validateSignaturesOfInput(index, verify)
  if (!isValid) throw new Failure('TRANSACTION_MISMATCH')
  ours.finalizeInput(index)
}

type Input = Psbt['data']['inputs'][number]

/** The script of nested segwit is known in advance, and part of the transaction id. */
function takeFinal(ours: Psbt, { finalScriptSig, finalScriptWitness }: Input, index: number): void {
  const redeemScript = ours.data.inputs[index]?.redeemScript
  if (redeemScript && (!finalScriptSig || !isEqual(finalScriptSig, pushOf(redeemScript))))
    throw new Failure('TRANSACTION_MISMATCH')
  ours.updateInput(index, {
    ...(finalScriptSig && { finalScriptSig }),
    ...(finalScriptWitness && { finalScriptWitness }),
  })
}

/** SIGHASH_ALL or taproot's default: no relay can change the transaction. */
function checkSighashAll(input: Input | undefined): void {
  if (input === undefined || input.sighashType !== undefined) return
  const types = [
    ...(input.partialSig ?? []).map(({ signature }) => signature.at(-1)),
    ...[input.tapKeySig, ...(input.tapScriptSig ?? []).map(({ signature }) => signature)].map((signature) =>
      signature?.length === 65 ? signature.at(-1) : Transaction.SIGHASH_ALL,
    ),
  ]
  if (types.some((type) => type !== Transaction.SIGHASH_ALL)) throw new Failure('TRANSACTION_MISMATCH')
}

/** BIP-341's key path, which the library checks only with the optional internal key. */
function isKeySpend(psbt: Psbt, index: number, signature: Uint8Array): boolean {
  const spent = psbt.data.inputs.map(({ witnessUtxo, nonWitnessUtxo }, at) => {
    const vout = psbt.txInputs[at]?.index
    const previous = nonWitnessUtxo && Transaction.fromBuffer(nonWitnessUtxo)
    const output = witnessUtxo ?? (vout === undefined ? undefined : previous?.outs[vout])
    if (output === undefined) throw new Failure('INVALID_PARAMS', { message: 'The PSBT does not say what it spends' })
    return output
  })
  const type = signature.length === 65 ? signature.at(-1) : Transaction.SIGHASH_DEFAULT
  const script = spent[index]?.script
  if (type === undefined || script?.length !== 34) return false
  const [scripts, values] = [spent.map((output) => output.script), spent.map(({ value }) => value)]
  const hash = Transaction.fromBuffer(unsignedBytes(psbt)).hashForWitnessV1(index, scripts, values, type)
  return ecc.verifySchnorr(hash, script.slice(2), signature.slice(0, 64))
}

function verify(publicKey: Uint8Array, hash: Uint8Array, signature: Uint8Array): boolean {
  return publicKey.length === 32
    ? ecc.verifySchnorr(hash, publicKey, signature)
    : ecc.verify(hash, publicKey, signature)
}

function parsePsbt(base64: string, otherwise: 'INVALID_PARAMS' | 'TRANSACTION_MISMATCH'): Psbt {
  try {
    return Psbt.fromBase64(base64)
  } catch (cause) {
    throw new Failure(otherwise, { cause })
  }
}

function unsignedBytes(psbt: Psbt): Uint8Array {
  return psbt.data.globalMap.unsignedTx.toBuffer()
}

function orMismatch<T>(task: () => T): T {
  try {
    return task()
  } catch (cause) {
    throw cause instanceof Failure ? cause : new Failure('TRANSACTION_MISMATCH', { cause })
  }
}

/** BIP-141. */
function witnessProgram(publicKey: Uint8Array): Uint8Array {
  return Uint8Array.of(0, 20, ...crypto.hash160(publicKey))
}

function scriptHash(script: Uint8Array): Uint8Array {
  return Uint8Array.of(0xa9, 20, ...crypto.hash160(script), 0x87)
}

function pushOf(script: Uint8Array): Uint8Array {
  return Uint8Array.of(script.length, ...script)
}

function fromHex(hex: string): Uint8Array {
  return Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))
}

function isEqual(left: Uint8Array, right: Uint8Array): boolean {
  return left.length === right.length && left.every((byte, index) => byte === right[index])
}

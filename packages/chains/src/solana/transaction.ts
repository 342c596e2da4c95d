/** Source: https://solana.com/docs/core/transactions */

import { Failure } from '@postern/protocol/failure'
import { base58, base64 } from '@scure/base'

/** Payload of one IPv6 packet, in bytes. */
const maxTransactionSize = 1232
const signatureSize = 64
const keySize = 32
const blockhashSize = 32

export type SolanaTransaction = {
  readonly version: 'legacy' | 0
  /** One per signer; 64 zeros if missing. */
  readonly signatures: readonly Uint8Array[]
  /** Base58. The first one pays. */
  readonly signers: readonly string[]
  /** Base58, without lookup-table keys. */
  readonly staticKeys: readonly string[]
  /** Base58: recent blockhash or durable nonce. */
  readonly blockhash: string
  readonly message: Uint8Array
  readonly instructions: readonly SolanaInstruction[]
}

/** `table`: base58. `entry`: counts from 0. */
export type LookedUp = { readonly table: string; readonly entry: number }

export type SolanaInstruction = {
  /** Base58. Null if in a lookup table, which is invalid. */
  readonly program: string | null
  /** Base58; null if looked up. */
  readonly accounts: readonly (string | null)[]
  /** Entries of the null accounts. */
  readonly lookedUp: readonly (LookedUp | null)[]
  readonly data: Uint8Array
}

/**
 * Parses a base64 transaction, legacy or v0.
 *
 * 1. Every byte is accounted for: a wrong count, an index out of range or a trailing byte is INVALID_PARAMS.
 * 2. There are as many signatures as the message requires, at least one; the fee payer is writable.
 * 3. Unknown versions are rejected.
 */
export function parseTransaction(transaction: string): SolanaTransaction {
  const bytes = fromBase64(transaction)
  if (bytes.length > maxTransactionSize) throw invalid('The transaction is larger than Solana takes')
  const reader = readerOf(bytes)
  const signatures = reader.list(() => reader.bytes(signatureSize))
  const message = bytes.slice(reader.position())
  const { version, signers, staticKeys, blockhash, instructions } = parseMessage(reader)
  if (signatures.length !== signers.length)
    throw invalid('The transaction has another number of signatures than signers')
  return { version, signatures, signers, staticKeys, blockhash, message, instructions }
}

export function messageOf(transaction: string): Uint8Array {
  return parseTransaction(transaction).message
}

/** Base58. @throws INVALID_PARAMS if `publicKey` is not a signer */
export function addSignature(transaction: string, publicKey: string, signature: string): string {
  const { signatures, signers, message } = parseTransaction(transaction)
  const at = signers.indexOf(publicKey)
  if (at === -1) throw invalid('The account is no signer of the transaction')
  const bytes = signatureBytes(signature)
  return serialise(
    signatures.map((other, index) => (index === at ? bytes : other)),
    message,
  )
}

/** First signature in base58; undefined while missing. */
export function transactionId(transaction: SolanaTransaction): string | undefined {
  const [first] = transaction.signatures
  return first === undefined || isEmpty(first) ? undefined : base58.encode(first)
}

export function missingSigners({ signatures, signers }: SolanaTransaction): readonly string[] {
  return signers.filter((_, index) => isEmpty(signatures[index] ?? new Uint8Array()))
}

function signatureBytes(signature: string): Uint8Array {
  const bytes = signature.length <= 88 ? decoded(() => base58.decode(signature)) : new Uint8Array()
  if (bytes.length !== signatureSize || isEmpty(bytes)) throw invalid('The signature is not one of ed25519')
  return bytes
}

function serialise(signatures: readonly Uint8Array[], message: Uint8Array): string {
  // Fewer than 128 signatures fit.
  const bytes = new Uint8Array(1 + signatures.length * signatureSize + message.length)
  bytes[0] = signatures.length
  for (const [index, signature] of signatures.entries()) bytes.set(signature, 1 + index * signatureSize)
  bytes.set(message, 1 + signatures.length * signatureSize)
  return base64.encode(bytes)
}

function parseMessage(reader: Reader): Omit<SolanaTransaction, 'signatures' | 'message'> {
  const first = reader.byte()
  const isVersioned = (first & 0x80) !== 0
  if (isVersioned && first !== 0x80) throw invalid('The transaction is of an unknown version')
  const signerCount = isVersioned ? reader.byte() : first
  const readonlySigners = reader.byte()
  const readonlyOthers = reader.byte()
  const staticKeys = reader.list(() => base58.encode(reader.bytes(keySize)))
  if (signerCount === 0 || readonlySigners >= signerCount || signerCount + readonlyOthers > staticKeys.length)
    throw invalid('The header of the transaction does not fit its accounts')
  const blockhash = base58.encode(reader.bytes(blockhashSize))

  const compiled = reader.list(() => ({
    program: reader.byte(),
    accounts: reader.list(() => reader.byte()),
    data: reader.bytes(reader.count()),
  }))
  const tables = isVersioned ? reader.list(() => readTable(reader)) : []
  // After the static keys: all tables' writable accounts, then the others.
  const lookedUp = [...tables.flatMap(({ writable }) => writable), ...tables.flatMap(({ others }) => others)]
  reader.end()
  const count = staticKeys.length + lookedUp.length
  if (compiled.some(({ program, accounts }) => program >= count || accounts.some((index) => index >= count)))
    throw invalid('The transaction uses an account that it does not name')
  const instructions = compiled.map(({ program, accounts, data }) => ({
    program: staticKeys[program] ?? null,
    accounts: accounts.map((index) => staticKeys[index] ?? null),
    lookedUp: accounts.map((index) => lookedUp[index - staticKeys.length] ?? null),
    data,
  }))
  return {
    version: isVersioned ? 0 : 'legacy',
    signers: staticKeys.slice(0, signerCount),
    staticKeys,
    blockhash,
    instructions,
  }
}

function readTable(reader: Reader) {
  const table = base58.encode(reader.bytes(keySize))
  const entries = () => Array.from(reader.bytes(reader.count()), (entry): LookedUp => ({ table, entry }))
  return { writable: entries(), others: entries() }
}

type Reader = ReturnType<typeof readerOf>

function readerOf(source: Uint8Array) {
  let at = 0

  function bytes(length: number): Uint8Array {
    if (length > source.length - at) throw invalid('The transaction ends too early')
    at += length
    return source.slice(at - length, at)
  }

  function byte(): number {
    const value = source[at]
    if (value === undefined) throw invalid('The transaction ends too early')
    at += 1
    return value
  }

  /** Compact-u16: seven bits per byte, lowest first, max three bytes, shortest form only. */
  function count(): number {
    let value = 0
    for (let index = 0; index < 3; index++) {
      const next = byte()
      if (next === 0 && index > 0) break
      value |= (next & 0x7f) << (7 * index)
      if ((next & 0x80) === 0) {
        if (value > 0xffff) break
        return value
      }
    }
    throw invalid('The transaction has an invalid count')
  }

  function list<T>(read: () => T): T[] {
    const length = count()
    if (length > source.length - at) throw invalid('The transaction ends too early')
    return Array.from({ length }, read)
  }

  function end(): void {
    if (at !== source.length) throw invalid('The transaction goes on after its end')
  }

  return { byte, bytes, count, list, end, position: () => at }
}

function fromBase64(text: string): Uint8Array {
  if (text.length > 4 * Math.ceil(maxTransactionSize / 3)) throw invalid('The transaction is larger than Solana takes')
  return decoded(() => base64.decode(text))
}

function decoded(decode: () => Uint8Array): Uint8Array {
  try {
    return decode()
  } catch (cause) {
    throw new Failure('INVALID_PARAMS', { cause })
  }
}

function isEmpty(signature: Uint8Array): boolean {
  return signature.every((byte) => byte === 0)
}

function invalid(message: string): Failure {
  return new Failure('INVALID_PARAMS', { message })
}

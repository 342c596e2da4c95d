import { Failure } from '@postern/protocol/failure'
import { base58, base64 } from '@scure/base'
import {
  AccountRole,
  address,
  appendTransactionMessageInstructions,
  type Base64EncodedWireTransaction,
  blockhash,
  compileTransaction,
  compressTransactionMessageUsingAddressLookupTables,
  createTransactionMessage,
  getBase64EncodedWireTransaction,
  pipe,
  setTransactionMessageFeePayer,
  setTransactionMessageLifetimeUsingBlockhash,
  signatureBytes,
} from '@solana/kit'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { addSignature, messageOf, missingSigners, parseTransaction, transactionId } from './transaction'

const key = (seed: number) => address(base58.encode(new Uint8Array(32).fill(seed)))
const table = key(250)

function build({
  version,
  payer,
  instructions,
  lookedUp,
}: {
  version: 'legacy' | 0
  payer: number
  instructions: readonly {
    program: number
    accounts: readonly { seed: number; role: AccountRole }[]
    data: Uint8Array
  }[]
  lookedUp: boolean
}) {
  const lifetime = { blockhash: blockhash(key(200)), lastValidBlockHeight: 1n }
  const written = instructions.map(({ program, accounts, data }) => ({
    programAddress: key(100 + program),
    accounts: accounts.map(({ seed, role }) => ({ address: key(seed), role })),
    data,
  }))
  if (version === 'legacy')
    return pipe(
      createTransactionMessage({ version }),
      (m) => appendTransactionMessageInstructions(written, m),
      (m) => setTransactionMessageFeePayer(key(payer), m),
      (m) => setTransactionMessageLifetimeUsingBlockhash(lifetime, m),
      compileTransaction,
    )
  const addresses = Array.from({ length: 40 }, (_, seed) => key(seed))
  return pipe(
    createTransactionMessage({ version }),
    (m) => appendTransactionMessageInstructions(written, m),
    (m) => compressTransactionMessageUsingAddressLookupTables(m, lookedUp ? { [table]: addresses } : {}),
    (m) => setTransactionMessageFeePayer(key(payer), m),
    (m) => setTransactionMessageLifetimeUsingBlockhash(lifetime, m),
    compileTransaction,
  )
}

const roles = fc.constantFrom(
  AccountRole.READONLY,
  AccountRole.WRITABLE,
  AccountRole.READONLY_SIGNER,
  AccountRole.WRITABLE_SIGNER,
)
const transactions = fc
  .record({
    version: fc.constantFrom('legacy' as const, 0 as const),
    payer: fc.integer({ min: 60, max: 70 }),
    instructions: fc.array(
      fc.record({
        program: fc.integer({ min: 0, max: 3 }),
        accounts: fc.array(fc.record({ seed: fc.integer({ min: 1, max: 8 }), role: roles }), { maxLength: 6 }),
        data: fc.uint8Array({ maxLength: 200 }),
      }),
      { maxLength: 3 },
    ),
    lookedUp: fc.boolean(),
  })
  .map(build)
const wire = (transaction: ReturnType<typeof build>): Base64EncodedWireTransaction =>
  getBase64EncodedWireTransaction(transaction)

function example(): string {
  const accounts = [{ seed: 1, role: AccountRole.WRITABLE_SIGNER }]
  return wire(
    build({
      version: 0,
      payer: 60,
      instructions: [{ program: 1, accounts, data: new Uint8Array(3) }],
      lookedUp: false,
    }),
  )
}

describe('parseTransaction', () => {
  it('reads transactions serialised by Solana’s own library', () => {
    fc.assert(
      fc.property(transactions, (transaction) => {
        const bytes = base64.decode(wire(transaction))
        if (bytes.length > 1232) return expect(() => parseTransaction(base64.encode(bytes))).toThrow(Failure)
        const parsed = parseTransaction(base64.encode(bytes))
        expect(parsed.signers).toEqual(Object.keys(transaction.signatures))
        expect(parsed.message).toEqual(new Uint8Array(transaction.messageBytes))
        expect(parsed.signatures.every((signature) => signature.every((byte) => byte === 0))).toBe(true)
        expect(missingSigners(parsed)).toEqual(parsed.signers)
        expect(transactionId(parsed)).toBeUndefined()
        expect(messageOf(base64.encode(bytes))).toEqual(parsed.message)
        return undefined
      }),
    )
  })

  it('1. rejects a transaction with a byte added or missing anywhere', () => {
    fc.assert(
      fc.property(transactions, fc.nat(), (transaction, at) => {
        const bytes = base64.decode(wire(transaction))
        fc.pre(bytes.length < 1232)
        expect(() => parseTransaction(base64.encode(bytes.slice(0, at % bytes.length)))).toThrow(Failure)
        expect(() => parseTransaction(base64.encode(Uint8Array.of(...bytes, 0)))).toThrow(Failure)
      }),
    )
  })

  it('1. never throws another error, whatever the bytes', () => {
    const hostile = fc.oneof(
      fc.uint8Array({ maxLength: 1300 }).map((bytes) => base64.encode(bytes)),
      fc.string(),
      fc.tuple(transactions, fc.nat(), fc.nat({ max: 255 })).map(([transaction, at, byte]) => {
        const bytes = base64.decode(wire(transaction))
        bytes[at % bytes.length] = byte
        return base64.encode(bytes)
      }),
    )
    fc.assert(
      fc.property(hostile, (text) => {
        try {
          const { signatures, signers } = parseTransaction(text)
          expect(signatures).toHaveLength(signers.length)
        } catch (thrown) {
          expect(thrown).toMatchObject({ code: 'INVALID_PARAMS' })
        }
      }),
      { numRuns: 500 },
    )
  })

  const message = (...header: number[]) => [...header, 1, ...new Uint8Array(32).fill(1), ...new Uint8Array(32), 0]
  const unsigned = (count: number, ...rest: number[]) =>
    base64.encode(Uint8Array.of(count, ...new Uint8Array(64 * count), ...rest))
  it.each([
    ['no signer', unsigned(0, ...message(0, 0, 0))],
    ['a payer that may not be written to', unsigned(1, ...message(1, 1, 0))],
    ['more signers than accounts', unsigned(2, ...message(2, 0, 0))],
    ['fewer signatures than signers', unsigned(0, ...message(1, 0, 0))],
    ['more signatures than signers', unsigned(2, ...message(1, 0, 0))],
    ['an unknown version', unsigned(1, 0x81, ...message(1, 0, 0), 0)],
    [
      'a count that is longer than needed',
      base64.encode(Uint8Array.of(0x81, 0, ...new Uint8Array(64), ...message(1, 0, 0))),
    ],
    ['a count above 16 bits', base64.encode(Uint8Array.of(0xff, 0xff, 0x7f))],
    ['an account that is not there', unsigned(1, ...message(1, 0, 0).slice(0, -1), 1, 1, 0, 0)],
    ['nothing', ''],
    ['no base64', 'ö'],
  ])('2–3. rejects %s', (_name, text) => {
    expect(() => parseTransaction(text)).toThrow(Failure)
  })

  it('reads the smallest possible transaction', () => {
    expect(parseTransaction(unsigned(1, ...message(1, 0, 0)))).toMatchObject({ version: 'legacy', signers: [key(1)] })
  })
})

describe('addSignature', () => {
  it('inserts a signature where Solana’s own library would', () => {
    fc.assert(
      fc.property(transactions, fc.uint8Array({ minLength: 64, maxLength: 64 }), fc.nat(), (transaction, bytes, at) => {
        fc.pre(base64.decode(wire(transaction)).length <= 1232 && bytes.some((byte) => byte !== 0))
        const signers = Object.keys(transaction.signatures)
        const signer = signers[at % signers.length] ?? ''
        const expected = wire({
          ...transaction,
          signatures: { ...transaction.signatures, [signer]: signatureBytes(bytes) },
        })
        const signed = addSignature(wire(transaction), signer, base58.encode(bytes))
        expect(signed).toBe(expected)
        const parsed = parseTransaction(signed)
        expect(missingSigners(parsed)).toEqual(signers.filter((other) => other !== signer))
        expect(transactionId(parsed)).toBe(signer === signers[0] ? base58.encode(bytes) : undefined)
      }),
    )
  })

  it.each([
    ['a stranger', key(99), base58.encode(new Uint8Array(64).fill(1))],
    ['63 bytes', key(60), base58.encode(new Uint8Array(63).fill(1))],
    ['65 bytes', key(60), base58.encode(new Uint8Array(65).fill(1))],
    ['nothing but zeros', key(60), '1'.repeat(64)],
    ['no base58', key(60), '0OIl'.repeat(20)],
  ])('rejects the signature of %s', (_name, signer, signature) => {
    expect(() => addSignature(example(), signer, signature)).toThrow(Failure)
    expect(() => addSignature('AAAA', key(60), signature)).toThrow(Failure)
  })
})

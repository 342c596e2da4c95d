/** Compares the strict reader of approvals with `@solana/web3.js`: the same meaning, or a refusal. */
import { Failure } from '@postern/protocol/failure'
import { base58, base64 } from '@scure/base'
import {
  AddressLookupTableAccount,
  PublicKey,
  TransactionInstruction,
  TransactionMessage,
  VersionedTransaction,
} from '@solana/web3.js'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { addSignature, parseTransaction, type SolanaTransaction } from './transaction'

const keyOf = (seed: number) => new PublicKey(new Uint8Array(32).fill(seed))
const tables = [
  { address: keyOf(251), seeds: [60, 61, 62, 63, 64] },
  { address: keyOf(252), seeds: Array.from({ length: 40 }, (_, at) => at + 64) },
].map(
  ({ address, seeds }) =>
    new AddressLookupTableAccount({
      key: address,
      state: {
        deactivationSlot: 2n ** 64n - 1n,
        lastExtendedSlot: 0,
        lastExtendedSlotStartIndex: 0,
        addresses: seeds.map(keyOf),
      },
    }),
)

const instructions = fc.array(
  fc.record({
    program: fc.integer({ min: 200, max: 205 }),
    accounts: fc.array(
      fc.record({ seed: fc.integer({ min: 1, max: 110 }), isSigner: fc.boolean(), isWritable: fc.boolean() }),
      { maxLength: 20 },
    ),
    data: fc.uint8Array({ maxLength: 200 }),
  }),
  { maxLength: 8 },
)

/** Bytes that web3.js writes; some exceed the maximum size. */
const transactions = fc
  .record({
    version: fc.constantFrom('legacy' as const, 0 as const),
    payer: fc.integer({ min: 1, max: 120 }),
    signsRarely: fc.boolean(),
    tables: fc.integer({ min: 0, max: 2 }),
    blockhash: fc.uint8Array({ minLength: 32, maxLength: 32 }),
    instructions,
  })
  .map((wanted) => {
    const message = new TransactionMessage({
      payerKey: keyOf(wanted.payer),
      recentBlockhash: base58.encode(wanted.blockhash),
      instructions: wanted.instructions.map(
        ({ program, accounts, data }) =>
          new TransactionInstruction({
            programId: keyOf(program),
            keys: accounts.map(({ seed, isSigner, isWritable }) => ({
              pubkey: keyOf(seed),
              isSigner: isSigner && !(wanted.signsRarely && seed > 3),
              isWritable,
            })),
            data: Buffer.from(data),
          }),
      ),
    })
    return wanted.version === 0
      ? message.compileToV0Message(tables.slice(0, wanted.tables))
      : message.compileToLegacyMessage()
  })
  .map(serialised)
  .filter((bytes) => bytes !== null)

/** Null if larger than web3.js can write. */
function serialised(message: ConstructorParameters<typeof VersionedTransaction>[0]): Uint8Array | null {
  try {
    return new VersionedTransaction(message).serialize()
  } catch {
    return null
  }
}

function meaningOf({ version, signatures, message }: VersionedTransaction) {
  const keys = message.staticAccountKeys.map((key) => key.toBase58())
  const keyAt = (index: number) => keys[index] ?? null
  return {
    version,
    signatures: signatures.map((one) => [...one]),
    signers: keys.slice(0, message.header.numRequiredSignatures),
    staticKeys: keys,
    blockhash: message.recentBlockhash,
    header: { ...message.header },
    instructions: message.compiledInstructions.map(({ programIdIndex, accountKeyIndexes, data }) => ({
      program: keyAt(programIdIndex),
      accounts: accountKeyIndexes.map(keyAt),
      data: [...data],
    })),
  }
}

/** The reader leaves the header in the message. It keeps no tables: the test writes them again instead. */
function comparable({ version, signatures, signers, staticKeys, blockhash, message, instructions }: SolanaTransaction) {
  const start = version === 0 ? 1 : 0
  return {
    version,
    signatures: signatures.map((one) => [...one]),
    signers,
    staticKeys,
    blockhash,
    header: {
      numRequiredSignatures: message[start],
      numReadonlySignedAccounts: message[start + 1],
      numReadonlyUnsignedAccounts: message[start + 2],
    },
    instructions: instructions.map(({ program, accounts, data }) => ({ program, accounts, data: [...data] })),
  }
}

function read(bytes: Uint8Array): SolanaTransaction | null {
  try {
    return parseTransaction(base64.encode(bytes))
  } catch (thrown) {
    if (thrown instanceof Failure && thrown.code === 'INVALID_PARAMS') return null
    throw thrown
  }
}

type Mutation =
  | { readonly kind: 'set' | 'flip' | 'insert'; readonly at: number; readonly byte: number }
  | { readonly kind: 'remove' | 'cut'; readonly at: number }

const at = fc.nat({ max: 1300 })
const mutations: fc.Arbitrary<Mutation[]> = fc.array(
  fc.oneof(
    fc.record({
      kind: fc.constantFrom('set' as const, 'flip' as const, 'insert' as const),
      at,
      byte: fc.nat({ max: 255 }),
    }),
    fc.record({ kind: fc.constantFrom('remove' as const, 'cut' as const), at }),
  ),
  { minLength: 1, maxLength: 4 },
)

function mutated(bytes: Uint8Array, changes: readonly Mutation[]): Uint8Array {
  const all = [...bytes]
  for (const change of changes) {
    // Signatures are opaque, so most changes go to the message.
    const start = change.at % 5 === 0 ? 0 : Math.min(1 + 64 * (bytes[0] ?? 0), all.length)
    const index = start + (change.at % (all.length - start + 1))
    if (change.kind === 'set') all.splice(index, 1, change.byte)
    else if (change.kind === 'flip') all.splice(index, 1, (all[index] ?? 0) ^ (1 << (change.byte % 8)))
    else if (change.kind === 'insert') all.splice(index, 0, change.byte)
    else all.splice(index, change.kind === 'cut' ? all.length : 1)
  }
  return Uint8Array.from(all)
}

describe('parseTransaction beside @solana/web3.js', () => {
  it('reads what web3.js writes, up to the maximum size', () => {
    fc.assert(
      fc.property(transactions, (bytes) => {
        const parsed = read(bytes)
        const expected = bytes.length > 1232 ? null : meaningOf(VersionedTransaction.deserialize(bytes))
        expect(parsed && comparable(parsed)).toEqual(expected)
      }),
      { numRuns: 300 },
    )
  })

  it('finds the accounts of lookup tables where web3.js does', () => {
    const addresses = new Map(tables.map(({ key, state }) => [key.toBase58(), state.addresses]))
    let found = 0
    fc.assert(
      fc.property(transactions, (bytes) => {
        const parsed = read(bytes)
        if (parsed === null) return
        const { message } = VersionedTransaction.deserialize(bytes)
        const keys = message.getAccountKeys({ addressLookupTableAccounts: tables })
        const expected = message.compiledInstructions.map(({ accountKeyIndexes }) =>
          accountKeyIndexes.map((index) => keys.get(index)?.toBase58()),
        )
        const own = parsed.instructions.map(({ accounts, lookedUp }) =>
          accounts.map((account, at) => {
            const place = lookedUp[at] ?? null
            expect(account === null).toBe(place !== null)
            if (place !== null) found += 1
            return account ?? addresses.get(place?.table ?? '')?.[place?.entry ?? 0]?.toBase58()
          }),
        )
        expect(own).toEqual(expected)
      }),
      { numRuns: 200 },
    )
    expect(found).toBeGreaterThan(0)
  })

  it('refuses changed bytes, or reads them as web3.js does', () => {
    fc.assert(
      fc.property(transactions, mutations, (original, changes) => {
        const bytes = mutated(original, changes)
        const parsed = read(bytes)
        if (parsed === null) return
        // web3.js must read these bytes, with the same result; written again, they are the same bytes.
        const transaction = VersionedTransaction.deserialize(bytes)
        expect(comparable(parsed)).toEqual(meaningOf(transaction))
        expect([...transaction.serialize()]).toEqual([...bytes])
        expect([...transaction.message.serialize()]).toEqual([...parsed.message])
      }),
      { numRuns: 1_500 },
    )
  })

  it('inserts a signature where web3.js does', () => {
    fc.assert(
      fc.property(transactions, fc.uint8Array({ minLength: 64, maxLength: 64 }), fc.nat(), (bytes, signature, nth) => {
        fc.pre(bytes.length <= 1232 && signature.some((byte) => byte !== 0))
        const transaction = VersionedTransaction.deserialize(bytes)
        const { signers } = meaningOf(transaction)
        const signer = signers[nth % signers.length] ?? ''
        transaction.addSignature(new PublicKey(signer), signature)
        const signed = addSignature(base64.encode(bytes), signer, base58.encode(signature))
        expect(signed).toBe(base64.encode(transaction.serialize()))
      }),
    )
  })
})

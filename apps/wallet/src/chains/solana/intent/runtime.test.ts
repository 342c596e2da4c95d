/** Compares what is read of Solana transactions with what Agave's own runtime (LiteSVM) does with them. */

import { createHash } from 'node:crypto'
import { ed25519 } from '@noble/curves/ed25519'
import type { ChainClient } from '@postern/chains/chain-client'
import { associatedAccount } from '@postern/chains/solana/program-address'
import { accountBytes, littleEndian, mintBytes } from '@postern/chains/solana/testing/token-2022'
import { readTokenAccount } from '@postern/chains/solana/token-account'
import { base58, base64 } from '@scure/base'
import { address, type EncodedAccount, getTransactionDecoder, lamports } from '@solana/kit'
import * as fc from 'fast-check'
import { FailedTransactionMetadata, LiteSVM } from 'litesvm'
import { describe, expect, it } from 'vitest'
import type { Intent } from '../../../intent/intent'
import { readSolanaFee } from './budget'
import { solanaIntents } from './testing/intents'
import {
  bytesOf,
  creationOf,
  keyOf,
  lookedUp,
  lookupTable,
  type Order,
  ofBudget,
  ofSystem,
  ofToken,
  owner,
  payer,
  programIds,
  secondTable,
  stranger,
  tableBytes,
  tableProgram,
  thief,
  transactionOf,
  transferOf,
  u32,
  u64,
  unread,
} from './testing/transactions'

const { system, token, token2022, associated, memo } = programIds
const wrapped = 'So11111111111111111111111111111111111111112'
const [mint, mint2022, fresh, other] = [keyOf(4), keyOf(40), keyOf(50), keyOf(51)]
const own = {
  tokens: keyOf(10),
  empty: keyOf(11),
  wrapped: keyOf(12),
  tokens2022: keyOf(13),
  nonce: keyOf(14),
  associated: associatedAccount(owner, mint, token),
}
const theirs = { tokens: keyOf(20), wrapped: keyOf(21), tokens2022: keyOf(22) }
const sol = 10n ** 9n
const rent = 2_039_280n
const seed = 'ab'
const derived = base58.encode(
  createHash('sha256')
    .update(Uint8Array.from([...bytesOf(owner), ...new TextEncoder().encode(seed), ...bytesOf(system)]))
    .digest(),
)

function tokensOf(of: string, ofMint: string, amount: bigint): Uint8Array {
  const bytes = accountBytes({ mint: ofMint, owner: of, amount })
  if (ofMint === wrapped) bytes.set([1, 0, 0, 0, ...u64(rent)], 109)
  return bytes
}

function supplied(): Uint8Array {
  const bytes = mintBytes()
  bytes.set(u64(2n ** 40n), 36)
  return bytes
}

function nonceOf(authority: string): Uint8Array {
  const bytes = new Uint8Array(80)
  bytes.set([1, 0, 0, 0, 1, 0, 0, 0, ...bytesOf(authority), ...new Uint8Array(32).fill(3), ...u64(5_000n)])
  return bytes
}

const world: readonly (readonly [key: string, program: string, lamports: bigint, data: Uint8Array])[] = [
  [owner, system, 2n ** 60n, new Uint8Array()],
  [payer, system, 2n ** 60n, new Uint8Array()],
  [thief, system, 10n * sol, new Uint8Array()],
  [derived, system, 5n * sol, new Uint8Array()],
  [mint, token, rent, supplied()],
  [mint2022, token2022, rent, supplied()],
  [own.tokens, token, rent, tokensOf(owner, mint, 1_000n)],
  [own.empty, token, rent, tokensOf(owner, mint, 0n)],
  [own.wrapped, token, rent + 7n * sol, tokensOf(owner, wrapped, 7n * sol)],
  [own.tokens2022, token2022, rent, tokensOf(owner, mint2022, 1_000n)],
  [own.associated, token, rent, tokensOf(owner, mint, 0n)],
  [own.nonce, system, 2n * sol, nonceOf(owner)],
  [theirs.tokens, token, rent, tokensOf(thief, mint, 5n)],
  [theirs.wrapped, token, rent + sol, tokensOf(thief, wrapped, sol)],
  [theirs.tokens2022, token2022, rent, tokensOf(thief, mint2022, 5n)],
]

/** Entries of the lookup tables; the second table has them in reverse order. */
const keys = [
  ...[owner, thief, fresh, other, stranger, derived, mint, mint2022, wrapped, token, system],
  ...Object.values(own),
  ...Object.values(theirs),
]
const tables = [
  [lookupTable, tableProgram, rent * 2n, tableBytes(keys)],
  [secondTable, tableProgram, rent * 2n, tableBytes(keys.toReversed())],
] as const

const svm = new LiteSVM().withSigverify(false).withBlockhashCheck(false).withTransactionHistory(0n)
for (const [key, program, balance, data] of [...world, ...tables])
  svm.setAccount({
    address: address(key),
    lamports: lamports(balance),
    data,
    executable: false,
    programAddress: address(program),
    space: BigInt(data.length),
  })

type Accounts = ReadonlyMap<string, Pick<EncodedAccount, 'programAddress' | 'lamports' | 'data'>>

/** The accounts afterwards, without any that does not change; null if the chain rejects the transaction or it fails. */
function run(transaction: string): Accounts | null {
  const result = svm.simulateTransaction(getTransactionDecoder().decode(base64.decode(transaction)))
  if (result instanceof FailedTransactionMetadata) return null
  return new Map(result.postAccounts().map((account) => [account.address, account]))
}

const before: Accounts = new Map(
  [...world, ...tables].map(([key, program, balance, data]) => [
    key,
    { programAddress: address(program), lamports: lamports(balance), data },
  ]),
)

/** Answers like a node, from the accounts before and the runtime. */
const node: ChainClient['rpc'] = {
  async request({ method, params }) {
    const [first, config]: readonly unknown[] = Array.isArray(params) ? params : []
    if (method === 'getMultipleAccounts') return { value: viewsOf(first, before) }
    const after = run(String(first))
    const asked = Object(Object(config).accounts).addresses
    return {
      value: {
        err: after === null ? 'failed' : null,
        accounts: viewsOf(asked, new Map([...before, ...(after ?? [])])),
      },
    }
  },
}

function viewsOf(keys: unknown, accounts: Accounts): readonly unknown[] {
  return (Array.isArray(keys) ? keys : []).map((key: unknown) => {
    const found = accounts.get(String(key))
    if (found === undefined || found.lamports === 0n) return null
    const data = [base64.encode(Uint8Array.from(found.data)), 'base64']
    return { lamports: Number(found.lamports), owner: found.programAddress, data }
  })
}

/** Without an answer of the chain, and with one. */
async function intentsOf(transaction: string): Promise<readonly Intent[]> {
  const { first, last } = await solanaIntents([transaction], node)
  return [first, last]
}

/** What the owner has by mint; all SOL, also wrapped and in deposits, is the mint of wrapped SOL. */
function holdingsIn(accounts: Accounts): ReadonlyMap<string, bigint> {
  const holdings = new Map<string, bigint>()
  const add = (key: string, amount: bigint) => holdings.set(key, (holdings.get(key) ?? 0n) + amount)
  for (const [key, { programAddress, lamports: balance, data }] of accounts) {
    const tokens = readTokenAccount(programAddress, Uint8Array.from(data))
    // Only the owner's key moves these three.
    if ([owner, derived, own.nonce].includes(key) || tokens?.owner === owner) add(wrapped, balance)
    if (tokens?.owner === owner && tokens.mint !== wrapped) add(tokens.mint, tokens.amount)
  }
  return holdings
}

function lossesOf(after: Accounts): ReadonlyMap<string, bigint> {
  const now = holdingsIn(new Map([...before, ...after]))
  return new Map([...holdingsIn(before)].map(([key, had]) => [key, had - (now.get(key) ?? 0n)]))
}

const mintOf: Readonly<Record<string, string>> = {
  [own.tokens]: mint,
  [own.empty]: mint,
  [own.associated]: mint,
  [own.wrapped]: wrapped,
  [own.tokens2022]: mint2022,
}
const openWarnings: readonly string[] = ['notDecoded', 'givesControl', 'unknownFee']

function entryOf(table: string, key: string): number {
  return (table === lookupTable ? keys : keys.toReversed()).indexOf(key)
}
const labelOf = (table: string, key: string) => `entry ${entryOf(table, key)} of lookup table ${table}`

/** Each account that is no signer and no program, in one of the tables. */
function withTables(some: readonly Order[]): readonly Order[] {
  const isStatic = (key: string) => signers.includes(key) || some.some(({ program }) => program === key)
  return some.map((order) => ({
    ...order,
    accounts: order.accounts.map((key) => {
      const at = keys.indexOf(key)
      if (at === -1 || isStatic(key)) return key
      const table = at % 2 === 0 ? lookupTable : secondTable
      return lookedUp(entryOf(table, key), table)
    }),
  }))
}

/** Amounts by mint that the steps name. Null if a warning says that more may leave, or a step that all of an account does. */
function namedIn({ steps, warnings, fee }: Intent): ReadonlyMap<string, bigint> | null {
  if (warnings.some(({ kind }) => openWarnings.includes(kind))) return null
  const named = new Map<string, bigint>()
  const add = (key: string, amount: string) => named.set(key, (named.get(key) ?? 0n) + BigInt(amount))
  for (const step of steps) {
    if (step.kind !== 'transfer') continue
    if (step.amount.everything) return null
    const { token: of = wrapped, raw } = step.amount
    const key = keys.find((one) => [one, labelOf(lookupTable, one), labelOf(secondTable, one)].includes(of)) ?? of
    add(mintOf[key] ?? key, raw)
  }
  if (fee !== null && fee !== 'unknown' && !fee.sponsored) add(wrapped, fee.amount.raw)
  return named
}

const anyKey = fc.constantFrom(...keys)
const anyAmount = fc.oneof(fc.bigInt({ min: 0n, max: 20n }), fc.constantFrom(rent, sol, 7n * sol, 100n * sol))
const seedBytes = [...u64(BigInt(seed.length)), ...new TextEncoder().encode(seed)]

/** Instructions that succeed, if their numbers fit. */
const orders: fc.Arbitrary<Order> = fc
  .record({
    amount: anyAmount,
    to: anyKey,
    size: fc.constantFrom(0n, 165n),
    program: fc.constantFrom(system, token, stranger),
    signer: fc.constantFrom(owner, thief),
  })
  .chain(({ amount, to, size, program: created, signer }) => {
    const data = u64(amount)
    const mine = fc.constantFrom(own.tokens, own.empty, own.wrapped, own.associated)
    const ata = (of: string, program: string) => {
      const m = program === token ? mint : mint2022
      return {
        program: associated,
        accounts: [signer, associatedAccount(of, m, program), of, m, system, program],
        data: amount % 2n === 0n ? [1] : [],
      }
    }
    return fc.oneof(
      fc.constantFrom(
        transferOf(amount, to),
        ofSystem(2, [thief, owner], data),
        creationOf(amount + 10n * rent, fresh, created, size),
        ofSystem(
          3,
          [owner, derived, owner],
          [...bytesOf(owner), ...seedBytes, ...data, ...u64(size), ...bytesOf(system)],
        ),
        ofSystem(11, [derived, owner, to], [...data, ...seedBytes, ...bytesOf(system)]),
        ofSystem(1, [signer], bytesOf(stranger)),
        ofSystem(8, [fresh], u64(size)),
        ofSystem(5, [own.nonce, to, keyOf(0), keyOf(0), owner], data),
        ofSystem(7, [own.nonce, owner], bytesOf(thief)),
        ata(thief, token),
        ata(owner, token),
        ata(stranger, token2022),
        { program: memo, accounts: [owner], data: [104, 105] },
        ofBudget(3, ...u64(amount)),
        ofBudget(2, ...u32(200_000)),
        unread(owner, to),
      ),
      mine.chain((from) =>
        fc.constantFrom(
          ofToken([from, from === own.wrapped ? theirs.wrapped : theirs.tokens, owner], 3, ...data),
          ofToken([from, mint, theirs.tokens, owner], 12, ...data, 6),
          ofToken([from, thief, owner], 4, ...data),
          ofToken([from, mint, thief, owner], 13, ...data, 6),
          ofToken([from, owner], 5),
          ofToken([from, owner], 6, 2, 1, ...bytesOf(thief)),
          ofToken([from, owner], 6, 3, 0),
          ofToken([from, mint, owner], 8, ...data),
          ofToken([from, to, owner], 9),
          ofToken([from, owner, owner], 9),
          ofToken([from], 17),
        ),
      ),
      fc.constantFrom(
        { program: token2022, accounts: [own.tokens2022, theirs.tokens2022, owner], data: [3, ...data] },
        { program: token2022, accounts: [own.tokens2022, mint2022, theirs.tokens2022, owner], data: [12, ...data, 6] },
        {
          program: token2022,
          accounts: [own.tokens2022, mint2022, theirs.tokens2022, owner],
          data: [26, 1, ...data, 6, ...u64(0n)],
        },
        { program: token2022, accounts: [own.tokens2022, to, owner], data: [38] },
        { program: token2022, accounts: [own.tokens2022, mint2022, owner], data: [8, ...data] },
      ),
    )
  })

const rarely = <T>(some: fc.Arbitrary<T>) =>
  fc.oneof({ weight: 5, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: some })

/** Bytes at the end, which programs ignore, another account or another byte. */
const changed: fc.Arbitrary<Order> = fc
  .record({
    order: orders,
    more: fc.oneof({ weight: 2, arbitrary: fc.constant([]) }, fc.array(fc.nat({ max: 255 }), { maxLength: 3 })),
    account: rarely(fc.record({ at: fc.nat({ max: 5 }), key: anyKey })),
    byte: rarely(fc.record({ at: fc.nat({ max: 12 }), value: fc.nat({ max: 255 }) })),
  })
  .map(({ order, more, account, byte }) => ({
    program: order.program,
    accounts: order.accounts.map((key, at) => (at === account?.at ? account.key : key)),
    data: [...order.data.map((value, at) => (at === byte?.at ? byte.value : value)), ...more],
  }))

const signers = [owner, thief, fresh]

describe('beside Agave’s runtime', () => {
  it.each([
    ['', (some: readonly Order[]) => some],
    [', also from accounts in lookup tables', withTables],
  ])('names all that leaves the owner, or warns%s', async (_, written) => {
    let withLoss = 0
    await fc.assert(
      fc.asyncProperty(fc.array(changed, { minLength: 1, maxLength: 2 }), async (some) => {
        const transaction = transactionOf(signers, written(some))
        const after = base64.decode(transaction).length > 1_232 ? null : run(transaction)
        if (after === null) return
        const losses = [...lossesOf(after)].filter(([, loss]) => loss > 0n)
        if (losses.some(([key, loss]) => key !== wrapped || loss > 20_000n)) withLoss += 1
        for (const intent of await intentsOf(transaction)) {
          const named = namedIn(intent)
          for (const [key, loss] of losses) {
            const isNamed = named === null || (named.get(key) ?? 0n) >= loss
            expect({ key, loss, isNamed }).toMatchObject({ isNamed: true })
          }
        }
      }),
      { numRuns: 200 },
    )
    expect(withLoss).toBeGreaterThan(2)
  })

  it.each([
    ['that is named twice', lookedUp(entryOf(lookupTable, owner))],
    ['after the end of its table', lookedUp(255)],
  ])('runs nothing with an account %s, and the card does not name it', async (_, account) => {
    const transaction = transactionOf([owner], [transferOf(rent, account)])
    expect(run(transaction)).toBeNull()
    for (const { steps } of await intentsOf(transaction))
      expect(steps).toMatchObject([{ kind: 'transfer', to: expect.stringContaining('of lookup table') }])
  })

  const bytes = (minLength: number, more = 3) => fc.uint8Array({ minLength, maxLength: minLength + more })
  // Usually as long as the chain reads or longer, with a price that the owner can pay.
  const setting = fc.oneof(
    { weight: 2, arbitrary: bytes(4).map((value) => [2, ...value]) },
    { weight: 2, arbitrary: bytes(8).map((value) => [3, ...value.map((byte, at) => (at > 4 && at < 8 ? 0 : byte))]) },
    { weight: 1, arbitrary: fc.constantFrom([1, 0, 0, 4, 0], [4, 0, 0, 1, 0, 7]) },
    { weight: 1, arbitrary: fc.tuple(fc.nat({ max: 5 }), bytes(0, 12)).map(([kind, value]) => [kind, ...value]) },
  )
  const settings = fc.array(setting, { maxLength: 3 })

  it('never takes a higher fee than the card’s maximum', () => {
    let withPrice = 0
    fc.assert(
      fc.property(settings, fc.nat({ max: 3 }), fc.boolean(), (some, transfers, isAlone) => {
        const budget = some.map((data) => ofBudget(...data))
        const transaction = transactionOf(isAlone ? [owner] : [owner, thief], [
          ...budget,
          ...Array.from({ length: transfers }, () => transferOf(0n, owner)),
        ])
        const after = run(transaction)
        if (after === null) return
        const taken = 2n ** 60n - (after.get(owner)?.lamports ?? 2n ** 60n)
        const fee = readSolanaFee(transaction, owner)
        if (taken > 10_000n) withPrice += 1
        // The chain runs nothing that cannot be read.
        expect(fee).not.toBe('unknown')
        expect(BigInt(fee ?? 0)).toBeGreaterThanOrEqual(taken)
        if (budget.some(({ data }) => data[0] === 2)) expect(fee).toBe(taken)
      }),
      { numRuns: 300 },
    )
    expect(withPrice).toBeGreaterThan(2)
  })
})

describe('the fee of Agave’s runtime', () => {
  const price = 10n ** 12n
  const takenBy = (some: readonly Order[]) => {
    const transaction = transactionOf([owner], some)
    const after = run(transaction)
    if (after === null) throw new Error('the chain rejects it')
    return { taken: 2n ** 60n - (after.get(owner)?.lamports ?? 0n), fee: readSolanaFee(transaction, owner) }
  }

  it('is read from a limit and a price with an extra byte', () => {
    const { taken, fee } = takenBy([
      ofBudget(2, ...u32(1_400_000), 9),
      ofBudget(3, ...u64(price), 9),
      transferOf(1_000_000n, thief),
    ])
    expect(taken).toBe(1_400n * sol + 5_000n + 1_000_000n)
    expect(fee).toBe(1_400n * sol + 5_000n)
  })

  it('is taken for the budget’s own instructions, if nothing else runs', () => {
    const { taken, fee } = takenBy([ofBudget(3, ...u64(price))])
    expect(taken).toBeGreaterThan(sol)
    expect(fee).toBe(taken)
  })

  it('includes signatures that a precompiled program verifies', () => {
    const secret = new Uint8Array(32).fill(7)
    const message = Uint8Array.of(1, 2, 3)
    const signature = ed25519.sign(message, secret)
    const [signatureAt, keyAt, messageAt] = [16, 80, 112]
    const offsets = [signatureAt, 0xffff, keyAt, 0xffff, messageAt, message.length, 0xffff]
    const data = [
      ...[1, 0, ...offsets.flatMap((offset) => littleEndian(BigInt(offset), 2))],
      ...[...signature, ...ed25519.getPublicKey(secret), ...message],
    ]
    const { taken, fee } = takenBy([{ program: programIds.ed25519, accounts: [], data }])
    expect(taken).toBe(10_000n)
    expect(fee).toBe(10_000n)
  })

  it('is unknown for a budget that cannot be read, which the chain rejects today', () => {
    for (const data of [[0, 1, 2, 3, 4, 5, 6, 7, 8], [2, 1, 2, 3], [3], [9, ...u64(1n)], []]) {
      const transaction = transactionOf([owner], [ofBudget(...data), transferOf(1n, thief)])
      expect(run(transaction)).toBeNull()
      expect(readSolanaFee(transaction, owner)).toBe('unknown')
      expect(readSolanaFee(transaction, thief)).toBeNull()
    }
  })
})

/** Solana transactions for tests, written byte by byte: also those that no library writes. */

import { littleEndian } from '@postern/chains/solana/testing/token-2022'
import { base58, base64 } from '@scure/base'

export type Order = { readonly program: string; readonly accounts: readonly string[]; readonly data: readonly number[] }

/** An account of an order that is the entry of {@link lookupTable} or {@link secondTable} at `entry`. */
export const lookedUp = (entry: number, table = lookupTable) => `entry ${entry} ${table}`
const isLookedUp = (account: string) => account.startsWith('entry ')

export const keyOf = (seed: number) => base58.encode(new Uint8Array(32).fill(seed))
export const [lookupTable, secondTable] = [keyOf(200), keyOf(201)]
/** The account of a table with these entries. */
export const tableBytes = (entries: readonly string[]) =>
  Uint8Array.from([
    ...u32(1),
    ...new Uint8Array(4).fill(255),
    ...new Uint8Array(4).fill(255),
    ...new Uint8Array(44),
    ...entries.flatMap(bytesOf),
  ])
export const tableProgram = 'AddressLookupTab1e1111111111111111111111111'
export const bytesOf = (key: string) => [...base58.decode(key)]
export const u32 = (value: number) => littleEndian(BigInt(value), 4)
export const u64 = (value: bigint) => littleEndian(value, 8)

/** In base64, unsigned; the first signer pays. Legacy, or version 0 if an account is looked up. */
export function transactionOf(signers: readonly string[], orders: readonly Order[]): string {
  const accounts = orders.flatMap((order) => order.accounts)
  const keys = [
    ...new Set([...signers, ...accounts.filter((key) => !isLookedUp(key)), ...orders.map((order) => order.program)]),
  ]
  const entriesOf = (table: string) => [...new Set(accounts.filter((key) => isLookedUp(key) && key.endsWith(table)))]
  const tables = [lookupTable, secondTable].filter((table) => entriesOf(table).length > 0)
  const all = [...keys, ...tables.flatMap(entriesOf)]
  const isVersioned = tables.length > 0
  return base64.encode(
    Uint8Array.from([
      ...[signers.length, ...new Uint8Array(64 * signers.length)],
      ...(isVersioned ? [128] : []),
      ...[signers.length, 0, 0, keys.length, ...keys.flatMap(bytesOf)],
      ...new Uint8Array(32).fill(9),
      orders.length,
      ...orders.flatMap(({ program, accounts, data }) => [
        ...[all.indexOf(program), accounts.length, ...accounts.map((key) => all.indexOf(key))],
        ...[data.length, ...data],
      ]),
      ...(isVersioned ? [tables.length] : []),
      ...tables.flatMap((table) => {
        const entries = entriesOf(table).map((entry) => Number(entry.split(' ')[1]))
        return [...bytesOf(table), entries.length, ...entries, 0]
      }),
    ]),
  )
}

export const [owner, payer, thief, mint, tokenAccount, stranger] = [
  keyOf(1),
  keyOf(2),
  keyOf(3),
  keyOf(4),
  keyOf(5),
  keyOf(6),
]

export const programIds = {
  system: keyOf(0),
  budget: 'ComputeBudget111111111111111111111111111111',
  token: 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA',
  token2022: 'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb',
  associated: 'ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL',
  memo: 'MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr',
  stake: 'Stake11111111111111111111111111111111111111',
  ed25519: 'Ed25519SigVerify111111111111111111111111111',
} as const

export const ofSystem = (kind: number, accounts: readonly string[], data: readonly number[]): Order => ({
  program: programIds.system,
  accounts,
  data: [...u32(kind), ...data],
})
export const ofBudget = (...data: readonly number[]): Order => ({ program: programIds.budget, accounts: [], data })
export const ofToken = (accounts: readonly string[], ...data: readonly number[]): Order => ({
  program: programIds.token,
  accounts,
  data,
})
/** May do anything with its accounts. */
export const unread = (...accounts: readonly string[]): Order => ({ program: stranger, accounts, data: [7] })

export const transferOf = (lamports: bigint, to: string): Order => ofSystem(2, [owner, to], u64(lamports))
/** Program: System by default. */
export const creationOf = (lamports: bigint, to: string, program: string = programIds.system, size = 0n): Order =>
  ofSystem(0, [owner, to], [...u64(lamports), ...u64(size), ...bytesOf(program)])
/** An associated token account, opened by the owner. */
export const openingOf = (account: string, to: string, program: string = programIds.token): Order => ({
  program: programIds.associated,
  accounts: [owner, account, to, mint, programIds.system, program],
  data: [1],
})

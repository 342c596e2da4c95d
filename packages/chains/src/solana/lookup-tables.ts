/** Source: https://docs.rs/solana-address-lookup-table-interface, `state` */

import { base58, base64 } from '@scure/base'
import * as z from 'zod/mini'
import type { JsonRpcClient } from '../nodes/json-rpc'
import { AccountData } from './account-data'
import type { SolanaTransaction } from './transaction'

const tableProgram = 'AddressLookupTab1e1111111111111111111111111'
/** `LOOKUP_TABLE_META_SIZE`; the addresses follow. */
const metaSize = 56
const keySize = 32
/** Limit of `getMultipleAccounts`. */
const maxTables = 100

const Accounts = z.object({ value: z.array(z.nullable(z.object({ owner: z.string(), data: AccountData }))) })

/** Keys: tables that the chain knows. */
export type LookupTables = ReadonlyMap<string, readonly string[]>

export const noTables: LookupTables = new Map()

/** Sends no request if no tables are used. */
export async function readLookupTables(
  rpc: JsonRpcClient,
  transactions: readonly Pick<SolanaTransaction, 'instructions'>[],
  signal: AbortSignal,
): Promise<LookupTables> {
  const used = transactions.flatMap(({ instructions }) => instructions.flatMap(({ lookedUp }) => lookedUp))
  const keys = [...new Set(used.flatMap((one) => one?.table ?? []))]
  if (keys.length === 0) return noTables
  const requested = keys.slice(0, maxTables)
  const params = [requested, { encoding: 'base64', commitment: 'confirmed' }]
  const { value } = Accounts.parse(await rpc.request({ method: 'getMultipleAccounts', params }, signal))
  return new Map(
    requested.flatMap((key, at) => {
      const found = value[at] ?? null
      return found === null || found.owner !== tableProgram ? [] : [[key, addressesIn(base64.decode(found.data[0]))]]
    }),
  )
}

function addressesIn(data: Uint8Array): readonly string[] {
  const count = Math.max(0, Math.floor((data.length - metaSize) / keySize))
  return Array.from({ length: count }, (_, at) => {
    const start = metaSize + at * keySize
    return base58.encode(data.subarray(start, start + keySize))
  })
}

/**
 * Names and symbols of Token-2022 mints, which are untrusted text.
 *
 * 1. The mint's metadata pointer leads to them: in the mint, Metaplex's, or another program's account. It must name the
 *    mint: no mint borrows another's.
 * 2. Name and symbol are one sanitised line, or the short address.
 * 3. Only the first 4 kB of each account are read. If the chain fails, only the names are missing.
 * Sources: https://github.com/solana-program/token-2022 (`interface/src/extension`),
 * https://github.com/solana-program/token-metadata (`interface`).
 */
import { base58 } from '@scure/base'
import * as z from 'zod/mini'
import { UpstreamsFailedError } from '../../../platform/upstreams/attempt'
import { ask, type Chain, ChainError } from '../chain'
import { plainText } from '../plain-text'
import { shortAddress } from './holding'
import { metadataProgram, readMetaplex } from './metaplex'

export const token2022Program = 'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb'

export type TokenWords = { readonly name: string; readonly symbol: string }

const Accounts = z.object({
  value: z.array(z.nullable(z.object({ owner: z.string(), data: z.tuple([z.string(), z.literal('base64')]) }))),
})
const maxMints = 200
const accountsAtOnce = 100
const bytesRead = 4_096

/** By mint. */
export async function readTokenWords(chain: Chain, mints: readonly string[]): Promise<ReadonlyMap<string, TokenWords>> {
  const said = await readMintWords(chain, mints).catch((error: unknown): ReadonlyMap<string, MintWords> => {
    if (error instanceof ChainError || error instanceof UpstreamsFailedError) return new Map()
    throw error
  })
  return new Map(
    [...said].map(([mint, words]) => {
      const symbol = plainText(words.symbol, 32)
      const name = plainText(words.name, 64)
      return [mint, { name: name || symbol || shortAddress(mint), symbol: symbol || shortAddress(mint) }]
    }),
  )
}

/** Unsanitised. */
export type MintWords = TokenWords & {
  /** Off-chain metadata; empty if none. */
  readonly uri: string
  readonly isOne: boolean
}

/** @throws {ChainError | UpstreamsFailedError} */
export async function readMintWords(chain: Chain, mints: readonly string[]): Promise<ReadonlyMap<string, MintWords>> {
  const unique = [...new Set(mints)].slice(0, maxMints)
  const accounts = await readAccounts(chain, unique)
  const pointers = new Map<string, string>()
  for (const [mint, { owner, data }] of accounts) {
    const pointer = owner === token2022Program ? pointerOf(data) : null
    if (pointer !== null) pointers.set(mint, pointer)
  }
  const elsewhere = [...pointers].flatMap(([mint, pointer]) => (mint === pointer ? [] : [pointer]))
  const others = await readAccounts(chain, [...new Set(elsewhere)])
  return new Map(
    [...pointers].flatMap(([mint, pointer]) => {
      const data = accounts.get(mint)?.data ?? Buffer.alloc(0)
      const words =
        mint === pointer
          ? wordsOf(extensionOf(data, tokenMetadata), mint)
          : wordsElsewhere(others.get(pointer) ?? null, mint)
      return words === null ? [] : [[mint, { ...words, isOne: isOne(data) }] as const]
    }),
  )
}

type Account = { readonly owner: string; readonly data: Buffer }

async function readAccounts(chain: Chain, addresses: readonly string[]): Promise<ReadonlyMap<string, Account>> {
  const accounts = new Map<string, Account>()
  for (let at = 0; at < addresses.length; at += accountsAtOnce) {
    const some = addresses.slice(at, at + accountsAtOnce)
    const config = { encoding: 'base64', commitment: 'confirmed', dataSlice: { offset: 0, length: bytesRead } }
    const { value } = await ask(chain, { method: 'getMultipleAccounts', params: [some, config] }, Accounts)
    for (const [index, address] of some.entries()) {
      const account = value[index]
      if (account != null) accounts.set(address, { owner: account.owner, data: Buffer.from(account.data[0], 'base64') })
    }
  }
  return accounts
}

/** After the mint, padded to an account's size, and the account type. */
const firstExtension = 166
const isMint = 1
const metadataPointer = 18
const tokenMetadata = 19

/** May be truncated. */
function extensionOf(data: Buffer, wanted: number): Buffer | null {
  if (data[firstExtension - 1] !== isMint) return null
  for (let at = firstExtension; at + 4 <= data.length; ) {
    const [type, length] = [data.readUInt16LE(at), data.readUInt16LE(at + 2)]
    if (type === 0) return null
    if (type === wanted) return data.subarray(at + 4, at + 4 + length)
    at += 4 + length
  }
  return null
}

function pointerOf(data: Buffer): string | null {
  const pointer = extensionOf(data, metadataPointer)
  if (pointer?.length !== 64 || pointer.subarray(32).every((byte) => byte === 0)) return null
  return base58.encode(pointer.subarray(32))
}

/** Hash prefix of `spl_token_metadata_interface:token_metadata`. */
const discriminator = Buffer.from([112, 132, 90, 90, 11, 88, 157, 87])

function wordsElsewhere(account: Account | null, mint: string): Said | null {
  if (account === null) return null
  const { owner, data } = account
  if (owner === metadataProgram) return readMetaplex(data, mint)
  if (!data.subarray(0, 8).equals(discriminator)) return null
  return wordsOf(data.subarray(12), mint)
}

type Said = Pick<MintWords, 'name' | 'symbol' | 'uri'>

function isOne(data: Buffer): boolean {
  return data.length > 44 && data.readBigUInt64LE(36) === 1n && data[44] === 0
}

export function wordsOf(data: Buffer | null, mint: string): Said | null {
  if (data === null || data.length < 64 || base58.encode(data.subarray(32, 64)) !== mint) return null
  const name = textAt(data, 64)
  const symbol = name === null ? null : textAt(data, name.end)
  if (name === null || symbol === null) return null
  return { name: name.text, symbol: symbol.text, uri: textAt(data, symbol.end)?.text ?? '' }
}

function textAt(data: Buffer, at: number): { readonly text: string; readonly end: number } | null {
  if (at + 4 > data.length) return null
  const end = at + 4 + data.readUInt32LE(at)
  return end > data.length ? null : { text: data.toString('utf8', at + 4, end), end }
}

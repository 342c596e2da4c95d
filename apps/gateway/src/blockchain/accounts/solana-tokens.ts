/**
 * What mints of Token-2022 say of themselves. They are strangers' words:
 *
 * 1. Those count to which the mint's metadata pointer leads: in the mint itself, in Metaplex's metadata, or in an account of another program that writes as the mint would.
 *    They must name the mint, so that nobody borrows another's.
 * 2. Both come out as one harmless line of 64 and 32 characters. What has no name or no symbol is called by its address.
 * 3. Of each account the first 4 kB are read, so that one that holds megabytes hides none of the others. Where the chain does not tell, names alone are missing.
 * Sources: https://github.com/solana-program/token-2022 (`interface/src/extension`), https://github.com/solana-program/token-metadata (`interface`).
 */
import { base58 } from '@scure/base'
import * as z from 'zod/mini'
import { UpstreamsFailedError } from '../../upstreams/attempt'
import { ask, type Chain, ChainError } from '../chain'
import { plainText } from '../plain-text'
import { shortAddress } from './holding'
import { metadataProgram, readMetaplex } from './metaplex'

export const token2022Program = 'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb'

export type TokenWords = { readonly name: string; readonly symbol: string }

const Accounts = z.object({
  value: z.array(z.nullable(z.object({ owner: z.string(), data: z.tuple([z.string(), z.literal('base64')]) }))),
})
const mostRead = 200
const accountsAtOnce = 100
const bytesRead = 4_096

/** Of mints that are of that program; of any other, and beyond the first 200, there are none. */
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

/** As they are said. */
export type MintWords = TokenWords & {
  /** Where the rest is said; empty where it is nowhere. */
  readonly uri: string
  /** There is one, which cannot be divided. */
  readonly isOne: boolean
}

/** The same, uncleaned. @throws {ChainError} and {UpstreamsFailedError} */
export async function readMintWords(chain: Chain, mints: readonly string[]): Promise<ReadonlyMap<string, MintWords>> {
  const asked = [...new Set(mints)].slice(0, mostRead)
  const accounts = await readAccounts(chain, asked)
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
  const found = new Map<string, Account>()
  for (let at = 0; at < addresses.length; at += accountsAtOnce) {
    const some = addresses.slice(at, at + accountsAtOnce)
    const config = { encoding: 'base64', commitment: 'confirmed', dataSlice: { offset: 0, length: bytesRead } }
    const { value } = await ask(chain, { method: 'getMultipleAccounts', params: [some, config] }, Accounts)
    for (const [index, address] of some.entries()) {
      const account = value[index]
      if (account != null) found.set(address, { owner: account.owner, data: Buffer.from(account.data[0], 'base64') })
    }
  }
  return found
}

/** Behind a mint, which has the size of an account where it has extensions, and the byte that says that it is one. */
const firstExtension = 166
const isMint = 1
const metadataPointer = 18
const tokenMetadata = 19

/** Null where there is none; what is cut off is as long as it is. */
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

/** Where the mint says that its words are; null where it does not. */
function pointerOf(data: Buffer): string | null {
  const pointer = extensionOf(data, metadataPointer)
  if (pointer?.length !== 64 || pointer.subarray(32).every((byte) => byte === 0)) return null
  return base58.encode(pointer.subarray(32))
}

/** `spl_token_metadata_interface:token_metadata`, its first eight bytes hashed: what the account of another program begins its words with. */
const discriminator = Buffer.from([112, 132, 90, 90, 11, 88, 157, 87])

function wordsElsewhere(account: Account | null, mint: string): Said | null {
  if (account === null) return null
  const { owner, data } = account
  if (owner === metadataProgram) return readMetaplex(data, mint)
  if (!data.subarray(0, 8).equals(discriminator)) return null
  return wordsOf(data.subarray(12), mint)
}

type Said = Pick<MintWords, 'name' | 'symbol' | 'uri'>

/** The supply, eight bytes, and the decimals of a mint. */
function isOne(data: Buffer): boolean {
  return data.length > 44 && data.readBigUInt64LE(36) === 1n && data[44] === 0
}

/** Who may change it, the mint, the name, the symbol, where the rest is. */
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

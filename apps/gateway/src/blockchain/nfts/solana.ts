/**
 * Collectibles on Solana: mints of which there is one undivided piece in one of the account's token accounts, described by Metaplex's token metadata, or by a mint of
 * Token-2022 itself.
 *
 * 1. A candidate is a token account with exactly 1 of a mint without decimals; at most 200.
 * 2. It is a collectible where its metadata account exists, is of the metadata program, is of that mint, and does not call itself fungible. Older metadata says nothing of
 *    that, and counts.
 * 3. Without such metadata it is one where the mint is of Token-2022, there is one of it in all, and its metadata pointer leads to words for it.
 * 4. Compressed ones, which are in no account, are of `compressed.ts`.
 */
import * as z from 'zod/mini'
import { metadataAddress, metadataProgram, readMetaplex } from '../accounts/metaplex'
import { askTokenAccounts } from '../accounts/solana-balances'
import { type MintWords, readMintWords } from '../accounts/solana-tokens'
import { ask, type Chain } from '../chain'

export type SolanaCollectible = {
  readonly kind: 'spl' | 'compressed'
  /** Of a compressed one the id of the asset. */
  readonly mint: string
  readonly name: string
  /** Where the rest of its metadata is. */
  readonly uri: string
}

const Accounts = z.object({
  value: z.array(z.nullable(z.object({ owner: z.string(), data: z.tuple([z.string(), z.literal('base64')]) }))),
})
const mostFound = 200
const accountsAtOnce = 100

/** @throws {ChainError} and {UpstreamsFailedError} */
export async function readSolanaCollectibles(chain: Chain, owner: string): Promise<SolanaCollectible[]> {
  const accounts = await askTokenAccounts(owner, chain)
  const mints = accounts.flatMap(({ mint, amount, decimals }) => (amount === 1n && decimals === 0 ? [mint] : []))
  const found = await readMetadataAccounts(chain, [...new Set(mints)].slice(0, mostFound))
  return found.flatMap((each) => each ?? [])
}

/** One for each mint, null for what is no collectible. @throws {ChainError} and {UpstreamsFailedError} */
export async function readMetadataAccounts(
  chain: Chain,
  mints: readonly string[],
): Promise<(SolanaCollectible | null)[]> {
  const found: (SolanaCollectible | null)[] = []
  for (let at = 0; at < mints.length; at += accountsAtOnce) {
    const some = mints.slice(at, at + accountsAtOnce)
    const params = [some.map(metadataAddress), { encoding: 'base64', commitment: 'confirmed' }]
    const { value } = await ask(chain, { method: 'getMultipleAccounts', params }, Accounts)
    found.push(
      ...some.map((mint, index) => {
        const account = value[index]
        if (account == null || account.owner !== metadataProgram) return null
        return readMetadataAccount(Buffer.from(account.data[0], 'base64'), mint)
      }),
    )
  }
  const missing = mints.filter((_, index) => found[index] === null)
  const own = missing.length === 0 ? null : await readMintWords(chain, missing)
  return found.map((each, index) => each ?? collectibleOf(mints[index] ?? '', own))
}

function collectibleOf(mint: string, words: ReadonlyMap<string, MintWords> | null): SolanaCollectible | null {
  const own = words?.get(mint)
  return own?.isOne ? { kind: 'spl', mint, name: own.name, uri: own.uri } : null
}

/** Fungible things: FungibleAsset and Fungible. */
const fungible: readonly (number | undefined)[] = [1, 2]

/** Null for what is none, of another mint, or fungible. */
export function readMetadataAccount(bytes: Buffer, mint: string): SolanaCollectible | null {
  const metadata = readMetaplex(bytes, mint)
  if (metadata === null || fungible.includes(metadata.standard)) return null
  return { kind: 'spl', mint, name: metadata.name, uri: metadata.uri }
}

/**
 * NFTs on Solana: mints with a supply of one in the account's token accounts.
 *
 * 1. A candidate is a token account with exactly 1 of a mint without decimals; at most 200.
 * 2. Its account of Metaplex's metadata program names the mint and is not marked fungible. Older metadata has no mark.
 * 3. Or it is a Token-2022 mint with a supply of one and metadata.
 * 4. Compressed NFTs have no account: `compressed.ts`.
 */
import * as z from 'zod/mini'
import { metadataAddress, metadataProgram, readMetaplex } from '../accounts/metaplex'
import { askTokenAccounts } from '../accounts/solana'
import { type MintWords, readMintWords } from '../accounts/solana-tokens'
import { ask, type Chain } from '../chain'

export type SolanaCollectible = {
  readonly kind: 'spl' | 'compressed'
  readonly mint: string
  readonly name: string
  readonly uri: string
}

const Accounts = z.object({
  value: z.array(z.nullable(z.object({ owner: z.string(), data: z.tuple([z.string(), z.literal('base64')]) }))),
})
const maxCollectibles = 200
const accountsAtOnce = 100

/** @throws {ChainError | UpstreamsFailedError} */
export async function readSolanaCollectibles(chain: Chain, owner: string): Promise<SolanaCollectible[]> {
  const accounts = await askTokenAccounts(owner, chain)
  const mints = accounts.flatMap(({ mint, amount, decimals }) => (amount === 1n && decimals === 0 ? [mint] : []))
  const metadataAccounts = await readMetadataAccounts(chain, [...new Set(mints)].slice(0, maxCollectibles))
  return metadataAccounts.flatMap((each) => each ?? [])
}

/** One entry per mint, null if not an NFT. @throws {ChainError | UpstreamsFailedError} */
export async function readMetadataAccounts(
  chain: Chain,
  mints: readonly string[],
): Promise<(SolanaCollectible | null)[]> {
  const collectibles: (SolanaCollectible | null)[] = []
  for (let at = 0; at < mints.length; at += accountsAtOnce) {
    const some = mints.slice(at, at + accountsAtOnce)
    const params = [some.map(metadataAddress), { encoding: 'base64', commitment: 'confirmed' }]
    const { value } = await ask(chain, { method: 'getMultipleAccounts', params }, Accounts)
    collectibles.push(
      ...some.map((mint, index) => {
        const account = value[index]
        if (account == null || account.owner !== metadataProgram) return null
        return readMetadataAccount(Buffer.from(account.data[0], 'base64'), mint)
      }),
    )
  }
  const missing = mints.filter((_, index) => collectibles[index] === null)
  const own = missing.length === 0 ? null : await readMintWords(chain, missing)
  return collectibles.map((each, index) => each ?? collectibleOf(mints[index] ?? '', own))
}

function collectibleOf(mint: string, words: ReadonlyMap<string, MintWords> | null): SolanaCollectible | null {
  const own = words?.get(mint)
  return own?.isOne ? { kind: 'spl', mint, name: own.name, uri: own.uri } : null
}

/** FungibleAsset and Fungible. */
const fungible: readonly (number | undefined)[] = [1, 2]

/** Null if invalid, of another mint, or fungible. */
export function readMetadataAccount(bytes: Buffer, mint: string): SolanaCollectible | null {
  const metadata = readMetaplex(bytes, mint)
  if (metadata === null || fungible.includes(metadata.standard)) return null
  return { kind: 'spl', mint, name: metadata.name, uri: metadata.uri }
}

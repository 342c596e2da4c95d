import type { WalletEntry } from '@postern/protocol'

export type DirectoryQuery = {
  /** From 1. */
  readonly page?: number
  readonly search?: string
  /** Directory ids and rdns. */
  readonly include?: readonly string[]
  readonly exclude?: readonly string[]
  /** CAIP-2 ids. */
  readonly chains?: readonly string[]
}

export type DirectoryClient = {
  /** One page of 40 wallets, or of 100 when searching (spec §9). */
  wallets(
    query: DirectoryQuery,
    signal?: AbortSignal,
  ): Promise<{ readonly wallets: readonly WalletEntry[]; readonly count: number }>
  /** Where the directory serves an entry's image; undefined when it has none. */
  imageUrl(entry: WalletEntry): string | undefined
}

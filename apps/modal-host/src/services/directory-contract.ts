import type { WalletEntry } from '@postern/protocol'

export type DirectoryQuery = {
  readonly page?: number
  readonly search?: string
  /** Directory ids and rdns. */
  readonly include?: readonly string[]
  readonly exclude?: readonly string[]
  /** CAIP-2 ids. */
  readonly chains?: readonly string[]
}

export type DirectoryClient = {
  /** 40 per page, or 100 when searching (spec §9). */
  wallets(
    query: DirectoryQuery,
    signal?: AbortSignal,
  ): Promise<{ readonly wallets: readonly WalletEntry[]; readonly count: number }>
  imageUrl(entry: WalletEntry): string | undefined
}

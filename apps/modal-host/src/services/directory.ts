import { limits, type WalletEntry, WalletPage } from '@postern/protocol'
import type { HttpClient } from './http'

export type DirectoryQuery = {
  readonly page?: number
  readonly search?: string
  /** Directory ids, rdns and explorer ids. */
  readonly include?: readonly string[]
  readonly exclude?: readonly string[]
  /** CAIP-2 ids. */
  readonly chains?: readonly string[]
  readonly certified?: boolean
}

export type DirectoryClient = {
  /** 40 per page, or 100 when searching (spec §9). */
  wallets(
    query: DirectoryQuery,
    signal?: AbortSignal,
  ): Promise<{ readonly wallets: readonly WalletEntry[]; readonly count: number }>
  imageUrl(entry: WalletEntry): string | undefined
}

export function createDirectoryClient(http: HttpClient): DirectoryClient {
  return {
    async wallets({ page = 1, search, include, exclude, chains, certified = false }, signal) {
      const body = await http.get('/getWallets', {
        query: {
          page,
          entries: search === undefined ? limits.walletPageEntries : limits.walletSearchEntries,
          search,
          include: nonEmpty(include),
          exclude: nonEmpty(exclude),
          chains: nonEmpty(chains),
          badge_type: certified ? 'certified' : undefined,
        },
        ...(signal && { signal }),
      })
      const { data, count } = WalletPage.parse(body)
      return { wallets: data, count }
    },
    imageUrl(entry) {
      return entry.image_id ? http.url(`/getWalletImage/${encodeURIComponent(entry.image_id)}`) : undefined
    },
  }
}

function nonEmpty(list: readonly string[] | undefined): readonly string[] | undefined {
  return list !== undefined && list.length > 0 ? list : undefined
}

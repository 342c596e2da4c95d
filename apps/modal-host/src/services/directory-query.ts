import { limits, WalletPage } from '@postern/protocol'
import type { DirectoryClient } from './directory-contract'
import type { HttpClient } from './http-contract'

export function createDirectoryQuery(http: HttpClient): DirectoryClient['wallets'] {
  return async ({ page = 1, search, include, exclude, chains }, signal) => {
    const body = await http.get('/getWallets', {
      query: {
        page,
        entries: search === undefined ? limits.walletPageEntries : limits.walletSearchEntries,
        search,
        include: nonEmpty(include),
        exclude: nonEmpty(exclude),
        chains: nonEmpty(chains),
      },
      ...(signal && { signal }),
    })
    const { data, count } = WalletPage.parse(body)
    return { wallets: data, count }
  }
}

function nonEmpty(list: readonly string[] | undefined): readonly string[] | undefined {
  return list !== undefined && list.length > 0 ? list : undefined
}

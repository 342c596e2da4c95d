import { lazily } from '@postern/protocol/lazily'
import type { DirectoryClient } from './directory-contract'
import type { HttpClient } from './http-contract'

export type { DirectoryClient } from './directory-contract'

export function createDirectoryClient(http: HttpClient): DirectoryClient {
  const ask = lazily(async () => (await import('./directory-query')).createDirectoryQuery(http))
  return {
    wallets: async (query, signal) => (await ask())(query, signal),
    imageUrl(entry) {
      return entry.image_id ? http.url(`/getWalletImage/${encodeURIComponent(entry.image_id)}`) : undefined
    },
  }
}

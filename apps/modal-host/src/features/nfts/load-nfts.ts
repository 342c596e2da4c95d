import type { Nft } from '@postern/protocol'
import type { BlockchainApi } from '../../snapshot/money'
import { type Cursor, loadPage, type Page } from '../account/load-page'
import type { Scope } from '../portfolio/load-portfolio'

export function loadNfts(
  { nfts }: Pick<BlockchainApi, 'nfts'>,
  scopes: readonly Scope[],
  cursor: Cursor | null,
  signal?: AbortSignal,
): Promise<Page<Nft>> {
  const source = {
    async fetchPage(query: Parameters<BlockchainApi['nfts']>[0]) {
      const { nfts: items, next } = await nfts(query, signal)
      return { items, next }
    },
    networkOf: ({ chainId }: Nft) => chainId,
  }
  return loadPage(source, scopes, cursor, signal)
}

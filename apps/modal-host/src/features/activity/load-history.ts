import type { TransactionItem } from '@postern/protocol'
import type { BlockchainApi } from '../../snapshot/money'
import { type Cursor, loadPage, type Page } from '../account/load-page'
import type { Scope } from '../portfolio/load-portfolio'

export type HistoryCursor = Cursor
export type HistoryPage = Page<TransactionItem>

export function loadHistory(
  { history }: Pick<BlockchainApi, 'history'>,
  scopes: readonly Scope[],
  cursor: HistoryCursor | null,
  signal?: AbortSignal,
): Promise<HistoryPage> {
  const source = {
    async fetchPage(query: Parameters<BlockchainApi['history']>[0]) {
      const { data, next } = await history(query, signal)
      return { items: data, next }
    },
    networkOf: ({ metadata: { chain } }: TransactionItem) => chain,
  }
  return loadPage(source, scopes, cursor, signal)
}

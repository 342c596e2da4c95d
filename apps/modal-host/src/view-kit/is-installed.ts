import type { WalletRow } from '../snapshot/contract'

/** In the page: can be connected at once. */
export function isInstalled({ connectors }: Pick<WalletRow, 'connectors'>): boolean {
  return connectors.length > 0
}

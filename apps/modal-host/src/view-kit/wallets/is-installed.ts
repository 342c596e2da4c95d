import type { WalletRow } from '../../snapshot/contract'

export function isInstalled({ connectors }: Pick<WalletRow, 'connectors'>): boolean {
  return connectors.length > 0
}

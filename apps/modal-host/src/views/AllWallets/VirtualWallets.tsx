import type { WalletEntry } from '@postern/protocol'
import { useText } from '@postern/ui/locales/text'
import { VirtualRows } from '@postern/ui/virtual-rows'
import type { WalletRow } from '../../snapshot/contract'
import { WalletRowButton } from '../../view-kit/wallets/WalletRowButton'

export type ListedWallet = {
  readonly row: WalletRow
  readonly certified: boolean
  readonly listed?: WalletEntry
}

const skeletons = 2

type VirtualWalletsProps = {
  readonly rows: readonly ListedWallet[]
  readonly busy: boolean
  readonly hasMore: boolean
  readonly onNearEnd: () => void
}

export function VirtualWallets({ rows, busy, hasMore, onNearEnd }: VirtualWalletsProps) {
  const t = useText()
  return (
    <VirtualRows
      label={t('all.title')}
      count={rows.length}
      placeholderCount={hasMore ? skeletons : 0}
      busy={busy}
      fillsHeight
      keyOf={(index) => rows[index]?.row.id}
      render={(index) => {
        const wallet = rows[index]
        return wallet !== undefined && <WalletRowButton {...wallet} />
      }}
      onNearEnd={onNearEnd}
    />
  )
}

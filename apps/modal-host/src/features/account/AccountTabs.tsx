import { useText } from '@postern/ui/locales/text'
import { Tabs } from '@postern/ui/tabs'
import { Suspense } from 'react'
import columnStyles from '../../view-kit/column.module.css'
import { useSnapshot } from '../../view-kit/host-context'
import { LazyComponent } from '../../view-kit/loading/LazyComponent'
import { TilesSkeleton } from '../nfts/TilesSkeleton'
import { TokenList } from '../portfolio/TokenList'
import { ListSkeleton } from './AccountList'
import { type AccountTab, useAccountState, useSetAccountState } from './account-state'
import { ScopeSwitch } from './ScopeSwitch'

const loadNfts = () => import('../nfts/FirstNfts')
const loadActivity = () => import('../activity/FirstActivity')

/** Tokens, NFTs and Activity (spec §2), loaded when shown. Activity needs the flag `history`. */
export function AccountTabs() {
  const t = useText()
  const set = useSetAccountState()
  const area = useAccountState()
  const hasHistory = useSnapshot((snapshot) => snapshot.features.history)
  const selected = area.tab === 'activity' && !hasHistory ? 'tokens' : area.tab
  const tabs: readonly { readonly id: AccountTab; readonly label: string }[] = [
    { id: 'tokens', label: t('tokens.title') },
    { id: 'nfts', label: t('nfts.title') },
    ...(hasHistory ? [{ id: 'activity', label: t('activity.title') } as const] : []),
  ]
  return (
    <div className={columnStyles.gap2}>
      <Tabs label={t('account.area')} tabs={tabs} selected={selected} onSelect={(tab) => set({ tab })}>
        <div className={columnStyles.gap1}>
          <ScopeSwitch />
          {selected === 'tokens' && (
            <Suspense fallback={<ListSkeleton />}>
              <TokenList first />
            </Suspense>
          )}
          {selected === 'nfts' && <LazyComponent load={loadNfts} fallback={<TilesSkeleton />} />}
          {selected === 'activity' && <LazyComponent load={loadActivity} fallback={<ListSkeleton headed />} />}
        </div>
      </Tabs>
    </div>
  )
}

import { useText } from '@postern/ui/locales/text'
import { Tabs } from '@postern/ui/tabs'
import { Suspense } from 'react'
import { useSnapshot } from '../../view-kit/host-context'
import { ImportedPart } from '../../view-kit/ImportedPart'
import { WaitingTiles } from '../nfts/WaitingTiles'
import { TokenList } from '../portfolio/TokenList'
import { WaitingLines } from './AccountList'
import { type AccountTab, useArea, useSetArea } from './account-area'
import styles from './area.module.css'
import { ScopeSwitch } from './ScopeSwitch'

const loadNfts = () => import('../nfts/FirstNfts')
const loadActivity = () => import('../activity/FirstActivity')

/** Tokens, NFTs and Activity (spec §2), loaded when shown; without the flag `history` no Activity. */
export function Area() {
  const t = useText()
  const set = useSetArea()
  const area = useArea()
  const hasHistory = useSnapshot((snapshot) => snapshot.features.history)
  const selected = area.tab === 'activity' && !hasHistory ? 'tokens' : area.tab
  const tabs: readonly { readonly id: AccountTab; readonly label: string }[] = [
    { id: 'tokens', label: t('tokens.title') },
    { id: 'nfts', label: t('nfts.title') },
    ...(hasHistory ? [{ id: 'activity', label: t('activity.title') } as const] : []),
  ]
  return (
    <div className={styles.area}>
      <Tabs label={t('account.area')} tabs={tabs} selected={selected} onSelect={(tab) => set({ tab })}>
        <div className={styles.panel}>
          <ScopeSwitch />
          {selected === 'tokens' && (
            <Suspense fallback={<WaitingLines />}>
              <TokenList first />
            </Suspense>
          )}
          {selected === 'nfts' && <ImportedPart load={loadNfts} instead={<WaitingTiles />} />}
          {selected === 'activity' && <ImportedPart load={loadActivity} instead={<WaitingLines headed />} />}
        </div>
      </Tabs>
    </div>
  )
}

import { useState } from 'react'
import { useText } from '../../locales/text'
import { NetworkIcon } from '../../ui/icons'
import { Message, MessageGlyph } from '../../ui/message'
import { SearchField } from '../../ui/search-field'
import { currentNetwork } from '../held'
import { useActions, useSnapshot } from '../host-context'
import { NetworkList } from '../NetworkList'
import { useNavigation } from '../navigation'
import { matchesSearch } from '../wallet-rows'
import styles from './Networks.module.css'

/** With no more than these, all are seen at once. */
const searchedFrom = 9

export default function Networks() {
  const t = useText()
  const { close } = useActions()
  const { canGoBack, back } = useNavigation()
  const networks = useSnapshot((snapshot) => snapshot.networks)
  const current = useSnapshot(currentNetwork)
  const [search, setSearch] = useState('')
  const found = networks.filter(({ name }) => matchesSearch(name, search))
  return (
    <div className={styles.networks}>
      {networks.length >= searchedFrom && (
        <SearchField label={t('networks.search')} clearLabel={t('all.clear')} value={search} onChange={setSearch} />
      )}
      {found.length === 0 ? (
        <Message
          picture={
            <MessageGlyph>
              <NetworkIcon />
            </MessageGlyph>
          }
          title={t('networks.empty')}
        />
      ) : (
        <NetworkList
          networks={found}
          current={current?.caipNetworkId ?? null}
          onDone={() => (canGoBack ? back() : close())}
        />
      )}
    </div>
  )
}

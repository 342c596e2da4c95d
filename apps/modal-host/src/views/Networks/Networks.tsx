import type { Network } from '@postern/protocol'
import { useState } from 'react'
import { useText } from '../../locales/text'
import { NetworkIcon } from '../../ui/icons'
import { Message, MessageGlyph } from '../../ui/message'
import { SearchField } from '../../ui/search-field'
import { Section } from '../../ui/section'
import { currentNetwork } from '../held'
import { useActions, useSnapshot } from '../host-context'
import { NetworkList } from '../NetworkList'
import { useNavigation } from '../navigation'
import { searchFor } from '../wallet-rows'
import styles from './Networks.module.css'

/** With no more than these, all are seen at once. */
const searchedFrom = 9

/** Networks to switch to, in a group for each namespace where there are several. */
export default function Networks() {
  const t = useText()
  const { close } = useActions()
  const { canGoBack, back } = useNavigation()
  const networks = useSnapshot((snapshot) => snapshot.networks)
  const namespaces = useSnapshot((snapshot) => snapshot.namespaces)
  const current = useSnapshot(currentNetwork)?.caipNetworkId ?? null
  const [search, setSearch] = useState('')
  const isMeant = searchFor(search)
  const found = networks.filter(({ name }) => isMeant(name))
  const onDone = () => (canGoBack ? back() : close())
  const of = (namespace: Network['chainNamespace']) => found.filter((one) => one.chainNamespace === namespace)
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
      ) : namespaces.length > 1 ? (
        namespaces.map((namespace) => (
          <NetworkGroup
            key={namespace}
            title={t('chain.name', { namespace })}
            networks={of(namespace)}
            current={current}
            onDone={onDone}
          />
        ))
      ) : (
        <NetworkList label={t('networks.title')} networks={found} current={current} onDone={onDone} />
      )}
    </div>
  )
}

function NetworkGroup({
  title,
  ...list
}: { readonly title: string } & Omit<Parameters<typeof NetworkList>[0], 'label'>) {
  if (list.networks.length === 0) return null
  return (
    <Section title={title}>
      <NetworkList label={title} {...list} />
    </Section>
  )
}

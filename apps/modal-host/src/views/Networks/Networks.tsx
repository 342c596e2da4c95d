import type { Network } from '@postern/protocol'
import { NetworkIcon } from '@postern/ui/icons'
import { useText } from '@postern/ui/locales/text'
import { Message, MessageGlyph } from '@postern/ui/message'
import { SearchField } from '@postern/ui/search-field'
import { Section } from '@postern/ui/section'
import { useState } from 'react'
import { namespaceWords } from '../../snapshot/namespace-facts'
import columnStyles from '../../view-kit/column.module.css'
import { currentNetwork } from '../../view-kit/connected-account'
import { useActions, useSnapshot } from '../../view-kit/host-context'
import { useNavigation } from '../../view-kit/navigation'
import { NetworkList } from '../../view-kit/networks/NetworkList'
import { searchFor } from '../../view-kit/wallets/wallet-rows'

const searchedFrom = 9

export default function Networks() {
  const t = useText()
  const { close } = useActions()
  const { canGoBack, back } = useNavigation()
  const networks = useSnapshot((snapshot) => snapshot.networks)
  const namespaces = useSnapshot((snapshot) => snapshot.namespaces)
  const current = useSnapshot(currentNetwork)?.caipNetworkId ?? null
  const [search, setSearch] = useState('')
  const matches = searchFor(search)
  const found = networks.filter(({ name }) => matches(name))
  const onDone = () => (canGoBack ? back() : close())
  const of = (namespace: Network['chainNamespace']) => found.filter((one) => one.chainNamespace === namespace)
  return (
    <div className={columnStyles.gap3}>
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
            title={t('chain.name', namespaceWords(namespace))}
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

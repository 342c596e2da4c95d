import { List } from '@postern/ui/list'
import { useText } from '@postern/ui/locales/text'
import { Message } from '@postern/ui/message'
import { NetworkPicture, WalletPicture } from '@postern/ui/picture'
import { Row, Tag } from '@postern/ui/row'
import { ForwardIcon } from '@postern/ui/view-icons'
import type { WalletRow } from '../../snapshot/contract'
import { namespaceWords } from '../../snapshot/namespace-facts'
import columnStyles from '../../view-kit/column.module.css'
import { useActions, useSnapshot } from '../../view-kit/host-context'

export function ChooseChain({ row }: { readonly row: WalletRow }) {
  const t = useText()
  const { connect } = useActions()
  const networks = useSnapshot((snapshot) => snapshot.networks)
  const connections = useSnapshot((snapshot) => snapshot.connections)
  return (
    <div className={columnStyles.gap4}>
      <Message
        picture={<WalletPicture src={row.imageUrl} size="hero" />}
        title={t('choose.title')}
        text={t('choose.text', { wallet: row.name })}
      />
      <List label={t('choose.title')}>
        {row.connectors.map(({ namespace }) => {
          const connection = connections[namespace]
          const isConnected = connection?.status === 'connected' && connection.connector.id === row.id
          return (
            <li key={namespace}>
              <Row
                icon={
                  <NetworkPicture
                    src={networks.find(({ chainNamespace }) => chainNamespace === namespace)?.assets?.imageUrl}
                  />
                }
                title={t('chain.name', namespaceWords(namespace))}
                trailing={isConnected ? <Tag tone="active">{t('choose.connected')}</Tag> : <ForwardIcon small />}
                onPress={() => connect(row, namespace)}
              />
            </li>
          )
        })}
      </List>
    </div>
  )
}

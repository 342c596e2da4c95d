import { Button } from '@postern/ui/button'
import { useText } from '@postern/ui/locales/text'
import { Message } from '@postern/ui/message'
import { NetworkPicture } from '@postern/ui/picture'
import { namespaceWords } from '../../snapshot/namespace-facts'
import columnStyles from '../../view-kit/column.module.css'
import { activeAccount, currentNetwork, isEmbedded } from '../../view-kit/connected-account'
import { useActions, useSnapshot } from '../../view-kit/host-context'
import { useNavigation } from '../../view-kit/navigation'

/** No connected wallet supports the chosen network. */
export default function SwitchActiveChain() {
  const t = useText()
  const { want, activate } = useActions()
  const { push, reset } = useNavigation()
  const chosen = useSnapshot(({ networks, activeNetworkId }) =>
    networks.find(({ caipNetworkId }) => caipNetworkId === activeNetworkId),
  )
  const current = useSnapshot(currentNetwork)
  const connections = useSnapshot((snapshot) => snapshot.connections)
  const activeNetworkId = useSnapshot((snapshot) => snapshot.activeNetworkId)
  const active = activeAccount({ connections, activeNetworkId })
  // The view briefly outlives its reason.
  if (chosen === undefined || active === null) return null
  const { name: network, chainNamespace: namespace } = chosen
  const wallet = isEmbedded(active) ? t('progress.wallet') : (active.connector?.name ?? t('account.wallet'))
  return (
    <div className={columnStyles.gap5}>
      <Message
        picture={<NetworkPicture src={chosen.assets?.imageUrl} size="hero" />}
        title={t('switch.title', { network })}
        text={t('switch.text', { ...namespaceWords(namespace), wallet })}
      />
      <div className={columnStyles.gap2}>
        <Button
          tone="primary"
          onPress={() => {
            want(namespace)
            push('Connect')
          }}
        >
          {t('chain.connect', namespaceWords(namespace))}
        </Button>
        <Button
          tone="secondary"
          onPress={() => {
            activate(active.namespace)
            reset('Account')
          }}
        >
          {t('switch.stay', { network: current?.name ?? t('chain.name', namespaceWords(active.namespace)) })}
        </Button>
      </div>
    </div>
  )
}

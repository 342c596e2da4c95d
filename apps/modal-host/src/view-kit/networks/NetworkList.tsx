import type { CaipNetworkId, Network } from '@postern/protocol'
import { List } from '@postern/ui/list'
import { useText } from '@postern/ui/locales/text'
import { NetworkPicture } from '@postern/ui/picture'
import { Row, Tag } from '@postern/ui/row'
import { Spinner } from '@postern/ui/spinner'
import { Status } from '@postern/ui/unseen'
import { CheckIcon } from '@postern/ui/view-icons'
import type { SwitchAttempt } from '../../snapshot/contract'
import { useActions, useHost, useSnapshot } from '../host-context'
import { useErrorMessage } from '../messages/error-message'
import { useActiveWalletName } from '../wallets/use-wallet-name'
import styles from './networks.module.css'

type NetworkListProps = {
  readonly label: string
  readonly networks: readonly Network[]
  readonly current: CaipNetworkId | null
  /** The network was switched, or is already active. */
  readonly onDone: () => void
}

export function NetworkList({ label, networks, current, onDone }: NetworkListProps) {
  const { switchNetwork } = useActions()
  const { store } = useHost()
  const attempt = useSnapshot(({ switchAttempt }) =>
    networks.some(({ caipNetworkId }) => caipNetworkId === switchAttempt?.networkId) ? switchAttempt : null,
  )
  const detail = useSwitchDetail()
  const press = (id: CaipNetworkId) => {
    if (id === current) return onDone()
    const { key } = store.getState().opening
    // The host may have navigated elsewhere.
    const leave = () => {
      if (store.getState().opening.key === key) onDone()
    }
    // `switchAttempt` has the failure.
    switchNetwork(id).then(leave, () => undefined)
  }
  return (
    <>
      <List label={label}>
        {networks.map((network) => {
          const id = network.caipNetworkId
          const rowAttempt = attempt?.networkId === id ? attempt : null
          return (
            <li key={id}>
              <Row
                icon={<NetworkPicture src={network.assets?.imageUrl} />}
                title={network.name}
                {...(rowAttempt !== null && {
                  detail: (
                    <span className={rowAttempt.status.kind === 'waiting' ? undefined : styles.bad}>
                      {detail(rowAttempt)}
                    </span>
                  ),
                })}
                current={id === current}
                busy={rowAttempt?.status.kind === 'waiting'}
                trailing={<NetworkMark network={network} isCurrent={id === current} attempt={rowAttempt} />}
                onPress={() => press(id)}
              />
            </li>
          )
        })}
      </List>
      <Status>{attempt === null ? '' : detail(attempt)}</Status>
    </>
  )
}

function NetworkMark({
  network,
  isCurrent,
  attempt,
}: {
  readonly network: Network
  readonly isCurrent: boolean
  readonly attempt: SwitchAttempt | null
}) {
  const t = useText()
  if (attempt?.status.kind === 'waiting') return <Spinner />
  if (isCurrent)
    return (
      <span className={styles.current}>
        {t('networks.current')}
        <CheckIcon small />
      </span>
    )
  return network.testnet ? <Tag tone="quiet">{t('networks.testnet')}</Tag> : null
}

function useSwitchDetail(): (attempt: SwitchAttempt) => string {
  const t = useText()
  const errorMessage = useErrorMessage(true)
  const wallet = useActiveWalletName()
  return ({ status }) => {
    switch (status.kind) {
      case 'waiting':
        return t('networks.waiting', { wallet })
      case 'declined':
        return t('networks.declined')
      case 'failed':
        return errorMessage(status.code, status.message)
    }
  }
}

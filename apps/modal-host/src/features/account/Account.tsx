import { explorerUrl } from '@postern/chains/adapter'
import { useText } from '@postern/ui/locales/text'
import { NetworkPicture, WalletPicture } from '@postern/ui/picture'
import { PlainRow, Row, RowValue } from '@postern/ui/row'
import { ForwardIcon } from '@postern/ui/view-icons'
import { QueryClientProvider } from '@tanstack/react-query'
import { Suspense, useRef } from 'react'
import { factsOf } from '../../snapshot/namespace-facts'
import { activeAccount, type ConnectedAccount, currentNetwork, isEmbedded } from '../../view-kit/connected-account'
import { ExplorerRow } from '../../view-kit/ExplorerRow'
import { EmbeddedRows } from '../../view-kit/embedded/EmbeddedRows'
import { Identity, returningWho } from '../../view-kit/embedded/Identity'
import { LockedNotice } from '../../view-kit/embedded/LockedNotice'
import { RecoveryNotice } from '../../view-kit/embedded/RecoveryNotice'
import { StorageNotice } from '../../view-kit/embedded/StorageNotice'
import { UpgradeNotice } from '../../view-kit/embedded/UpgradeNotice'
import { useHost, useSnapshot } from '../../view-kit/host-context'
import { queryClientOf } from '../../view-kit/loading/query-client'
import { useNavigation } from '../../view-kit/navigation'
import { useFocusFallback } from '../../view-kit/use-focus-fallback'
import { Avatar } from '../identity/Avatar'
import { NameRow } from '../names/NameRow'
import { Total, WaitingTotal } from '../portfolio/Total'
import { SessionsRow } from '../sessions/SessionsRow'
import styles from './Account.module.css'
import { AccountTabs } from './AccountTabs'
import { Actions } from './Actions'
import { AddressButton } from './AddressButton'
import { BalanceLine } from './BalanceLine'
import { Disconnect } from './Disconnect'
import { OtherChains } from './OtherChains'

export default function Account() {
  return (
    <QueryClientProvider client={queryClientOf(useHost())}>
      <Connected />
    </QueryClientProvider>
  )
}

function Connected() {
  const t = useText()
  const connections = useSnapshot((snapshot) => snapshot.connections)
  const activeNetworkId = useSnapshot((snapshot) => snapshot.activeNetworkId)
  const network = useSnapshot(currentNetwork)
  const connected = activeAccount({ connections, activeNetworkId })
  const owner = useSnapshot((snapshot) => snapshot.embedded)
  const returningUser = useSnapshot((snapshot) => snapshot.returningUser)
  const place = useRef<HTMLDivElement>(null)
  useFocusFallback(place, connected?.account.address ?? '')
  // The view briefly outlives its connection.
  if (connected === null) return null
  const { account, accounts, connector, namespace } = connected
  const isOwn = isEmbedded(connected)
  const embedded = isOwn ? owner : null
  const who = isOwn ? (owner ?? returningWho(returningUser)) : null
  const { hasSmartAccounts } = factsOf(namespace)
  const hasTypes =
    embedded === null
      ? returningUser?.smartAccountNetworks.some((id) => `eip155:${id}` === connected.networkId)
      : embedded.accounts.length > 1
  const isKnown = network !== null && !connected.unsupported
  const ordinals = account.type === 'ordinals' ? undefined : accounts.find(({ type }) => type === 'ordinals')
  return (
    <div ref={place} className={styles.account} tabIndex={-1}>
      <div className={styles.who}>
        <Avatar address={account.address} />
        {who !== null && <Identity who={who} />}
        <div className={styles.addresses}>
          <AddressButton key={account.address} account={account} hasName={ordinals !== undefined} />
          {ordinals !== undefined && <AddressButton account={ordinals} hasName />}
        </div>
        {isKnown ? (
          <Suspense fallback={<WaitingTotal />}>
            <Total />
          </Suspense>
        ) : (
          <BalanceLine />
        )}
      </div>
      {isKnown && <Actions />}
      {embedded !== null && (
        <>
          <RecoveryNotice />
          <LockedNotice />
          <StorageNotice />
          {hasSmartAccounts && <UpgradeNotice embedded={embedded} />}
        </>
      )}
      {isKnown && <AccountTabs />}
      <ul className={styles.rows}>
        <li>
          <NetworkRow />
        </li>
        {isOwn && (
          <EmbeddedRows
            accountType={
              hasSmartAccounts && hasTypes ? (account.type === 'smartAccount' ? 'smartAccount' : 'eoa') : null
            }
            isReady={embedded !== null}
          />
        )}
        {hasSmartAccounts && isKnown && <NameRow address={account.address} />}
        {hasSmartAccounts && isKnown && <SessionsRow />}
        {!isOwn && connector !== null && (
          <li>
            <PlainRow
              icon={<WalletPicture src={connector.imageUrl} />}
              title={t('account.wallet')}
              trailing={<RowValue>{connector.name}</RowValue>}
            />
          </li>
        )}
        <OnExplorer connected={connected} />
      </ul>
      <OtherChains active={connected} />
      <Disconnect key={namespace} connected={connected} />
    </div>
  )
}

function NetworkRow() {
  const t = useText()
  const { push } = useNavigation()
  const network = useSnapshot(currentNetwork)
  return (
    <Row
      icon={<NetworkPicture src={network?.assets?.imageUrl} />}
      title={t('account.network')}
      trailing={
        <>
          <RowValue>{network?.name ?? ''}</RowValue>
          <ForwardIcon small />
        </>
      }
      onPress={() => push('Networks')}
    />
  )
}

function OnExplorer({ connected }: { readonly connected: ConnectedAccount }) {
  const network = useSnapshot(currentNetwork)
  const explorer = network?.blockExplorers[0]
  const href = network === null ? undefined : explorerUrl(network, 'address', connected.account.address)
  if (explorer === undefined || href === undefined) return null
  return (
    <li>
      <ExplorerRow explorer={explorer.name} href={href} />
    </li>
  )
}

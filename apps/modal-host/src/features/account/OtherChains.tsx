import { shortAddress } from '@postern/chains/text'
import type { Account, Namespace } from '@postern/protocol'
import { useText } from '@postern/ui/locales/text'
import { NetworkPicture, WalletPicture } from '@postern/ui/picture'
import { Row, RowGlyph } from '@postern/ui/row'
import { Section } from '@postern/ui/section'
import { Status, Unseen } from '@postern/ui/unseen'
import { ForwardIcon, PlusIcon } from '@postern/ui/view-icons'
import { type ComponentProps, useState } from 'react'
import { factsOf, namespaceWords } from '../../snapshot/namespace-facts'
import { type ConnectedAccount, connectedAccounts, isEmbedded } from '../../view-kit/connected-account'
import { useActions, useSnapshot } from '../../view-kit/host-context'
import { useNavigation } from '../../view-kit/navigation'
import styles from './Account.module.css'

/** The wallet's other accounts, then other chains'. */
export function OtherChains({ active }: { readonly active: ConnectedAccount }) {
  const t = useText()
  const { activate, chooseAccount } = useActions()
  const namespaces = useSnapshot((snapshot) => snapshot.namespaces)
  const connections = useSnapshot((snapshot) => snapshot.connections)
  const [shown, setShown] = useState<string | null>(null)
  const connected = connectedAccounts({ connections })
  const others = namespaces.filter((namespace) => namespace !== active.namespace)
  const siblings = siblingsOf(active)
  if (others.length === 0 && siblings.length === 0) return null
  return (
    <Section title={t('account.more')}>
      <ul className={styles.rows}>
        {siblings.map(({ address }) => (
          <li key={address}>
            <AccountRow
              title={active.connector?.name ?? t('account.wallet')}
              icon={<WalletPicture src={active.connector?.imageUrl} />}
              address={address}
              onPress={() => {
                setShown(address)
                chooseAccount(address)
              }}
            />
          </li>
        ))}
        {others.map((namespace) => {
          const other = connected.find((one) => one.namespace === namespace)
          return (
            <li key={namespace}>
              {other === undefined ? (
                <ConnectRow namespace={namespace} />
              ) : (
                <ConnectedAccountRow
                  connected={other}
                  onPress={() => {
                    setShown(other.account.address)
                    activate(namespace)
                  }}
                />
              )}
            </li>
          )
        })}
      </ul>
      <Status>{shown === active.account.address ? t('account.shown', { address: shown }) : ''}</Status>
    </Section>
  )
}

function ConnectedAccountRow({
  connected,
  onPress,
}: {
  readonly connected: ConnectedAccount
  readonly onPress: () => void
}) {
  const t = useText()
  const network = useSnapshot(({ networks }) =>
    networks.find(({ caipNetworkId }) => caipNetworkId === connected.networkId),
  )
  const name = network?.name ?? t('chain.name', namespaceWords(connected.namespace))
  const { address } = connected.account
  const walletName = isEmbedded(connected) ? t('progress.wallet') : (connected.connector?.name ?? t('account.wallet'))
  return (
    <AccountRow
      icon={<NetworkPicture src={network?.assets?.imageUrl} />}
      title={name}
      detail={
        connected.unsupported ? <span className={styles.unsupported}>{t('account.unsupported')}</span> : walletName
      }
      address={address}
      isShort={!connected.unsupported}
      onPress={onPress}
    />
  )
}

type AccountRowProps = Pick<ComponentProps<typeof Row>, 'icon' | 'title' | 'detail' | 'onPress'> & {
  readonly address: string
  /** Default: true. */
  readonly isShort?: boolean
}

function AccountRow({ address, isShort = true, ...row }: AccountRowProps) {
  const t = useText()
  return (
    <Row
      {...row}
      trailing={
        <>
          {isShort && (
            <bdi aria-hidden="true" title={address}>
              {shortAddress(address)}
            </bdi>
          )}
          <Unseen>{t('account.address', { address })}</Unseen>
          <ForwardIcon small />
        </>
      }
    />
  )
}

/** An external wallet's other accounts, if requests name the account: the dapp's requests then use the chosen one. */
function siblingsOf({ namespace, account, accounts, connector }: ConnectedAccount): readonly Account[] {
  if (!factsOf(namespace).requestsNameAccount || isEmbedded({ connector })) return []
  return accounts.filter(({ address, type }) => type === 'eoa' && address !== account.address)
}

function ConnectRow({ namespace }: { readonly namespace: Namespace }) {
  const t = useText()
  const { want } = useActions()
  const { push } = useNavigation()
  return (
    <Row
      icon={
        <RowGlyph>
          <PlusIcon />
        </RowGlyph>
      }
      title={t('chain.connect', namespaceWords(namespace))}
      trailing={<ForwardIcon small />}
      onPress={() => {
        want(namespace)
        push('Connect')
      }}
    />
  )
}

import { useState } from 'react'
import { explorerUrl } from '../../chains/adapter'
import { useText } from '../../locales/text'
import { Button, ButtonPair } from '../../ui/button'
import { ForwardIcon, ReceiptIcon } from '../../ui/icons'
import { Identicon } from '../../ui/identicon'
import { NetworkPicture, WalletPicture } from '../../ui/picture'
import { LinkRow, PlainRow, Row, RowGlyph } from '../../ui/row'
import { Unseen } from '../../ui/unseen'
import { currentNetwork, type Held, heldOf } from '../held'
import { useActions, useSnapshot } from '../host-context'
import { useNavigation } from '../navigation'
import styles from './Account.module.css'
import { AddressButton } from './AddressButton'
import { BalanceLine } from './BalanceLine'

/** Who is connected, with what, where; and the way out. */
export default function Account() {
  const held = useHeld()
  // The view outlives its connection by the blink that it takes to leave it.
  if (held === null) return null
  const { account, connector } = held
  return (
    <div className={styles.account}>
      <div className={styles.who}>
        <Identicon address={account.address} />
        <AddressButton address={account.address} />
        <BalanceLine />
      </div>
      <ul className={styles.rows}>
        <li>
          <NetworkRow />
        </li>
        {connector !== null && (
          <li>
            <PlainRow
              icon={<WalletPicture src={connector.imageUrl} />}
              title={connector.name}
              trailing={<WalletWord />}
            />
          </li>
        )}
        <ExplorerRow held={held} />
      </ul>
      <Disconnect held={held} />
    </div>
  )
}

function useHeld(): Held | null {
  const connections = useSnapshot((snapshot) => snapshot.connections)
  const activeNetworkId = useSnapshot((snapshot) => snapshot.activeNetworkId)
  return heldOf({ connections, activeNetworkId })
}

function NetworkRow() {
  const t = useText()
  const { go } = useNavigation()
  const network = useSnapshot(currentNetwork)
  return (
    <Row
      icon={<NetworkPicture src={network?.assets?.imageUrl} />}
      title={network?.name ?? t('networks.title')}
      trailing={
        <>
          <span>{t('account.network')}</span>
          <ForwardIcon small />
        </>
      }
      onPress={() => go('Networks')}
    />
  )
}

function WalletWord() {
  const t = useText()
  return <span>{t('account.wallet')}</span>
}

function ExplorerRow({ held }: { readonly held: Held }) {
  const t = useText()
  const network = useSnapshot(currentNetwork)
  const explorer = network?.blockExplorers[0]
  const href = network === null ? undefined : explorerUrl(network, 'address', held.account.address)
  if (explorer === undefined || href === undefined) return null
  return (
    <li>
      <LinkRow
        icon={
          <RowGlyph>
            <ReceiptIcon />
          </RowGlyph>
        }
        title={t('account.explorer', { explorer: explorer.name })}
        href={href}
      />
    </li>
  )
}

type Leaving = 'no' | 'asking' | 'leaving'

/** Asks once more before it disconnects: the safe answer first, and as large. */
function Disconnect({ held }: { readonly held: Held }) {
  const t = useText()
  const { disconnect } = useActions()
  const [leaving, setLeaving] = useState<Leaving>('no')
  const wallet = held.connector?.name ?? t('account.wallet')
  if (leaving === 'no')
    return (
      <div>
        <Button tone="bad" onPress={() => setLeaving('asking')}>
          {t('account.disconnect')}
        </Button>
      </div>
    )
  return (
    <div className={styles.confirm} ref={focusFirst}>
      <div className={styles.question} role="status">
        <p className={styles.ask}>{t('account.confirm', { wallet })}</p>
        <p className={styles.hint}>{t('account.confirmHint')}</p>
      </div>
      <ButtonPair>
        <Button tone="secondary" onPress={() => setLeaving('no')}>
          {t('account.stay')}
        </Button>
        <Button
          tone="bad"
          busy={leaving === 'leaving'}
          onPress={() => {
            setLeaving('leaving')
            // Failure says so itself, in the snackbar (spec §8); the question then stands as before.
            void disconnect(held.account.namespace).finally(() => setLeaving('no'))
          }}
        >
          {t('account.disconnect')}
          {leaving === 'leaving' && <Unseen>{t('account.disconnecting')}</Unseen>}
        </Button>
      </ButtonPair>
    </div>
  )
}

function focusFirst(group: HTMLElement | null): void {
  group?.querySelector('button')?.focus({ preventScroll: true })
  group?.scrollIntoView({ block: 'nearest' })
}

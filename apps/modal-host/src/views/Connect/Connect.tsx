import type { ConnectMethod, Namespace } from '@postern/protocol'
import { type ComponentType, useEffect } from 'react'
import { useText } from '../../locales/text'
import { TextButton } from '../../ui/button'
import { WalletIcon } from '../../ui/icons'
import { List } from '../../ui/list'
import { Message, MessageGlyph } from '../../ui/message'
import { AllWalletsRow } from '../AllWalletsRow'
import { useActions, useSnapshot } from '../host-context'
import { isInstalled } from '../is-installed'
import { LoadingView } from '../LoadingView'
import { useNavigation } from '../navigation'
import { WalletRowButton } from '../WalletRowButton'
import styles from './Connect.module.css'

/** The ways to connect that have a part of this view. */
const sections: Readonly<Partial<Record<ConnectMethod, ComponentType>>> = { wallet: Wallets }

/** Choosing a wallet: those in the page first, then those that could be. */
export function Connect() {
  const ready = useSnapshot((snapshot) => snapshot.ready)
  const methods = useSnapshot((snapshot) => snapshot.connectMethods)
  const wanted = useSnapshot((snapshot) => snapshot.wantedNamespace)
  usePreparedPairing()
  return (
    <div className={styles.connect}>
      {ready ? (
        methods.map((method) => {
          const Section = sections[method]
          return Section && <Section key={method} />
        })
      ) : (
        <LoadingView />
      )}
      {wanted === null ? <NewToWallets /> : <OnlySome namespace={wanted} />}
    </div>
  )
}

/** How long the list is looked at before a pairing is worth its while, in ms: who presses a row of the page at once needs none. */
const restBeforePairing = 500

/** Once the rows are seen, and there is one for it: the code will be there when somebody asks for it. */
function usePreparedPairing(): void {
  const { preparePairing } = useActions()
  const offered = useSnapshot(({ open, wallets }) => open && wallets.some(({ walletConnect }) => walletConnect))
  useEffect(() => {
    if (!offered) return
    const timer = setTimeout(preparePairing, restBeforePairing)
    return () => clearTimeout(timer)
  }, [offered, preparePairing])
}

function Wallets() {
  const t = useText()
  const wallets = useSnapshot((snapshot) => snapshot.wallets)
  const count = useSnapshot((snapshot) => snapshot.directoryCount)
  if (wallets.length === 0 && (count === null || count === 0)) return <NoWallets hint={t('connect.empty')} />
  const canConnect = wallets.some((row) => isInstalled(row) || row.walletConnect)
  return (
    <>
      {!canConnect && <NoWallets hint={t('connect.noneHint')} />}
      <List label={t('connect.wallets')}>
        {wallets.map((row) => (
          <li key={row.id}>
            <WalletRowButton row={row} />
          </li>
        ))}
        <AllWalletsRow />
      </List>
    </>
  )
}

function NoWallets({ hint }: { readonly hint: string }) {
  const t = useText()
  return (
    <Message
      picture={
        <MessageGlyph>
          <WalletIcon />
        </MessageGlyph>
      }
      title={t('connect.none')}
      text={hint}
    />
  )
}

function NewToWallets() {
  const t = useText()
  const { go } = useNavigation()
  return (
    <p className={styles.new}>
      <span>{t('connect.new')}</span>
      <TextButton onPress={() => go('WhatIsAWallet')}>{t('connect.learn')}</TextButton>
    </p>
  )
}

function OnlySome({ namespace }: { readonly namespace: Namespace }) {
  const t = useText()
  const { want } = useActions()
  const several = useSnapshot(({ namespaces }) => namespaces.some((one) => one !== namespace))
  return (
    several && (
      <p className={styles.new}>
        <TextButton onPress={() => want(null)}>{t('all.showAll')}</TextButton>
      </p>
    )
  )
}

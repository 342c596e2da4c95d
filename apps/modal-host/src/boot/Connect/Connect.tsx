import type { ConnectMethod, Namespace } from '@postern/protocol'
import { TextButton } from '@postern/ui/button'
import { WalletIcon } from '@postern/ui/icons'
import { List } from '@postern/ui/list'
import { loadEnglish, useText } from '@postern/ui/locales/text'
import { Message, MessageGlyph } from '@postern/ui/message'
import { Row, RowGlyph } from '@postern/ui/row'
import { type ComponentType, Fragment, lazy, Suspense, useEffect, useState } from 'react'
import type { HostSnapshot } from '../../snapshot/contract'
import type { WalletRow } from '../../snapshot/wallet-row'
import { isInstalled } from '../../snapshot/wallet-row'
import { useActions, useSnapshot } from '../../view-kit/host-context'
import { LoadingView } from '../../view-kit/loading/LoadingView'
import { useNavigation } from '../../view-kit/navigation'
import { AllWalletsRow } from '../../view-kit/wallets/AllWalletsRow'
import { WalletRowButton } from '../../view-kit/wallets/WalletRowButton'
import styles from './Connect.module.css'
import { EmailSection } from './EmailSection'
import { OwnWallet } from './OwnWallet'
import { SocialSection } from './SocialSection'

const sections: Readonly<Record<ConnectMethod, ComponentType>> = {
  email: EmailSection,
  social: SocialSection,
  wallet: Wallets,
}

const LegalCheckbox = lazy(async () => {
  await loadEnglish()
  return import('../../features/legal/LegalCheckbox')
})
const ConsentNotice = lazy(async () => {
  await loadEnglish()
  return import('../../features/analytics/ConsentNotice')
})

export function Connect() {
  const ready = useSnapshot((snapshot) => snapshot.ready)
  const methods = useMethods()
  const wanted = useSnapshot((snapshot) => snapshot.wantedNamespace)
  const isOneWay = useSnapshot((snapshot) => snapshot.wantedMethod !== null)
  const isWalletInWindow = useSnapshot(({ walletKept, embedded }) => walletKept && embedded === null)
  const ownWallet = useSnapshot(ownWalletOf)
  const legal = useSnapshot((snapshot) => snapshot.legal)
  const { disclaimer, logo } = useSnapshot((snapshot) => snapshot.brand)
  const isConsentAsked = useSnapshot((snapshot) => snapshot.consentAsked)
  usePreparedPairing()
  return (
    <div className={styles.connect}>
      {logo && <img className={styles.logo} src={logo} alt="" />}
      {legal && (
        <Suspense fallback={<p className={styles.asked} />}>
          <LegalCheckbox />
        </Suspense>
      )}
      <div className={styles.connect} inert={legal?.accepted === false}>
        {(isWalletInWindow || ownWallet !== null) && (
          <>
            <OwnWallet email={ownWallet} />
            <Or />
          </>
        )}
        {ready ? (
          methods.map((method, index) => {
            const Section = sections[method]
            const before = methods[index - 1]
            return (
              <Fragment key={method}>
                {before !== undefined && (before === 'wallet' || method === 'wallet') && <Or />}
                <Section />
              </Fragment>
            )
          })
        ) : (
          <LoadingView />
        )}
      </div>
      {isOneWay ? <OtherWays /> : wanted === null ? <NewToWallets /> : <OnlySome namespace={wanted} />}
      {disclaimer && <p className={styles.disclaimer}>{disclaimer}</p>}
      {isConsentAsked && (
        <Suspense>
          <ConsentNotice />
        </Suspense>
      )}
    </div>
  )
}

function useMethods(): readonly ConnectMethod[] {
  const methods = useSnapshot((snapshot) => snapshot.connectMethods)
  const wanted = useSnapshot((snapshot) => snapshot.wantedMethod?.kind)
  const offersEmail = useSnapshot(offersOf.email)
  const offersSocial = useSnapshot(offersOf.social)
  const hasWallets = useSnapshot(({ wallets, directoryCount }) => wallets.length > 0 || (directoryCount ?? 0) > 0)
  // Without other methods, the wallet section says what to do.
  const offers = { email: offersEmail, social: offersSocial, wallet: hasWallets || !(offersEmail || offersSocial) }
  return methods.filter((method) => offers[method] && (wanted === undefined || wanted === method))
}

const offersOf = {
  email: ({ signInMethods, embedded }: HostSnapshot) => embedded === null && signInMethods.email,
  social: ({ signInMethods: { socials, farcaster }, embedded }: HostSnapshot) =>
    embedded === null && (socials.length > 0 || farcaster),
}

/** Email or name of a signed-in user whose wallet can connect here because another one left. */
function ownWalletOf({ embedded, connections, namespaces, wantedNamespace }: HostSnapshot): string | null {
  const isMissing = (namespace: Namespace) => (connections[namespace]?.status ?? 'disconnected') === 'disconnected'
  const canConnect = wantedNamespace === null ? namespaces.some(isMissing) : isMissing(wantedNamespace)
  return embedded === null || !canConnect ? null : (embedded.email ?? embedded.userName ?? '')
}

function Or() {
  const t = useText()
  return <p className={styles.or}>{t('connect.or')}</p>
}

/** In ms: a user who quickly presses a page wallet needs no pairing. */
const restBeforePairing = 500

function usePreparedPairing(): void {
  const { preparePairing } = useActions()
  const offered = useSnapshot(({ open, wallets }) => open && wallets.some(({ walletConnect }) => walletConnect))
  useEffect(() => {
    if (!offered) return
    const timer = setTimeout(preparePairing, restBeforePairing)
    return () => clearTimeout(timer)
  }, [offered, preparePairing])
}

/** Max rows if email or social accounts follow, which stay visible on a screen of 800 px. */
const maxRows = 6

function Wallets() {
  const t = useText()
  const wallets = useSnapshot((snapshot) => snapshot.wallets)
  const count = useSnapshot((snapshot) => snapshot.directoryCount)
  const methods = useMethods()
  const isFollowed = methods[0] === 'wallet' && methods.length > 1
  const [isAll, setAll] = useState(false)
  if (wallets.length === 0 && (count === null || count === 0)) return <NoWallets hint={t('connect.empty')} />
  // AllWallets lists the recommended ones.
  const inPlace =
    isFollowed && count !== null && count > 0 && wallets.length > maxRows
      ? wallets.filter((row) => row.group !== 'recommended')
      : wallets
  const shown = isFollowed && !isAll ? firstOf(inPlace) : inPlace
  const canConnect = wallets.some((row) => isInstalled(row) || row.walletConnect)
  return (
    <>
      {!canConnect && <NoWallets hint={t('connect.noneHint')} />}
      <List label={t('connect.wallets')}>
        {shown.map((row) => (
          <li key={row.id}>
            <WalletRowButton row={row} />
          </li>
        ))}
        {shown.length < inPlace.length && (
          <li>
            <Row
              icon={
                <RowGlyph>
                  <WalletIcon />
                </RowGlyph>
              }
              title={t('connect.more')}
              trailing={<bdi>{inPlace.length - shown.length}</bdi>}
              onPress={() => setAll(true)}
            />
          </li>
        )}
        <AllWalletsRow />
      </List>
    </>
  )
}

function firstOf(rows: readonly WalletRow[]): readonly WalletRow[] {
  if (rows.length <= maxRows) return rows
  const isOwn = ({ group }: WalletRow) => group === 'external' || group === 'custom'
  let left = maxRows - 1 - rows.filter(isOwn).length
  return rows.filter((row) => isOwn(row) || left-- > 0)
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
  const { push } = useNavigation()
  return (
    <p className={styles.new}>
      <span>{t('connect.new')}</span>
      <TextButton onPress={() => push('WhatIsAWallet')}>{t('connect.learn')}</TextButton>
    </p>
  )
}

function OtherWays() {
  const t = useText()
  const { want } = useActions()
  return (
    <p className={styles.new}>
      <TextButton onPress={() => want(null)}>{t('connect.otherWays')}</TextButton>
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

import { useLocale, useText } from '../../locales/text'
import { TextButton } from '../../ui/button'
import { GridIcon, WalletIcon } from '../../ui/icons'
import { List } from '../../ui/list'
import { Message, MessageGlyph } from '../../ui/message'
import { Row, RowGlyph } from '../../ui/row'
import { Unseen } from '../../ui/unseen'
import { useSnapshot } from '../host-context'
import { LoadingView } from '../LoadingView'
import { useNavigation } from '../navigation'
import { roundCount } from '../text'
import { WalletRowButton } from '../WalletRowButton'
import { isInstalled } from '../wallet-rows'
import styles from './Connect.module.css'

/** Choosing a wallet: those in the page first, then those that could be. */
export function Connect() {
  const ready = useSnapshot((snapshot) => snapshot.ready)
  return (
    <div className={styles.connect}>
      {ready ? <Wallets /> : <LoadingView />}
      <NewToWallets />
    </div>
  )
}

function Wallets() {
  const t = useText()
  const wallets = useSnapshot((snapshot) => snapshot.wallets)
  const count = useSnapshot((snapshot) => snapshot.directoryCount)
  if (wallets.length === 0 && (count === null || count === 0)) return <NoWallets hint={t('connect.empty')} />
  return (
    <>
      {!wallets.some(isInstalled) && <NoWallets hint={t('connect.noneHint')} />}
      <List label={t('connect.wallets')}>
        {wallets.map((row) => (
          <li key={row.id}>
            <WalletRowButton row={row} />
          </li>
        ))}
        {count !== null && count > 0 && <AllWalletsRow count={count} />}
      </List>
    </>
  )
}

function AllWalletsRow({ count }: { readonly count: number }) {
  const t = useText()
  const locale = useLocale()
  const { go } = useNavigation()
  return (
    <li>
      <Row
        icon={
          <RowGlyph>
            <GridIcon />
          </RowGlyph>
        }
        title={t('connect.all')}
        trailing={
          <>
            <bdi aria-hidden="true">{roundCount(count, locale)}</bdi>
            <Unseen>{t('connect.allCount', { count })}</Unseen>
          </>
        }
        onPress={() => go('AllWallets')}
      />
    </li>
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

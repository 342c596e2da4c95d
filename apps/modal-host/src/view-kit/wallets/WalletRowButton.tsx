import type { WalletEntry } from '@postern/protocol'
import { CertifiedIcon, CodeIcon } from '@postern/ui/icons'
import { useText } from '@postern/ui/locales/text'
import { WalletPicture } from '@postern/ui/picture'
import { Row, RowGlyph, Tag } from '@postern/ui/row'
import { Unseen } from '@postern/ui/unseen'
import type { WalletRow } from '../../snapshot/contract'
import { isInstalled } from '../../snapshot/wallet-row'
import { useHost } from '../host-context'
import { isAttemptView, useNavigation, viewOfAttempt } from '../navigation'
import styles from './WalletRowButton.module.css'

type WalletRowButtonProps = {
  readonly row: WalletRow
  readonly certified?: boolean
  /** For wallets that only the directory lists. */
  readonly listed?: WalletEntry | undefined
}

export function WalletRowButton({ row, certified = false, listed }: WalletRowButtonProps) {
  const { store, actions } = useHost()
  const { view, push, replace } = useNavigation()
  const choose = () => {
    if (listed === undefined) actions.connect(row)
    else actions.connectEntry(listed)
    const attempt = store.getState().connectAttempt
    // Back must not return to an ended attempt.
    const navigate = isAttemptView(view) ? replace : push
    navigate(attempt === null ? 'ConnectingExternal' : viewOfAttempt(attempt))
  }
  return (
    <Row
      icon={<RowPicture row={row} />}
      title={row.name}
      badge={certified && <Certified />}
      trailing={<WalletTag row={row} />}
      onPress={choose}
      {...(row.walletConnect && !isInstalled(row) && { onIntent: actions.preparePairing })}
    />
  )
}

function RowPicture({ row }: { readonly row: WalletRow }) {
  if (row.imageUrl !== undefined || !isAnyWallet(row)) return <WalletPicture src={row.imageUrl} />
  return (
    <RowGlyph>
      <CodeIcon />
    </RowGlyph>
  )
}

function WalletTag({ row }: { readonly row: WalletRow }) {
  const t = useText()
  if (isAnyWallet(row)) return <Tag tone="quiet">{t('connect.code')}</Tag>
  if (row.group === 'recent') return <Tag tone="quiet">{t('connect.recent')}</Tag>
  return isInstalled(row) ? <Tag tone="active">{t('connect.installed')}</Tag> : null
}

function isAnyWallet(row: WalletRow): boolean {
  return row.walletConnect === true && row.entry === undefined && !isInstalled(row)
}

function Certified() {
  const t = useText()
  return (
    <span className={styles.certified} title={t('all.certified')}>
      <CertifiedIcon small />
      <Unseen>{t('all.certified')}</Unseen>
    </span>
  )
}

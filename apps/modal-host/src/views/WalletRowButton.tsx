import { useText } from '../locales/text'
import type { WalletRow } from '../session/contract'
import { CertifiedIcon } from '../ui/icons'
import { WalletPicture } from '../ui/picture'
import { Row, Tag } from '../ui/row'
import { Unseen } from '../ui/unseen'
import { useActions } from './host-context'
import { useNavigation } from './navigation'
import styles from './WalletRowButton.module.css'
import { isInstalled } from './wallet-rows'

/** One wallet to choose, wherever wallets are listed. */
export function WalletRowButton({ row, certified = false }: { readonly row: WalletRow; readonly certified?: boolean }) {
  const { connect } = useActions()
  const { go } = useNavigation()
  return (
    <Row
      icon={<WalletPicture src={row.imageUrl} />}
      title={row.name}
      badge={certified && <Certified />}
      trailing={<WalletTag row={row} />}
      onPress={() => {
        connect(row)
        go('ConnectingExternal')
      }}
    />
  )
}

function WalletTag({ row }: { readonly row: WalletRow }) {
  const t = useText()
  if (row.group === 'recent') return <Tag tone="quiet">{t('connect.recent')}</Tag>
  return isInstalled(row) ? <Tag tone="active">{t('connect.installed')}</Tag> : null
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

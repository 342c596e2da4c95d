import { useText } from '../../locales/text'
import { Message } from '../../ui/message'
import { WalletPicture } from '../../ui/picture'
import { InstallLinks } from '../attempt/InstallLinks'
import { useShownAttempt } from '../attempt/use-attempt'
import { installLinks, platformOf } from '../wallet-rows'
import styles from './GetWallet.module.css'

/** Where to get the wallet that was chosen; the attempt to connect it goes on meanwhile. */
export default function GetWallet() {
  const t = useText()
  const attempt = useShownAttempt()
  if (attempt === null) return null
  const { row } = attempt
  return (
    <div className={styles.get}>
      <Message picture={<WalletPicture src={row.imageUrl} size="hero" />} title={row.name} text={t('getWallet.text')} />
      <InstallLinks links={installLinks(row.entry, platformOf(navigator.userAgent))} />
    </div>
  )
}

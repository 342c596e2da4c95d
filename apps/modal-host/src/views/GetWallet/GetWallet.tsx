import { useText } from '@postern/ui/locales/text'
import { Message } from '@postern/ui/message'
import { WalletPicture } from '@postern/ui/picture'
import { InstallLinks } from '../../view-kit/attempt/InstallLinks'
import { useShownAttempt } from '../../view-kit/attempt/use-attempt'
import columnStyles from '../../view-kit/column.module.css'
import { installLinks, platformOf } from '../../view-kit/wallets/wallet-rows'

export default function GetWallet() {
  const t = useText()
  const attempt = useShownAttempt()
  if (attempt === null) return null
  const { row } = attempt
  return (
    <div className={columnStyles.gap5}>
      <Message picture={<WalletPicture src={row.imageUrl} size="hero" />} title={row.name} text={t('getWallet.text')} />
      <InstallLinks links={installLinks(row.entry, platformOf(navigator.userAgent))} />
    </div>
  )
}

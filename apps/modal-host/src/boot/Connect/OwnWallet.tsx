import { WalletIcon } from '@postern/ui/icons'
import { useText } from '@postern/ui/locales/text'
import { Row, RowGlyph } from '@postern/ui/row'
import { useActions } from '../../view-kit/host-context'

/**
 * The user's own wallet, one press away.
 *
 * @param email of a signed-in user; null: the wallet is in its own window, because its frame has no storage
 */
export function OwnWallet({ email }: { readonly email: string | null }) {
  const t = useText()
  const { connectOwnWallet, openWalletWindow } = useActions()
  const icon = (
    <RowGlyph>
      <WalletIcon />
    </RowGlyph>
  )
  return email === null ? (
    <Row
      icon={icon}
      title={t('connect.kept')}
      detail={t('connect.keptHint')}
      onPress={() => openWalletWindow('keep')}
    />
  ) : (
    <Row icon={icon} title={t('connect.own')} detail={email} onPress={connectOwnWallet} />
  )
}

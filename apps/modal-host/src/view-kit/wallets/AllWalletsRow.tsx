import { GridIcon } from '@postern/ui/icons'
import { useLocale, useText } from '@postern/ui/locales/text'
import { Row, RowGlyph } from '@postern/ui/row'
import { formatRoundCount } from '../format/format-count'
import { useSnapshot } from '../host-context'
import { isAttemptView, useNavigation } from '../navigation'

/** Null if the directory is empty. A plural of the count would cost the first paint 10 ms. */
export function AllWalletsRow() {
  const t = useText()
  const locale = useLocale()
  const { view, push, replace } = useNavigation()
  const count = useSnapshot((snapshot) => snapshot.directoryCount)
  if (!count) return null
  return (
    <li>
      <Row
        icon={
          <RowGlyph>
            <GridIcon />
          </RowGlyph>
        }
        title={t('connect.all')}
        trailing={<bdi>{formatRoundCount(count, locale)}</bdi>}
        // A choice there ends this attempt, so it leaves no history.
        onPress={() => (isAttemptView(view) ? replace : push)('AllWallets')}
      />
    </li>
  )
}

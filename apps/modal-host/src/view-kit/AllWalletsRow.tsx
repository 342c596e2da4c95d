import { GridIcon } from '@postern/ui/icons'
import { useLocale, useText } from '@postern/ui/locales/text'
import { Row, RowGlyph } from '@postern/ui/row'
import { Unseen } from '@postern/ui/unseen'
import { useDeferredValue } from 'react'
import { formatCount, formatRoundCount, pluralForm } from './format-count'
import { useSnapshot } from './host-context'
import { isAttemptView, useNavigation } from './navigation'

/** Nothing if the directory is empty. */
export function AllWalletsRow() {
  const t = useText()
  const locale = useLocale()
  const { view, push, replace } = useNavigation()
  const count = useSnapshot((snapshot) => snapshot.directoryCount)
  // The first plural costs 10 ms: after the rows are there.
  const spoken = useDeferredValue(count, null)
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
        trailing={
          <>
            <bdi aria-hidden="true">{formatRoundCount(count, locale)}</bdi>
            {!!spoken && (
              <Unseen>
                {t('connect.allCount', { count: formatCount(spoken, locale), form: pluralForm(spoken, locale) })}
              </Unseen>
            )}
          </>
        }
        // Choosing there ends this attempt: not in the history.
        onPress={() => (isAttemptView(view) ? replace : push)('AllWallets')}
      />
    </li>
  )
}

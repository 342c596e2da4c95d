import { GridIcon } from '@postern/ui/icons'
import { useLocale, useText } from '@postern/ui/locales/text'
import { Row, RowGlyph } from '@postern/ui/row'
import { Unseen } from '@postern/ui/unseen'
import { useEffect, useState } from 'react'
import { formatCount, formatRoundCount, pluralForm } from './format-count'
import { useSnapshot } from './host-context'
import { isAttemptView, useNavigation } from './navigation'

/** By then the row was painted: the first plural costs 10 ms. */
const firstPaintMs = 100

/** Nothing if the directory is empty. */
export function AllWalletsRow() {
  const t = useText()
  const locale = useLocale()
  const { view, push, replace } = useNavigation()
  const count = useSnapshot((snapshot) => snapshot.directoryCount)
  const [isPainted, setPainted] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setPainted(true), firstPaintMs)
    return () => clearTimeout(timer)
  }, [])
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
            {isPainted && (
              <Unseen>
                {t('connect.allCount', { count: formatCount(count, locale), form: pluralForm(count, locale) })}
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

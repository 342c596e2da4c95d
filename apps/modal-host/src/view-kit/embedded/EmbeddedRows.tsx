import { useText } from '@postern/ui/locales/text'
import { Row, RowGlyph, RowValue } from '@postern/ui/row'
import { ForwardIcon, LayersIcon, ShieldIcon } from '@postern/ui/view-icons'
import type { Embedded } from '../../snapshot/contract'
import { useNavigation } from '../navigation'

export function EmbeddedRows({ embedded, onEvm }: { readonly embedded: Embedded; readonly onEvm: boolean }) {
  const t = useText()
  const { push } = useNavigation()
  return (
    <>
      {onEvm && embedded.accounts.length > 1 && (
        <li>
          <Row
            icon={
              <RowGlyph>
                <LayersIcon />
              </RowGlyph>
            }
            title={t('types.title')}
            trailing={
              <>
                <RowValue>{t('types.name', { type: embedded.preferred })}</RowValue>
                <ForwardIcon small />
              </>
            }
            onPress={() => push('AccountTypes')}
          />
        </li>
      )}
      <li>
        <Row
          icon={
            <RowGlyph>
              <ShieldIcon />
            </RowGlyph>
          }
          title={t('security.title')}
          trailing={<ForwardIcon small />}
          onPress={() => push('WalletSecurity')}
        />
      </li>
    </>
  )
}

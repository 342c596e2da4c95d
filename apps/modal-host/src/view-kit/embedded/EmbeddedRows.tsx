import { useText } from '@postern/ui/locales/text'
import { PlainRow, Row, RowGlyph, RowValue } from '@postern/ui/row'
import { ForwardIcon, LayersIcon, ShieldIcon } from '@postern/ui/view-icons'
import type { Embedded } from '../../snapshot/contract'
import { useNavigation } from '../navigation'

type EmbeddedRowsProps = {
  /** Null if the wallet has only one. */
  readonly accountType: Embedded['preferred'] | null
  /** False until the wallet's frame has reported the facts that the views need. */
  readonly isReady: boolean
}

export function EmbeddedRows({ accountType, isReady }: EmbeddedRowsProps) {
  const t = useText()
  const { push } = useNavigation()
  const types = {
    icon: (
      <RowGlyph>
        <LayersIcon />
      </RowGlyph>
    ),
    title: t('types.title'),
    trailing: (
      <>
        <RowValue>{accountType === null ? '' : t('types.name', { type: accountType })}</RowValue>
        <ForwardIcon small />
      </>
    ),
  }
  const security = {
    icon: (
      <RowGlyph>
        <ShieldIcon />
      </RowGlyph>
    ),
    title: t('security.title'),
    trailing: <ForwardIcon small />,
  }
  return (
    <>
      {accountType !== null && (
        <li>{isReady ? <Row {...types} onPress={() => push('AccountTypes')} /> : <PlainRow {...types} />}</li>
      )}
      <li>{isReady ? <Row {...security} onPress={() => push('WalletSecurity')} /> : <PlainRow {...security} />}</li>
    </>
  )
}

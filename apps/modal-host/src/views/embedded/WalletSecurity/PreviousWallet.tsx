import { TextButton } from '@postern/ui/button'
import { useText } from '@postern/ui/locales/text'
import { Notice } from '@postern/ui/notice'
import { Row, RowGlyph } from '@postern/ui/row'
import { Section } from '@postern/ui/section'
import { ForwardIcon, KeyIcon } from '@postern/ui/view-icons'
import type { Embedded } from '../../../snapshot/embedded'
import { useActions } from '../../../view-kit/host-context'
import { useNavigation } from '../../../view-kit/navigation'

type Security = NonNullable<Embedded['security']>

/** An old copy of the servers' data opens the wallet: offers a new one. After "Not now" it is only a row. */
export function MoveOffer({ security, isPutOff }: { readonly security: Security; readonly isPutOff: boolean }) {
  const t = useText()
  const { openWalletWindow, putOffMove } = useActions()
  const { recovery, isExposed, previous } = security
  if (!isExposed || previous !== null || recovery === null || recovery === 'gateway') return null
  const open = () => openWalletWindow('move')
  if (isPutOff)
    return (
      <Row
        icon={
          <RowGlyph>
            <KeyIcon />
          </RowGlyph>
        }
        title={t('move.new')}
        trailing={<ForwardIcon small />}
        onPress={open}
      />
    )
  return (
    <Notice tone="info" title={t('move.offer')} text={t('move.offerText')}>
      <TextButton onPress={open}>{t('move.new')}</TextButton>
      <TextButton onPress={putOffMove}>{t('move.notNow')}</TextButton>
    </Notice>
  )
}

export function PreviousWallet({ security: { previous } }: { readonly security: Security }) {
  const t = useText()
  const { push } = useNavigation()
  if (previous === null) return null
  return (
    <Section title={t('move.previous')}>
      <Row
        icon={
          <RowGlyph>
            <KeyIcon />
          </RowGlyph>
        }
        title={t('title.MoveAssets')}
        detail={t('move.previousHint')}
        trailing={<ForwardIcon small />}
        onPress={() => push('MoveAssets')}
      />
    </Section>
  )
}

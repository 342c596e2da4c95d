import { TextButton } from '@postern/ui/button'
import { useText } from '@postern/ui/locales/text'
import { Notice } from '@postern/ui/notice'
import type { Embedded } from '../../snapshot/contract'
import { useNavigation } from '../navigation'

export function UpgradeNotice({ embedded }: { readonly embedded: Embedded }) {
  const t = useText()
  const { push } = useNavigation()
  if (embedded.preferred === 'smartAccount' || !embedded.accounts.some(({ type }) => type === 'smartAccount'))
    return null
  return (
    <Notice tone="info" title={t('upgrade.title')} text={t('upgrade.text')}>
      <TextButton onPress={() => push('AccountTypes')}>{t('upgrade.look')}</TextButton>
    </Notice>
  )
}

import { useText } from '@postern/ui/locales/text'
import { ChangeCode } from './ChangeCode'

export default function UpdateEmailPrimaryOtp() {
  const t = useText()
  return <ChangeCode step={t('updateEmail.step', { step: 1 })} />
}

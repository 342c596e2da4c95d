import { useText } from '@postern/ui/locales/text'
import { useSnapshot } from '../../../view-kit/host-context'
import { ChangeCode } from './ChangeCode'

export default function UpdateEmailPrimaryOtp() {
  const t = useText()
  const email = useSnapshot((snapshot) => snapshot.embedded?.email ?? '')
  return <ChangeCode step={t('updateEmail.step', { step: 1 })} email={email} />
}

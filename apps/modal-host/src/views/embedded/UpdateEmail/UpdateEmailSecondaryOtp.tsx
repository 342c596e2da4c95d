import { Button } from '@postern/ui/button'
import { useText } from '@postern/ui/locales/text'
import { Message, MessageGlyph } from '@postern/ui/message'
import { CheckIcon } from '@postern/ui/view-icons'
import { useSnapshot } from '../../../view-kit/host-context'
import { useNavigation } from '../../../view-kit/navigation'
import styles from '../../../view-kit/sign-in/sign-in.module.css'
import { ChangeCode, useShownChange } from './ChangeCode'

export default function UpdateEmailSecondaryOtp() {
  const t = useText()
  const { reset } = useNavigation()
  const isOver = useSnapshot((snapshot) => snapshot.emailChange === null)
  const present = useSnapshot((snapshot) => snapshot.embedded?.email)
  const change = useShownChange()
  if (change === null) return null
  if (!isOver || present?.toLowerCase() !== change.email.toLowerCase())
    return <ChangeCode step={t('updateEmail.step', { step: 2 })} />
  return (
    <div className={styles.step}>
      <Message
        picture={
          <MessageGlyph>
            <CheckIcon />
          </MessageGlyph>
        }
        title={t('updateEmail.done')}
        text={t('updateEmail.doneHint', { email: change.email })}
        live
      />
      <Button tone="primary" onPress={() => reset('Account')}>
        {t('done')}
      </Button>
    </div>
  )
}

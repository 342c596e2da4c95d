import { Button } from '@postern/ui/button'
import { NetworkIcon } from '@postern/ui/icons'
import { useText } from '@postern/ui/locales/text'
import { Message, MessageGlyph } from '@postern/ui/message'
import { useSnapshot } from '../../view-kit/host-context'
import { useNavigation } from '../../view-kit/navigation'
import styles from './send.module.css'

export function UnsupportedNetwork() {
  const t = useText()
  const { push } = useNavigation()
  const app = useSnapshot((snapshot) => snapshot.metadata?.name)
  return (
    <div className={styles.send}>
      <Message
        picture={
          <MessageGlyph tone="warn">
            <NetworkIcon />
          </MessageGlyph>
        }
        title={t('unsupported.headline')}
        text={t('unsupported.text', { app: app ?? t('unsupported.app') })}
      />
      <Button tone="primary" onPress={() => push('Networks')}>
        {t('networks.title')}
      </Button>
    </div>
  )
}

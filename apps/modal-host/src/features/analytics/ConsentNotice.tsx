import { Button, ButtonPair } from '@postern/ui/button'
import { useText } from '@postern/ui/locales/text'
import { plainText } from '@postern/ui/plain-text'
import { useActions, useSnapshot } from '../../view-kit/host-context'
import styles from './consent-notice.module.css'

export default function ConsentNotice() {
  const t = useText()
  const { consent } = useActions()
  const app = useSnapshot(({ metadata }) => metadata?.name)
  return (
    <section className={styles.consent} aria-label={t('consent.title')}>
      <p className={styles.words}>
        <strong className={styles.title}>{t('consent.title')}</strong>{' '}
        {t('consent.text', { app: plainText(app ?? '', 40) || t('unsupported.app') })}
      </p>
      <ButtonPair>
        <Button tone="secondary" onPress={() => consent(false)}>
          {t('consent.no')}
        </Button>
        <Button tone="secondary" onPress={() => consent(true)}>
          {t('consent.yes')}
        </Button>
      </ButtonPair>
    </section>
  )
}

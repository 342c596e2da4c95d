import { WalletIcon } from '@postern/ui/icons'
import { useText } from '@postern/ui/locales/text'
import { MessageGlyph } from '@postern/ui/message'
import styles from './StandalonePage.module.css'

export default function StandalonePage() {
  const t = useText()
  return (
    <main className={styles.page}>
      <div className={styles.card}>
        <MessageGlyph>
          <WalletIcon />
        </MessageGlyph>
        <h1 className={styles.title}>{t('page.title')}</h1>
        <p className={styles.text}>{t('page.text')}</p>
        <p className={styles.text}>{t('page.hint')}</p>
      </div>
    </main>
  )
}

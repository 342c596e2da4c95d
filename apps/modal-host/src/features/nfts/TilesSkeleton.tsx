import { useText } from '@postern/ui/locales/text'
import { Unseen } from '@postern/ui/unseen'
import styles from './nfts.module.css'

export function TilesSkeleton() {
  const t = useText()
  return (
    <div aria-busy="true">
      <Unseen>{t('loading')}</Unseen>
      <div className={styles.grid} aria-hidden="true">
        <WaitingTile />
        <WaitingTile />
      </div>
    </div>
  )
}

function WaitingTile() {
  return (
    <span className={styles.waiting}>
      <span className={styles.picture} />
      <span className={styles.words}>
        <span className={styles.bar} />
        <span className={styles.bar} data-short />
      </span>
    </span>
  )
}

import { useText } from '@postern/ui/locales/text'
import { useSnapshot } from '../host-context'
import styles from './PairingStatus.module.css'

export function PairingStatus({ hint }: { readonly hint?: string }) {
  const t = useText()
  const isLost = useSnapshot((snapshot) => snapshot.relay === 'lost')
  return (
    <p className={styles.status} role="status" data-lost={isLost || undefined}>
      {isLost ? t('pairing.lost') : hint}
    </p>
  )
}

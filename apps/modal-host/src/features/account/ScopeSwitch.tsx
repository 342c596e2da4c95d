import { TextButton } from '@postern/ui/button'
import { useText } from '@postern/ui/locales/text'
import { useScopes, useSetArea } from './account-area'
import styles from './scope-switch.module.css'

export function ScopeSwitch() {
  const t = useText()
  const set = useSetArea()
  const { scopes, everywhere, hasMore } = useScopes()
  const [first] = scopes
  const network = first?.networks[0]?.name
  if (!hasMore || network === undefined) return null
  return (
    <div className={styles.scope}>
      <span className={styles.where}>{everywhere ? t('scope.all') : t('scope.one', { network })}</span>
      <TextButton onPress={() => set({ everywhere: !everywhere })}>
        {t(everywhere ? 'scope.toOne' : 'scope.toAll')}
      </TextButton>
    </div>
  )
}

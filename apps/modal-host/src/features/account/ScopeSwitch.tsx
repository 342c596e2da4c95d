import { TextButton } from '@postern/ui/button'
import { useText } from '@postern/ui/locales/text'
import { useScopes, useSetAccountState } from './account-state'
import styles from './scope-switch.module.css'

export function ScopeSwitch() {
  const t = useText()
  const set = useSetAccountState()
  const { scopes, allNetworks, hasMore } = useScopes()
  const [first] = scopes
  const network = first?.networks[0]?.name
  if (!hasMore || network === undefined) return null
  return (
    <div className={styles.scope}>
      <span className={styles.where}>{allNetworks ? t('scope.all') : t('scope.one', { network })}</span>
      <TextButton onPress={() => set({ allNetworks: !allNetworks })}>
        {t(allNetworks ? 'scope.toOne' : 'scope.toAll')}
      </TextButton>
    </div>
  )
}

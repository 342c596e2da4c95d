import { Checkbox } from '@postern/ui/checkbox'
import { useText } from '@postern/ui/locales/text'
import styles from './swap.module.css'

export function Agreement({
  checked,
  onChange,
}: {
  readonly checked: boolean
  readonly onChange: (checked: boolean) => void
}) {
  const t = useText()
  return (
    <div className={styles.agreement}>
      <Checkbox checked={checked} onChange={onChange}>
        {t('swap.agree')}
      </Checkbox>
    </div>
  )
}

import { TextButton } from '@postern/ui/button'
import { useLocale } from '@postern/ui/locales/text'
import { ForwardIcon } from '@postern/ui/view-icons'
import { formatCount } from '../../view-kit/format/format-count'
import styles from './show-all.module.css'

type ShowAllProps = {
  readonly title: string
  /** Undefined while some pages are not loaded. */
  readonly count?: number | undefined
  readonly onPress: () => void
}

export function ShowAll({ title, count, onPress }: ShowAllProps) {
  const locale = useLocale()
  return (
    <div className={styles.all}>
      <TextButton onPress={onPress}>
        <span className={styles.words}>
          {title}
          {count !== undefined && <span className={styles.count}>{formatCount(count, locale)}</span>}
          <ForwardIcon small />
        </span>
      </TextButton>
    </div>
  )
}

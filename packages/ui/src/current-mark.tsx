import styles from './current-mark.module.css'
import { CheckIcon } from './icons-later'

/** In a list, the one that is in use now: its colour alone does not say so (VISUAL). Assistive technology hears it of `aria-current`. */
export function CurrentMark() {
  return <CheckIcon small className={styles.mark} />
}

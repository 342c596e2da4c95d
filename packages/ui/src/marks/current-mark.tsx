import styles from './current-mark.module.css'
import { CheckIcon } from './view-icons'

/** Colour must not be the only sign. Screen readers use `aria-current`. */
export function CurrentMark() {
  return <CheckIcon small className={styles.mark} />
}

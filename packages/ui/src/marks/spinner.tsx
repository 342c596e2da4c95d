import styles from './spinner.module.css'

/** Shown while a result of unknown shape loads. */
export function Spinner() {
  return (
    <svg className={styles.spinner} viewBox="0 0 20 20" fill="none" aria-hidden="true">
      <circle className={styles.track} cx="10" cy="10" r="7.5" pathLength="100" />
      <circle className={styles.arc} cx="10" cy="10" r="7.5" pathLength="100" />
    </svg>
  )
}

import styles from './pending.module.css'

/** In the place of a number that is asked for. */
export function Pending() {
  return <span className={styles.pending} />
}

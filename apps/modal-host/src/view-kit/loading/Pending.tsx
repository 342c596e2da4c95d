import styles from './pending.module.css'

export function Pending() {
  return <span className={styles.pending} />
}

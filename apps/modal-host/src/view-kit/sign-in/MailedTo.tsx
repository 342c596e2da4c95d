import styles from './sign-in.module.css'

/** What was mailed, and to whom: an address is shown whole, however long. */
export function MailedTo({ text, email }: { readonly text: string; readonly email: string }) {
  return (
    <span className={styles.mailed}>
      {text} <bdi className={styles.email}>{email}</bdi>
    </span>
  )
}

import styles from './sign-in.module.css'

export function EmailSentTo({ text, email }: { readonly text: string; readonly email: string }) {
  return (
    <span className={styles.mailed}>
      {text} <bdi className={styles.email}>{email}</bdi>
    </span>
  )
}

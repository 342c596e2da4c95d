import styles from './rules.module.css'

export function Rules({ sentences }: { readonly sentences: readonly string[] }) {
  return (
    <ul className={styles.rules}>
      {sentences.map((sentence) => (
        <li key={sentence}>{sentence}</li>
      ))}
    </ul>
  )
}

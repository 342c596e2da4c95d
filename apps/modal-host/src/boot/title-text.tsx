import styles from './header.module.css'

/** A title that is another one comes in anew. */
export function TitleText({ text }: { readonly text: string }) {
  return (
    <span key={text} className={styles.words} title={text}>
      {text}
    </span>
  )
}

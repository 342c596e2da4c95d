import styles from './header.module.css'

export function TitleText({ text }: { readonly text: string }) {
  return (
    <span key={text} className={styles.words} title={text}>
      {text}
    </span>
  )
}

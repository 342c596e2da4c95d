import styles from './group-heading.module.css'

/** `--heading-height`. */
export const groupHeadingPx = 36

export function GroupHeading({ children }: { readonly children: string }) {
  return <h2 className={styles.heading}>{children}</h2>
}

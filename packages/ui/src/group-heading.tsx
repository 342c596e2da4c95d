import styles from './group-heading.module.css'

/** Height in px: `--heading-height`. */
export const groupHeadingPx = 36

/** Above the first row of a group in a list. */
export function GroupHeading({ children }: { readonly children: string }) {
  return <h2 className={styles.heading}>{children}</h2>
}

import styles from './complaint.module.css'

type ComplaintProps = { readonly id?: string; readonly centred?: boolean; readonly children: string }

/** Read aloud on change. Takes no space when empty. */
export function Complaint({ id, centred = false, children }: ComplaintProps) {
  return (
    <p id={id} className={styles.complaint} data-centred={centred || undefined} role="alert">
      {children}
    </p>
  )
}

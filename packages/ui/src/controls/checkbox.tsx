import type { ReactNode, RefObject } from 'react'
import { CheckIcon } from '../marks/view-icons'
import styles from './checkbox.module.css'

type CheckboxProps = {
  readonly checked: boolean
  readonly onChange: (checked: boolean) => void
  readonly ref?: RefObject<HTMLInputElement | null>
  readonly children: ReactNode
}

export function Checkbox({ checked, onChange, ref, children }: CheckboxProps) {
  return (
    <label className={styles.label}>
      <span className={styles.square}>
        <input
          {...(ref !== undefined && { ref })}
          className={styles.box}
          type="checkbox"
          checked={checked}
          onChange={({ target }) => onChange(target.checked)}
        />
        <CheckIcon small className={styles.tick} />
      </span>
      <span className={styles.words}>{children}</span>
    </label>
  )
}

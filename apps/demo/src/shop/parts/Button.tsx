import type { ReactNode } from 'react'
import styles from './button.module.css'

type ButtonProps = {
  readonly children: ReactNode
  readonly tone?: 'primary' | 'quiet'
  readonly busy?: boolean
  readonly onHover?: () => void
  readonly onPress: () => unknown
}

/** A busy button keeps its focus and ignores presses. */
export function Button({ children, tone = 'primary', busy = false, onHover, onPress }: ButtonProps) {
  return (
    <button
      type="button"
      className={styles.button}
      data-tone={tone}
      aria-disabled={busy}
      onPointerEnter={onHover}
      onFocus={onHover}
      onClick={() => {
        if (!busy) void onPress()
      }}
    >
      {children}
    </button>
  )
}

import type { ReactNode } from 'react'
import { classNames } from '../class-names'
import { useText } from '../locales/text'
import { ExternalIcon } from '../marks/icons'
import { Unseen } from '../text/unseen'
import styles from './button.module.css'

/** `primary` (ink): once per view. `bad`: text only, asks for confirmation. */
export type ButtonTone = 'primary' | 'secondary' | 'bad'

type ButtonProps = {
  readonly tone: ButtonTone
  readonly onPress: () => void
  readonly disabled?: boolean
  /** Called on a press while disabled: shows what is missing. */
  readonly onRefuse?: () => void
  readonly busy?: boolean
  readonly children: ReactNode
}

export function Button({ tone, onPress, disabled = false, onRefuse, busy = false, children }: ButtonProps) {
  return (
    <button
      type="button"
      className={classNames(styles.button, styles[tone])}
      onClick={onPress}
      // Not `disabled`: the button must keep the focus.
      aria-disabled={disabled || busy || undefined}
      onClickCapture={(event) => {
        if (disabled || busy) event.stopPropagation()
        if (disabled && !busy) onRefuse?.()
      }}
      aria-busy={busy || undefined}
    >
      {children}
    </button>
  )
}

export function SubmitButton({ busy = false, children }: { readonly busy?: boolean; readonly children: ReactNode }) {
  return (
    <button
      type="submit"
      className={classNames(styles.button, styles.primary)}
      aria-disabled={busy || undefined}
      aria-busy={busy || undefined}
    >
      {children}
    </button>
  )
}

export function ButtonLink({
  tone,
  href,
  children,
}: {
  readonly tone: 'primary' | 'secondary'
  readonly href: string
  readonly children: ReactNode
}) {
  const t = useText()
  return (
    <a className={classNames(styles.button, styles[tone])} href={href} target="_blank" rel="noopener noreferrer">
      {children}
      <ExternalIcon small className={styles.trailing} />
      <Unseen>({t('opensInNewTab')})</Unseen>
    </a>
  )
}

/** The safe one comes first. */
export function ButtonPair({ children }: { readonly children: ReactNode }) {
  return <div className={styles.pair}>{children}</div>
}

/** Looks like a link. */
export function TextButton({ onPress, children }: { readonly onPress: () => void; readonly children: ReactNode }) {
  return (
    <button type="button" className={styles.text} onClick={onPress}>
      {children}
    </button>
  )
}

type LabelledTextButtonProps = {
  readonly onPress: () => void
  /** For screen readers: "Show private key" for "Show". */
  readonly label?: string
  /** Whether the element that the button shows and hides is visible. */
  readonly expanded?: boolean
  /** For a switch. */
  readonly pressed?: boolean
  readonly children: ReactNode
}

export function LabelledTextButton({ onPress, label, expanded, pressed, children }: LabelledTextButtonProps) {
  return (
    <button
      type="button"
      className={styles.text}
      onClick={onPress}
      aria-label={label}
      aria-expanded={expanded}
      aria-pressed={pressed}
    >
      {children}
    </button>
  )
}

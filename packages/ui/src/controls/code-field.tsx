import { type ClipboardEvent, type KeyboardEvent, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { asciiForms } from './ascii-forms'
import styles from './code-field.module.css'

export const codeLength = 6

const cells: readonly number[] = Array.from({ length: codeLength }, (_, index) => index)

/**
 * Whether digits count. `covered`: digits typed since it was last armed are dropped. `visible`: they wait. `armed`: a
 * complete code is reported.
 */
export type CodeGate = {
  /** As last drawn. */
  readonly state: 'covered' | 'visible' | 'armed'
  /** Before it is drawn. */
  now(): CodeGate['state']
}

const open: CodeGate = { state: 'armed', now: () => 'armed' }

type CodeFieldProps = {
  readonly label: string
  readonly describedBy: string
  readonly busy: boolean
  /** A new object per refused code: shakes and clears the field. */
  readonly refusal: object | null
  readonly onComplete: (code: string) => void
  readonly onIncomplete?: () => void
  /** Default: armed. */
  readonly gate?: CodeGate
}

/** Six cells over one input, for screen readers, password managers and SMS autofill. */
export function CodeField({
  label,
  describedBy,
  busy,
  refusal,
  onComplete,
  onIncomplete,
  gate = open,
}: CodeFieldProps) {
  const input = useRef<HTMLInputElement>(null)
  const [code, setCode] = useState('')
  const [cell, setCell] = useState(0)
  const [focused, setFocused] = useState(false)
  /** As typed while last armed. A covered field returns to it. */
  const [armedCode, setArmedCode] = useState('')
  const [refused, setRefused] = useState(refusal)
  if (refused !== refusal) {
    setRefused(refusal)
    if (refusal !== null) {
      setCode('')
      setArmedCode('')
      setCell(0)
    }
  }

  const isCovered = gate.state === 'covered'
  if (gate.state === 'armed' && armedCode !== code) setArmedCode(code)
  if (isCovered && code !== armedCode) {
    setCode(armedCode)
    setCell(Math.min(armedCode.length, codeLength - 1))
  }
  const reported = useRef('')
  useEffect(() => {
    if (code.length < codeLength) {
      if (reported.current !== '') onIncomplete?.()
      reported.current = ''
    } else if (gate.now() === 'armed' && !busy && code !== reported.current) {
      reported.current = code
      onComplete(code)
    }
  })

  // Selects the current digit, or the place of the next.
  useLayoutEffect(() => {
    const field = input.current
    if (field === null || document.activeElement !== field) return
    field.setSelectionRange(cell, Math.min(cell + 1, code.length))
  }, [code, cell])
  useEffect(() => {
    const field = input.current
    if (field === null || field.closest('[inert]') !== null || matchMedia('(pointer: coarse)').matches) return
    field.focus({ preventScroll: true })
  }, [])

  const write = (next: string, at: number) => {
    if (busy || gate.now() === 'covered') return
    setCode(next)
    setCell(Math.min(at, codeLength - 1))
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const edit = editOf(event.key, code, cell)
    if (edit === null || event.ctrlKey || event.metaKey || event.altKey) return
    event.preventDefault()
    write(edit.code, edit.cell)
  }
  const onPaste = (event: ClipboardEvent) => {
    event.preventDefault()
    const digits = digitsOf(event.clipboardData.getData('text'))
    if (digits !== '') write(digits, digits.length)
  }
  return (
    <div
      className={styles.code}
      dir="ltr"
      data-refused={(refused !== null && code === '') || undefined}
      data-busy={busy || undefined}
      data-armed={gate.state === 'armed' || undefined}
    >
      <input
        ref={input}
        className={styles.input}
        type="text"
        name="one-time-code"
        inputMode="numeric"
        pattern="[0-9]*"
        autoComplete="one-time-code"
        autoCorrect="off"
        spellCheck={false}
        enterKeyHint="done"
        aria-label={label}
        aria-describedby={describedBy}
        aria-invalid={(refused !== null && code === '') || undefined}
        aria-busy={busy || undefined}
        readOnly={busy || isCovered}
        value={code}
        // Keyboards without key names, password managers, autofill.
        onChange={({ target }) => {
          const digits = digitsOf(target.value)
          write(digits, target.selectionStart ?? digits.length)
        }}
        onKeyDown={onKeyDown}
        onPaste={onPaste}
        onSelect={({ currentTarget }) => {
          const at = Math.min(currentTarget.selectionStart ?? 0, code.length, codeLength - 1)
          if (at !== cell) setCell(at)
          else if (currentTarget.selectionEnd !== Math.min(at + 1, code.length))
            currentTarget.setSelectionRange(at, Math.min(at + 1, code.length))
        }}
        onFocus={() => setFocused(true)}
        onBlur={() => setFocused(false)}
        data-first
      />
      {cells.map((index) => (
        <span
          key={index}
          className={styles.cell}
          data-current={(focused && !busy && index === cell) || undefined}
          aria-hidden="true"
        >
          {code[index]}
        </span>
      ))}
    </div>
  )
}

/** Emails write codes as `123 456` and `123-456`; keyboards of other scripts type their own digits. */
export function digitsOf(text: string): string {
  return asciiForms(text).replace(/\D/g, '').slice(0, codeLength)
}

/** Null for keys left to the browser. */
export function editOf(
  key: string,
  code: string,
  cell: number,
): { readonly code: string; readonly cell: number } | null {
  const digit = asciiForms(key)
  if (/^\d$/.test(digit)) {
    const at = Math.min(cell, code.length)
    return { code: code.slice(0, at) + digit + code.slice(at + 1), cell: at + 1 }
  }
  switch (key) {
    case 'Backspace':
      return withoutBefore(code, cell)
    case 'Delete':
      return { code: code.slice(0, cell) + code.slice(cell + 1), cell }
    case 'ArrowLeft':
      return { code, cell: Math.max(cell - 1, 0) }
    case 'ArrowRight':
      return { code, cell: Math.min(cell + 1, code.length, codeLength - 1) }
    case 'Home':
      return { code, cell: 0 }
    case 'End':
      return { code, cell: Math.min(code.length, codeLength - 1) }
    default:
      return null
  }
}

/** Moves to the digit that the next press deletes. */
function withoutBefore(code: string, cell: number): { readonly code: string; readonly cell: number } {
  const last = code.length - 1
  const at = Math.min(cell, last)
  if (at < 0) return { code, cell: 0 }
  return { code: code.slice(0, at) + code.slice(at + 1), cell: at === last ? at : Math.max(at - 1, 0) }
}

type DecimalInputProps = {
  readonly id: string
  readonly className: string | undefined
  readonly value: string
  readonly placeholder: string
  /** Max characters. */
  readonly maxLength?: number
  readonly goesOn?: boolean
  readonly isBad: boolean
  readonly describedBy: string
  readonly onType: (text: string) => void
}

export function DecimalInput({
  id,
  className,
  value,
  placeholder,
  maxLength = 100,
  goesOn = false,
  isBad,
  describedBy,
  onType,
}: DecimalInputProps) {
  return (
    <input
      id={id}
      className={className}
      type="text"
      inputMode="decimal"
      dir="ltr"
      autoComplete="off"
      autoCorrect="off"
      spellCheck={false}
      enterKeyHint={goesOn ? 'next' : 'done'}
      maxLength={maxLength}
      placeholder={placeholder}
      aria-invalid={isBad || undefined}
      aria-describedby={describedBy}
      value={value}
      onChange={({ target }) => onType(target.value)}
      data-first
    />
  )
}

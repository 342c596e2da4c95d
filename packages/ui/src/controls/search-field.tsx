import { useId, useRef } from 'react'
import { ClearIcon, SearchIcon } from '../marks/view-icons'
import styles from './search-field.module.css'

type SearchFieldProps = {
  readonly label: string
  readonly clearLabel: string
  readonly value: string
  readonly onChange: (value: string) => void
}

export function SearchField({ label, clearLabel, value, onChange }: SearchFieldProps) {
  const input = useRef<HTMLInputElement>(null)
  const id = useId()
  return (
    <div className={styles.field}>
      <SearchIcon className={styles.icon} />
      <input
        ref={input}
        id={id}
        className={styles.input}
        type="search"
        enterKeyHint="search"
        autoComplete="off"
        autoCapitalize="off"
        autoCorrect="off"
        spellCheck={false}
        maxLength={100}
        placeholder={label}
        aria-label={label}
        value={value}
        onChange={(event) => onChange(event.target.value)}
        data-first
      />
      {value !== '' && (
        <button
          type="button"
          className={styles.tool}
          aria-label={clearLabel}
          onClick={() => {
            onChange('')
            input.current?.focus()
          }}
        >
          <ClearIcon />
        </button>
      )}
    </div>
  )
}

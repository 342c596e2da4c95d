import { type KeyboardEvent, type ReactNode, useRef } from 'react'
import styles from './list.module.css'

type ListProps = {
  readonly label: string
  readonly busy?: boolean
  readonly children: ReactNode
}

/** Arrow keys, Home and End move between rows. */
export function List({ label, busy = false, children }: ListProps) {
  const list = useRef<HTMLUListElement>(null)
  const walk = (event: KeyboardEvent) => {
    const rows = [...(list.current?.querySelectorAll<HTMLElement>('[data-row]') ?? [])]
    const next = nextIndex(event.key, rows.indexOf(asElement(event.target)), rows.length)
    if (next === null) return
    event.preventDefault()
    rows[next]?.focus()
  }
  return (
    <ul ref={list} className={styles.list} aria-label={label} aria-busy={busy || undefined} onKeyDown={walk}>
      {children}
    </ul>
  )
}

/** The index of the next row; null for other keys. */
export function nextIndex(key: string, index: number, count: number): number | null {
  if (count === 0 || index < 0) return null
  switch (key) {
    case 'ArrowDown':
      return Math.min(index + 1, count - 1)
    case 'ArrowUp':
      return Math.max(index - 1, 0)
    case 'Home':
      return 0
    case 'End':
      return count - 1
    default:
      return null
  }
}

function asElement(target: EventTarget): HTMLElement {
  const row = target instanceof HTMLElement ? target.closest<HTMLElement>('[data-row]') : null
  return row ?? document.body
}

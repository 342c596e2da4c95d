import { type KeyboardEvent, type ReactNode, useId, useRef } from 'react'
import styles from './tabs.module.css'

export type Tab<T extends string> = { readonly id: T; readonly label: string }

type TabsProps<T extends string> = {
  readonly label: string
  readonly tabs: readonly Tab<T>[]
  readonly selected: T
  readonly onSelect: (id: T) => void
  readonly children: ReactNode
}

/** ARIA tabs pattern: one Tab stop; selection follows focus, arrow keys the text direction. */
export function Tabs<T extends string>({ label, tabs, selected, onSelect, children }: TabsProps<T>) {
  const list = useRef<HTMLDivElement>(null)
  const id = useId()
  const walk = (event: KeyboardEvent) => {
    const index = tabs.findIndex((tab) => tab.id === selected)
    const isRightToLeft = list.current !== null && getComputedStyle(list.current).direction === 'rtl'
    const next = nextTab(event.key, index, tabs.length, isRightToLeft)
    const tab = next === null ? undefined : tabs[next]
    if (next === null || tab === undefined) return
    event.preventDefault()
    onSelect(tab.id)
    list.current?.querySelectorAll('button')[next]?.focus()
  }
  return (
    <>
      <div ref={list} className={styles.tabs} role="tablist" aria-label={label} onKeyDown={walk}>
        {tabs.map((tab) => (
          <button
            key={tab.id}
            type="button"
            className={styles.tab}
            role="tab"
            id={`${id}-${tab.id}`}
            aria-selected={tab.id === selected}
            aria-controls={`${id}-panel`}
            tabIndex={tab.id === selected ? 0 : -1}
            onClick={() => onSelect(tab.id)}
          >
            <span className={styles.label}>{tab.label}</span>
          </button>
        ))}
      </div>
      <div role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${selected}`}>
        {children}
      </div>
    </>
  )
}

/** Wraps around; null for other keys. */
export function nextTab(key: string, index: number, count: number, isRightToLeft: boolean): number | null {
  if (count === 0) return null
  const forward = isRightToLeft ? 'ArrowLeft' : 'ArrowRight'
  const backward = isRightToLeft ? 'ArrowRight' : 'ArrowLeft'
  switch (key) {
    case forward:
      return (index + 1) % count
    case backward:
      return (index - 1 + count) % count
    case 'Home':
      return 0
    case 'End':
      return count - 1
    default:
      return null
  }
}

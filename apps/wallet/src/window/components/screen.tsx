import { createContext, type ReactNode, useContext, useEffect, useRef } from 'react'
import { useSay } from '../say-context'
import styles from './screen.module.css'

/** The dapp's name; empty until known. */
export const SubtitleContext = createContext('')

type ScreenProps = { readonly title: string; readonly children: ReactNode }

/** Focuses its field or heading, for screen readers. */
export function Screen({ title, children }: ScreenProps) {
  const say = useSay()
  const subtitle = useContext(SubtitleContext)
  const heading = useRef<HTMLHeadingElement>(null)
  const main = useRef<HTMLElement>(null)
  const pageTitle = `${title} · ${say('brand')}`
  useEffect(() => {
    document.title = pageTitle
  }, [pageTitle])
  // Runs after the fields' effects.
  useEffect(() => {
    if (main.current?.contains(document.activeElement) !== true) heading.current?.focus()
  }, [])
  return (
    <div className={styles.window}>
      <header className={styles.header}>
        <h1 ref={heading} className={styles.title} tabIndex={-1}>
          {title}
        </h1>
        {subtitle !== '' && (
          <p className={styles.subtitle} title={subtitle}>
            {subtitle}
          </p>
        )}
      </header>
      <main ref={main} className={styles.main}>
        {children}
      </main>
    </div>
  )
}

/** `live`: read aloud on change. */
export function Lead({ live = false, children }: { readonly live?: boolean; readonly children: string }) {
  return (
    <p className={styles.lead} role={live ? 'status' : undefined}>
      {children}
    </p>
  )
}

export function Caption({ children }: { readonly children: string }) {
  return <p className={styles.caption}>{children}</p>
}

export function Form({ onSubmit, children }: { readonly onSubmit: () => void; readonly children: ReactNode }) {
  return (
    <form
      className={styles.form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        onSubmit()
      }}
    >
      {children}
    </form>
  )
}

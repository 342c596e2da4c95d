import { type ReactNode, useLayoutEffect, useRef } from 'react'
import styles from './body.module.css'

/** The card below the header; its height follows the view's, animated while visible. */
export function Body({
  place,
  shown,
  inert,
  children,
}: {
  /** Changes on each navigation: scrolls to the top. */
  readonly place: string
  readonly shown: boolean
  readonly inert: boolean
  readonly children: ReactNode
}) {
  const outer = useRef<HTMLDivElement>(null)
  const inner = useRef<HTMLDivElement>(null)
  const scrolled = useRef(false)
  useLayoutEffect(() => {
    // Resetting an unscrolled body would force a layout.
    if (place === '' || !scrolled.current || outer.current === null) return
    scrolled.current = false
    outer.current.scrollTop = 0
  }, [place])
  useLayoutEffect(() => {
    const frame = outer.current
    const content = inner.current
    if (!shown || frame === null || content === null) return
    const observer = new ResizeObserver(() => {
      frame.style.blockSize = `${content.offsetHeight}px`
    })
    observer.observe(content)
    return () => {
      observer.disconnect()
      frame.style.blockSize = ''
    }
  }, [shown])
  return (
    <div
      ref={outer}
      className={styles.outer}
      inert={inert}
      onScroll={() => {
        scrolled.current = true
      }}
    >
      <div ref={inner} className={styles.inner}>
        {children}
      </div>
    </div>
  )
}

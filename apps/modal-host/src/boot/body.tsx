import { type ReactNode, useLayoutEffect, useRef } from 'react'
import styles from './body.module.css'

/**
 * The part of the card under the header. It takes the height of its view, and goes there smoothly while it is seen;
 * unseen it is as high as it is, so that an opening starts at the right height.
 */
export function Body({
  place,
  shown,
  inert,
  children,
}: {
  /** Changes with each move: a view begins at its top. */
  readonly place: string
  readonly shown: boolean
  readonly inert: boolean
  readonly children: ReactNode
}) {
  const outer = useRef<HTMLDivElement>(null)
  const inner = useRef<HTMLDivElement>(null)
  const scrolled = useRef(false)
  useLayoutEffect(() => {
    // Where nobody scrolled the browser is asked nothing: it would have to lay everything out for its answer.
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

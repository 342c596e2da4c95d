import { useEffect, useState } from 'react'

export const appOpenTimeoutMs = 2_000

/**
 * Whether a link to an app seems to have opened nothing.
 *
 * 1. True {@link appOpenTimeoutMs} after the last press, if the page stays in view and keeps the focus: a phone's app
 *    hides the page, a desktop app takes the focus.
 * 2. Once an app has opened, it stays false until a new press.
 */
export function useNotOpened(): { readonly notOpened: boolean; readonly onPress: () => void } {
  const [presses, setPresses] = useState(0)
  const [notOpened, setNotOpened] = useState(false)
  useEffect(() => {
    if (presses === 0) return
    setNotOpened(false)
    const stop = () => {
      clearTimeout(timer)
      document.removeEventListener('visibilitychange', onVisibility)
    }
    const timer = setTimeout(() => {
      stop()
      setNotOpened(document.hasFocus())
    }, appOpenTimeoutMs)
    const onVisibility = () => {
      if (document.visibilityState === 'hidden') stop()
    }
    document.addEventListener('visibilitychange', onVisibility)
    return stop
  }, [presses])
  return { notOpened, onPress: () => setPresses((count) => count + 1) }
}

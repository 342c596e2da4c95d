import type { Postern } from '@postern/client'
import { useEffect, useState } from 'react'
import { applyLook, type Look, onSchemeChange, readLook, storeLook, themeOf } from './theme'

/** The page's look, which the modal follows. */
export function useLook(postern: Postern): readonly [Look, (look: Look) => void] {
  const [look, setLook] = useState(() => readLook(window))
  useEffect(() => {
    const apply = () => {
      applyLook(window, look)
      postern.setTheme(themeOf(window, look))
    }
    apply()
    storeLook(window, look)
    return onSchemeChange(window, apply)
  }, [postern, look])
  return [look, setLook]
}

import type { Postern } from '@postern/client'
import { useEffect, useState } from 'react'
import { applyLook, modes, modeWords, onSchemeChange, readLook, storeLook, themeOf } from '../../dapp/theme'
import { Choice } from './Choice'

const options = modes.map((mode) => ({ value: mode, name: modeWords[mode] }))

/** The page's theme, which the modal follows. */
export function ThemeChoice({ postern }: { readonly postern: Postern }) {
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
  return (
    <Choice
      label="Theme"
      options={options}
      value={look.mode}
      onChange={(value) => setLook({ ...look, mode: modes.find((mode) => mode === value) ?? 'auto' })}
    />
  )
}

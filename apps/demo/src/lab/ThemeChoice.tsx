import type { Postern } from '@postern/client'
import { useEffect, useState } from 'react'
import {
  accents,
  accentWords,
  applyLook,
  modes,
  modeWords,
  onSchemeChange,
  readLook,
  storeLook,
  themeOf,
} from '../dapp/theme'

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
    <>
      <fieldset className="choices" aria-label="Theme">
        {modes.map((mode) => (
          <label key={mode}>
            <input type="radio" name="mode" checked={look.mode === mode} onChange={() => setLook({ ...look, mode })} />
            {modeWords[mode]}
          </label>
        ))}
      </fieldset>
      <fieldset className="choices" aria-label="Accent">
        {accents.map((accent) => (
          <label key={accent}>
            <input
              type="radio"
              name="accent"
              checked={look.accent === accent}
              onChange={() => setLook({ ...look, accent })}
            />
            {accentWords[accent]}
          </label>
        ))}
      </fieldset>
    </>
  )
}

import type { Postern } from '@postern/client'
import { accents, accentWords, modes, modeWords } from '../dapp/theme'
import { useLook } from '../dapp/use-look'

export function ThemeChoice({ postern }: { readonly postern: Postern }) {
  const [look, setLook] = useLook(postern)

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

import { Button } from '@postern/ui/button'
import { useEffect, useId, useRef, useState } from 'react'
import { Field } from '../components'
import type { MailTexts } from '../schemas'
import { useSession } from '../session'

const names = new Intl.DisplayNames('en', { type: 'language' })
const nameOf = (language: string) => names.of(language) ?? language

/** Two lines of a project's emails for each language that the operator adds. */
export function MailTextFields({
  texts,
  onChange,
}: {
  readonly texts: MailTexts
  readonly onChange: (texts: MailTexts) => void
}) {
  const { mailLanguages } = useSession().me
  const id = useId()
  const select = useRef<HTMLSelectElement>(null)
  const added = useRef<HTMLInputElement>(null)
  const [picked, setPicked] = useState('')
  /** `language` null: the select. Each press sets a new object. */
  const [focus, setFocus] = useState<{ readonly language: string | null }>()
  useEffect(() => {
    if (focus !== undefined) (focus.language === null ? select : added).current?.focus()
  }, [focus])

  const own = mailLanguages.filter((language) => Object.hasOwn(texts, language))
  const others = mailLanguages.filter((language) => !own.includes(language))
  const chosen = others.includes(picked) ? picked : (others[0] ?? '')
  const set = (language: string, change: MailTexts[string]) =>
    onChange({ ...texts, [language]: { ...texts[language], ...change } })

  return (
    <>
      {own.map((language) => (
        <fieldset key={language} className="flags">
          <legend>{nameOf(language)}</legend>
          <Field
            label="Line below the heading"
            language={language}
            value={texts[language]?.intro ?? ''}
            onChange={(intro) => set(language, { intro })}
            {...(language !== 'en' && { hint: 'Empty: that of English.' })}
            {...(focus?.language === language && { ref: added })}
          />
          <Field
            label="Last line"
            hint={`Empty: ${language === 'en' ? '' : 'that of English, then '}that of all languages.`}
            language={language}
            value={texts[language]?.footer ?? ''}
            onChange={(footer) => set(language, { footer })}
          />
          <Button
            tone="secondary"
            onPress={() => {
              const { [language]: _, ...rest } = texts
              onChange(rest)
              setFocus({ language: null })
            }}
          >
            Remove {nameOf(language)}
          </Button>
        </fieldset>
      ))}
      {others.length > 0 && (
        <>
          <div className="field">
            <label htmlFor={id}>Lines in another language</label>
            <select
              id={id}
              ref={select}
              value={chosen}
              aria-describedby={`${id}-hint`}
              onChange={({ target }) => setPicked(target.value)}
            >
              {others.map((language) => (
                <option key={language} value={language}>
                  {nameOf(language)}
                </option>
              ))}
            </select>
            <p id={`${id}-hint`} className="hint">
              The subject, the code and the warning stay the gateway’s.
            </p>
          </div>
          <Button
            tone="secondary"
            onPress={() => {
              set(chosen, {})
              setFocus({ language: chosen })
            }}
          >
            Add {nameOf(chosen)}
          </Button>
        </>
      )}
    </>
  )
}

/** Drops empty lines, and languages that have no line. */
export function filledTexts(texts: MailTexts): MailTexts {
  const filled = Object.entries(texts).map(([language, lines]) => {
    return [language, Object.fromEntries(Object.entries(lines).filter(([, line]) => line?.trim() !== ''))] as const
  })
  return Object.fromEntries(filled.filter(([, lines]) => Object.keys(lines).length > 0))
}

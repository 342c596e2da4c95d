/** Look of the modal for what a dapp's own theme does not set, with a live preview. */
import { Button } from '@postern/ui/button'
import { contrast, mixed } from '@postern/ui/contrast'
import { WalletIcon } from '@postern/ui/icons'
import { PlainRow, RowGlyph, Tag } from '@postern/ui/row'
import { applyTheme } from '@postern/ui/theme'
import { MailIcon } from '@postern/ui/view-icons'
import { useId, useLayoutEffect, useRef, useState } from 'react'
import { Field } from '../components'
import type { Look } from '../schemas'

type LookFieldsProps = { readonly look: Look; readonly onChange: (look: Look) => void }

export function LookFields({ look, onChange }: LookFieldsProps) {
  const change = (part: Partial<Look>) => {
    const known = Object.entries({ ...look, ...part }).filter(([, value]) => value !== undefined && value !== '')
    onChange(Object.fromEntries(known))
  }
  return (
    <fieldset className="flags">
      <legend>Look</legend>
      <p className="hint">
        Where a dapp’s own theme says nothing. Users see a change the next time they load the page.
      </p>
      <ColorField
        label="Accent"
        hint="Of focus, status and gains, such as #0d756d. Empty: Postern’s own."
        value={look.accent}
        onChange={(accent) => change({ accent })}
      />
      <Slider
        label="Corners"
        value={look.radius ?? 1}
        max={2}
        step={0.1}
        valueText={(value) => `${Math.round(value * 100)} %`}
        onChange={(radius) => change({ radius: radius === 1 ? undefined : radius })}
      />
      <Field
        label="Font"
        hint="Fonts that users’ devices have, the first choice first: Georgia, serif. Empty: Inter, which Postern brings."
        value={look.font ?? ''}
        onChange={(font) => change({ font })}
      />
      <ColorField
        label="Tint"
        hint="Mixed into the surfaces. Empty: none."
        value={look.mix}
        onChange={(mix) => change({ mix, mixStrength: mix === '' ? undefined : (look.mixStrength ?? 10) })}
      />
      {look.mix !== undefined && (
        <Slider
          label="Tint strength"
          value={look.mixStrength ?? 0}
          max={50}
          step={1}
          valueText={(value) => `${value} %`}
          onChange={(mixStrength) => change({ mixStrength })}
        />
      )}
      <div className="previews">
        <Preview look={look} mode="light" />
        <Preview look={look} mode="dark" />
      </div>
    </fieldset>
  )
}

const hex = /^#[0-9a-f]{6}$/i

type ColorFieldProps = {
  readonly label: string
  readonly hint: string
  readonly value: string | undefined
  readonly onChange: (value: string) => void
}

function ColorField({ label, hint, value = '', onChange }: ColorFieldProps) {
  return (
    <div className="color">
      <Field label={label} hint={hint} value={value} onChange={(text) => onChange(text.trim())} />
      <input
        type="color"
        aria-label={`Pick: ${label}`}
        value={hex.test(value) ? value : '#808080'}
        onChange={({ target }) => onChange(target.value)}
      />
    </div>
  )
}

type SliderProps = {
  readonly label: string
  readonly value: number
  readonly max: number
  readonly step: number
  readonly valueText: (value: number) => string
  readonly onChange: (value: number) => void
}

function Slider({ label, value, max, step, valueText, onChange }: SliderProps) {
  const id = useId()
  return (
    <div className="slider">
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        type="range"
        min={0}
        max={max}
        step={step}
        value={value}
        aria-valuetext={valueText(value)}
        onChange={({ target }) => onChange(target.valueAsNumber)}
      />
      <output htmlFor={id}>{valueText(value)}</output>
    </div>
  )
}

/** Min contrast of text, WCAG 2 AA. */
const minContrast = 4.5

/** The modal's own components with the project's theme, not interactive. */
function Preview({ look, mode }: { readonly look: Look; readonly mode: 'light' | 'dark' }) {
  const root = useRef<HTMLDivElement>(null)
  const [ratio, setRatio] = useState(minContrast)
  useLayoutEffect(() => {
    if (root.current === null) return
    applyTheme(root.current, look, mode, (value) => CSS.supports('color', value))
    const base = getComputedStyle(root.current).getPropertyValue('--base-1')
    const { accent = '', mix = '', mixStrength = 0 } = look
    const surface = hex.test(mix) ? mixed(mix, mixStrength, base) : base
    setRatio(hex.test(accent) ? contrast(accent, surface) : minContrast)
  }, [look, mode])
  return (
    <div>
      <div ref={root} className="preview" role="img" aria-label={`Preview, ${mode}`}>
        <div className="preview-card" inert>
          <p className="preview-title">Connect wallet</p>
          <PlainRow
            icon={
              <RowGlyph>
                <WalletIcon />
              </RowGlyph>
            }
            title="Browser wallet"
            trailing={<Tag tone="active">Installed</Tag>}
          />
          <PlainRow
            icon={
              <RowGlyph>
                <MailIcon />
              </RowGlyph>
            }
            title="name@example.com"
          />
          <Button tone="primary" onPress={() => undefined}>
            Continue
          </Button>
        </div>
      </div>
      <p className="hint" role="status">
        {ratio < minContrast &&
          `The accent is hard to read in ${mode}: a contrast of ${ratio.toFixed(1)}, where text needs ${minContrast}.`}
      </p>
    </div>
  )
}

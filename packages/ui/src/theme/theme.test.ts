// @vitest-environment happy-dom
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { applyTheme, themeProperties } from './theme'

const anything = () => true
/** Could turn one value into more. */
const dangerous = /[;{}<>\\"@!]|url\(|var\(|env\(|attr\(|image|expression/i

describe('themeProperties', () => {
  it.each(['#0d7565', '#ABC', 'teal', 'rgb(13 117 101 / 90%)', 'hsl(170deg, 80%, 26%)', 'oklch(0.6 0.1 180)'])(
    '1: accepts the colour %s',
    (accent) => {
      expect(themeProperties({ accent }, anything)['--accent']).toBe(accent)
    },
  )

  it.each([
    'red; background: url(https://evil.example)',
    'url(https://evil.example/a.png)',
    'var(--text-1)',
    'env(safe-area-inset-top)',
    'rgb(0 0 0) url(https://evil.example)',
    'rgb(var(--x))',
    'color-mix(in srgb, red, url(x))',
    'red}*{display:none',
    'inherit',
    'currentColor',
    'red blue',
    '',
    'expression(alert(1))',
  ])('1: rejects %s', (accent) => {
    expect(themeProperties({ accent, mix: accent }, anything)).toMatchObject({ '--accent': null, '--mix': null })
  })

  it('1: rejects what the browser does not parse as a colour', () => {
    expect(themeProperties({ accent: 'notacolour' }, () => false)['--accent']).toBeNull()
  })

  it('1 and 2: no input yields more than one value of its kind', () => {
    const hostile = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 64 }),
      fc.stringMatching(/^[a-z#(),;{}'" :/.-]{0,40}$/),
    )
    fc.assert(
      fc.property(hostile, (text) => {
        const set = themeProperties({ accent: text, mix: text, font: text, mixStrength: 10 }, anything)
        for (const value of Object.values(set)) expect(value ?? '').not.toMatch(dangerous)
      }),
      { numRuns: 2_000 },
    )
  })

  it('2: quotes a font, with our own as fallback (spec §9)', () => {
    expect(themeProperties({ font: 'Söhne Breit, monospace' }, anything)['--font']).toBe(
      "'Söhne Breit', monospace, 'Inter Variable', 'Inter Fallback', sans-serif",
    )
    expect(themeProperties({ font: "x'; } * { color: red" }, anything)['--font']).toBeNull()
  })
})

describe('applyTheme', () => {
  it('3: removes what an earlier theme set', () => {
    const root = document.createElement('html')
    applyTheme(root, { accent: 'teal', radius: 0.5, mix: 'teal', mixStrength: 10 }, 'dark', anything)
    expect(root.dataset).toMatchObject({ theme: 'dark' })
    expect(root.style.colorScheme).toBe('dark')
    expect(root.style.getPropertyValue('--accent')).toBe('teal')
    expect(root.style.getPropertyValue('--mix-strength')).toBe('10%')
    applyTheme(root, {}, 'light', anything)
    expect(root.style.getPropertyValue('--accent')).toBe('')
    expect(root.style.getPropertyValue('--radius-scale')).toBe('')
    expect(root.style.getPropertyValue('--mix-strength')).toBe('')
  })
})

import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'

const css = readFileSync(new URL('theme.css', import.meta.url), 'utf8')
const [light = '', dark = ''] = css.split(":root[data-theme='dark'] {")

/** WCAG 2, "relative luminance". */
function luminance(theme: string, token: string): number {
  const [, digits = ''] = new RegExp(`--${token}: #([0-9a-f]{6});`).exec(theme) ?? []
  expect(digits).toHaveLength(6)
  const [red = 0, green = 0, blue = 0] = [0, 2, 4].map((at) => {
    const share = Number.parseInt(digits.slice(at, at + 2), 16) / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

function contrast(theme: string, one: string, other: string): number {
  const [low = 0, high = 0] = [luminance(theme, one), luminance(theme, other)].sort((a, b) => a - b)
  return (high + 0.05) / (low + 0.05)
}

describe('the colours of the theme', () => {
  it.each([
    ['light', light],
    ['dark', dark],
  ])('%s: text, accent and states have a contrast of 4.5 on every surface', (_, theme) => {
    for (const text of ['text-1', 'text-2', 'text-3', 'accent', 'bad', 'warn'])
      for (const surface of ['base-1', 'base-2', 'base-3'])
        expect({ text, surface, contrast: contrast(theme, text, surface) >= 4.5 }).toMatchObject({ contrast: true })
  })

  it('dark: the surfaces can be told apart', () => {
    expect(contrast(dark, 'base-1', 'base-2')).toBeGreaterThanOrEqual(1.2)
    expect(contrast(dark, 'base-2', 'base-3')).toBeGreaterThanOrEqual(1.19)
  })
})

import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { contrast } from './contrast'

const css = readFileSync(new URL('theme.css', import.meta.url), 'utf8')
const [light = '', dark = ''] = css.split("[data-theme='dark'] {")

function contrastOf(theme: string, ...tokens: readonly [string, string]): number {
  const [one = '', other = ''] = tokens.map((token) => new RegExp(`--${token}: (#[0-9a-f]{6});`).exec(theme)?.[1])
  expect([one, other]).not.toContain('')
  return contrast(one, other)
}

describe('the colours of the theme', () => {
  it.each([
    ['light', light],
    ['dark', dark],
  ])('%s: text, accent and states have a contrast of 4.5 on every surface', (_, theme) => {
    for (const text of ['text-1', 'text-2', 'text-3', 'accent', 'bad', 'warn'])
      for (const surface of ['base-1', 'base-2', 'base-3'])
        expect({ text, surface, contrast: contrastOf(theme, text, surface) >= 4.5 }).toMatchObject({ contrast: true })
  })

  it('dark: the surfaces can be told apart', () => {
    expect(contrastOf(dark, 'base-1', 'base-2')).toBeGreaterThanOrEqual(1.2)
    expect(contrastOf(dark, 'base-2', 'base-3')).toBeGreaterThanOrEqual(1.19)
  })
})

import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { trackedFiles } from './tracked-files'

const theme = 'packages/ui/src/theme/theme.css'
const read = (file: string) => readFileSync(file, 'utf8')

const [light = '', dark = ''] = [...read(theme).matchAll(/--accent: #([0-9a-f]{6});/g)].map(([, digits]) => digits)
const sources = trackedFiles(['*.ts', '*.tsx', '*.css', '*.html', '*.svg']).filter(
  (file) => file !== theme && !file.endsWith('.test.ts'),
)

/** Files named in an item of the list of copies. */
function listed(item: string): string[] {
  const [, text = ''] =
    new RegExp(`^- ${item}: ([\\s\\S]*?)(?=^- |^#)`, 'm').exec(read('docs/internals/visual.md')) ?? []
  return [...text.matchAll(/`([^`]+)`/g)].map(([, file = '']) => file)
}

const copied = { light: [...listed('Light and dark'), ...listed('Light')], dark: listed('Light and dark') }

test.each([
  ['light', light, copied.light],
  ['dark', dark, copied.dark],
])('exactly the listed files copy the %s accent of the theme', (_, accent, files) => {
  expect(accent).not.toBe('')
  expect(sources.filter((file) => read(file).toLowerCase().includes(accent)).sort()).toEqual(files.sort())
})

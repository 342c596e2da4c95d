import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { highlight } from './highlight'

test('the pieces together are the source', () => {
  const source = readFileSync(new URL('../steps/SignIn.tsx', import.meta.url), 'utf8')
  expect(
    highlight(source)
      .map(({ text }) => text)
      .join(''),
  ).toBe(source)
})

test('tells comments, strings and keywords apart', () => {
  expect(highlight("const a = 'const' // const")).toEqual([
    { kind: 'keyword', text: 'const', start: 0 },
    { kind: 'plain', text: ' a = ', start: 5 },
    { kind: 'string', text: "'const'", start: 10 },
    { kind: 'plain', text: ' ', start: 17 },
    { kind: 'comment', text: '// const', start: 18 },
  ])
})

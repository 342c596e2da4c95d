import { beforeAll, describe, expect, it } from 'vitest'
import { contextOf, intentOf, loadEnglish, textOf } from '../testing/draw-card'
import { rows } from '../testing/evm-corpus'

beforeAll(() => loadEnglish())

describe('the card of', () => {
  it.each(rows)('$name', async ({ request, answers, context, warns, shows, hides = [] }) => {
    const intent = await intentOf(request, contextOf(answers, context))
    const text = textOf(request, intent)
    expect(intent.warnings.map(({ kind }) => kind)).toEqual(expect.arrayContaining([...warns]))
    for (const part of shows) expect(text).toMatch(part)
    for (const part of hides) expect(text).not.toMatch(part)
  })
})

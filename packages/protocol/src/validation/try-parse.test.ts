import { describe, expect, it } from 'vitest'
import * as z from 'zod/mini'
import { tryParse } from './try-parse'

describe('tryParse', () => {
  const Short = z.string().check(z.minLength(1), z.maxLength(3))

  it('reads what fits, and nothing else', () => {
    expect(tryParse(Short, 'abc')).toEqual({ success: true, data: 'abc' })
    expect(tryParse(z.null(), null)).toEqual({ success: true, data: null })
    expect(tryParse(z.object({ name: Short }), { name: 'abcd' })).toMatchObject({
      error: { issues: [{ path: ['name'] }] },
    })
  })

  it('refuses a length that compares with nothing, where zod throws', () => {
    const hostile: unknown = JSON.parse('{"length":{"valueOf":1,"toString":1}}')
    expect(() => Short.safeParse(hostile)).toThrow(TypeError)
    expect(tryParse(Short, hostile)).toEqual({ success: false, error: { issues: [] } })
  })
})

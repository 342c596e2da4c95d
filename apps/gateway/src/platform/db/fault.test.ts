import { DrizzleQueryError } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { databaseFault } from './fault'

const failed = (cause: Error) => new DrizzleQueryError('select 1', [], cause)
const withCode = (code: string) => Object.assign(new Error('hush'), { code })

describe('databaseFault', () => {
  test.each([
    '53100',
    '53300',
    '57P01',
    '08006',
    '58030',
    '25006',
    'ECONNREFUSED',
    'ECONNRESET',
    'EAI_AGAIN',
    'EHOSTUNREACH',
  ])('names %s', (code) => {
    expect(databaseFault(failed(withCode(code)))).toBe(code)
    expect(databaseFault(failed(new Error('outer', { cause: withCode(code) })))).toBe(code)
  })

  test.each(['Connection terminated unexpectedly', 'timeout exceeded when trying to connect'])(
    'knows “%s”',
    (message) => {
      expect(databaseFault(failed(new Error(message)))).toBe('connection')
    },
  )

  test('leaves our own mistakes alone, and connections that are not the database’s', () => {
    // A unique value twice, an unknown column.
    for (const code of ['23505', '42703', '5310', '53100x']) expect(databaseFault(failed(withCode(code)))).toBeNull()
    expect(databaseFault(withCode('ECONNREFUSED'))).toBeNull()
    expect(databaseFault('53100')).toBeNull()
  })
})

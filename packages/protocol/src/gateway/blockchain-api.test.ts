import { describe, expect, it } from 'vitest'
import { Amount } from './blockchain-api'

describe('an amount', () => {
  it.each(['0', '1', '9'.repeat(77), `${2n ** 256n - 1n}`])('accepts %s', (text) => {
    expect(Amount.safeParse(text).success).toBe(true)
  })

  it.each(['', '-1', '01', '1.0', '1e3', '0x1', ' 1', `${2n ** 256n}`, '9'.repeat(78), '1'.repeat(79)])(
    'rejects %s, which no chain could carry',
    (text) => {
      expect(Amount.safeParse(text).success).toBe(false)
    },
  )
})

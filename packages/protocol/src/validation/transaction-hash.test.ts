import { describe, expect, it } from 'vitest'
import { TransactionHash } from './transaction-hash'

const hex = (length: number) => `0x${'a'.repeat(length)}`

describe('TransactionHash', () => {
  it('is 0x and 64 hexadecimal digits (spec §5)', () => {
    expect(TransactionHash.safeParse(hex(64)).success).toBe(true)
    for (const other of [hex(63), hex(65), hex(130), '', '0x', `${hex(64)}\n`, ` ${hex(64)}`, hex(64).slice(2), null])
      expect(TransactionHash.safeParse(other).success).toBe(false)
  })
})

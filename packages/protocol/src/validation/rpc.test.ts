import { describe, expect, it } from 'vitest'
import { TransactionHash } from './rpc'
import { SendCallsParams } from './send-calls'

const hex = (length: number) => `0x${'a'.repeat(length)}`

describe('TransactionHash', () => {
  it('is 0x and 64 hexadecimal digits (spec §5)', () => {
    expect(TransactionHash.safeParse(hex(64)).success).toBe(true)
    for (const other of [hex(63), hex(65), hex(130), '', '0x', `${hex(64)}\n`, ` ${hex(64)}`, hex(64).slice(2), null])
      expect(TransactionHash.safeParse(other).success).toBe(false)
  })
})

describe('SendCallsParams', () => {
  const params = (call: object) => SendCallsParams.safeParse([{ version: '2.0.0', calls: [call] }])

  it('to and data of every call start with 0x (spec §5)', () => {
    expect(params({ to: hex(40), data: '0x', value: '0x1' }).success).toBe(true)
    for (const call of [{ to: 'alice.eth' }, { data: 'deadbeef' }, { to: hex(40), data: '0xzz' }, { to: 7 }]) {
      expect(params(call).success).toBe(false)
    }
    expect(SendCallsParams.safeParse([{ calls: [] }]).success).toBe(false)
    expect(SendCallsParams.safeParse([]).success).toBe(false)
  })

  it('keeps unknown members', () => {
    expect(params({ to: hex(40), capabilities: { x: 1 } }).data).toEqual([
      { version: '2.0.0', calls: [{ to: hex(40), capabilities: { x: 1 } }] },
    ])
  })
})

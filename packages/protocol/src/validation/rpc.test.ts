import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { classifyRpcResponse } from './rpc'
import { SendCallsParams } from './send-calls'

const hex = (length: number) => `0x${'a'.repeat(length)}`

describe('classifyRpcResponse', () => {
  it('0x and 64 digits are a transaction hash, 62 or more a signed message (spec §5)', () => {
    expect(classifyRpcResponse(hex(64))).toBe('transactionHash')
    expect(classifyRpcResponse(hex(62))).toBe('signedMessage')
    expect(classifyRpcResponse(hex(63))).toBe('signedMessage')
    expect(classifyRpcResponse(hex(130))).toBe('signedMessage')
    for (const other of [
      hex(61),
      hex(40),
      '',
      '0x',
      `${hex(64)}\n`,
      ` ${hex(64)}`,
      hex(64).slice(2),
      null,
      1,
      [hex(64)],
      {},
    ]) {
      expect(classifyRpcResponse(other)).toBe('other')
    }
  })

  it('never throws', () => {
    fc.assert(
      fc.property(fc.anything(), (value) => {
        expect(['transactionHash', 'signedMessage', 'other']).toContain(classifyRpcResponse(value))
      }),
    )
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

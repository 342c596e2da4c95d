import { describe, expect, test } from 'vitest'
import { createLogOnce } from './log-once'

function started() {
  let at = 0
  const lines: object[] = []
  const once = createLogOnce(60_000, () => at)
  return {
    lines,
    pass: (ms: number) => {
      at += ms
    },
    fault: (key: string) => once(key, (more) => lines.push({ key, ...more })),
  }
}

describe('createLogOnce', () => {
  test('1. reports the first event of each fault at once', () => {
    const { lines, fault } = started()
    for (const key of ['a timeout', 'b timeout', 'a timeout', 'a status 500']) fault(key)
    expect(lines).toEqual([{ key: 'a timeout' }, { key: 'b timeout' }, { key: 'a status 500' }])
  })

  test('2. counts a fault that lasts, and says the number after a minute', () => {
    const { lines, pass, fault } = started()
    for (let count = 0; count < 400; count += 1) fault('a')
    expect(lines).toHaveLength(1)
    pass(60_000)
    fault('a')
    pass(60_000)
    fault('a')
    expect(lines).toEqual([{ key: 'a' }, { key: 'a', repeated: 399 }, { key: 'a' }])
  })

  test('3. remembers a thousand faults', () => {
    const { lines, fault } = started()
    for (let count = 0; count <= 1_000; count += 1) fault(String(count))
    fault('1000')
    expect(lines).toHaveLength(1_001)
    fault('0')
    expect(lines).toHaveLength(1_002)
  })
})

import { describe, expect, it } from 'vitest'
import { AccountName } from './account-name'

describe('AccountName', () => {
  it('accepts 4 or more letters, digits or hyphens (spec §5)', () => {
    for (const name of ['alice', 'al-1', '1234', 'a'.repeat(63)]) expect(AccountName.safeParse(name).success).toBe(true)
    for (const name of ['abc', '', 'alice.eth', 'ali ce', 'älice', 'alice\n', 'a'.repeat(64), 4321]) {
      expect(AccountName.safeParse(name).success).toBe(false)
    }
  })
})

import { expect, it } from 'vitest'
import { AccountData } from './account-data'

it('accepts only a text with the base64 encoding', () => {
  expect(AccountData.parse(['AQID', 'base64'])).toEqual(['AQID', 'base64'])
  for (const value of [['AQID', 'base58'], ['AQID'], ['AQID', 'base64', 1], [1, 'base64'], 'AQID', null, {}])
    expect(AccountData.safeParse(value).success).toBe(false)
})

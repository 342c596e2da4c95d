import { describe, expect, it } from 'vitest'
import { SignInSession } from './sign-in'

describe('sign-in', () => {
  it('a session needs its message, its signature and all required message fields (spec §3)', () => {
    const data = {
      accountAddress: '0x1',
      chainId: 'eip155:1',
      domain: 'e.com',
      uri: 'https://e.com',
      version: '1',
      nonce: 'n',
    }
    const session = { data, message: 'm', signature: '0x' }
    expect(SignInSession.parse(session)).toEqual(session)
    for (const field of Object.keys(data)) {
      expect(SignInSession.safeParse({ ...session, data: { ...data, [field]: undefined } }).success).toBe(false)
    }
  })
})
